import { t } from '../../i18n/language.ts';
import { folderOf } from '../../data/folders.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import type { ListModel } from './list-model.ts';
import { answerSuggestion } from './suggestions.ts';

export const hasSuggestion = (item: ObjectItem): boolean =>
  item.deleted_at === null &&
  (item.suggested_name !== null || item.suggested_collection_id !== null);

/** A proposed name, a proposed folder, or both, to be taken or dropped. */
export function SuggestionOffer({ model, item }: { model: ListModel; item: ObjectItem }) {
  const { library } = t();
  const name = item.suggested_name;
  const folder = folderOf(item.suggested_collection_id)?.name;
  const answer = (accept: boolean) => () => void answerSuggestion(model, item, accept);
  return (
    <span class="offer">
      <span class="cut">
        <OfferText name={name} folder={folder} />
      </span>
      <button
        type="button"
        class="act"
        tabIndex={-1}
        aria-label={library.takeFor(item.display_name)}
        onClick={answer(true)}
      >
        {library.take}
      </button>
      <button
        type="button"
        class="act"
        tabIndex={-1}
        aria-label={library.keepMineFor(item.display_name)}
        onClick={answer(false)}
      >
        {library.keepMine}
      </button>
    </span>
  );
}

/** `Name it X, in Y?`: names are marked, wherever the sentence of the language has them. */
function OfferText({ name, folder }: { name: string | null; folder: string | undefined }) {
  const { offerBoth, offerName, offerFolder } = t().library;
  const sentence = name === null ? offerFolder : folder === undefined ? offerName : offerBoth;
  return (
    <>
      {sentence.split(/(\{name\}|\{folder\})/).map((part) =>
        part === '{name}' ? (
          <b key={part}>
            <bdi>{name}</bdi>
          </b>
        ) : part === '{folder}' ? (
          <bdi key={part}>{folder}</bdi>
        ) : (
          part
        ),
      )}
    </>
  );
}
