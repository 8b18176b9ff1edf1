import { useState } from 'preact/hooks';
import type { Listing } from '../../data/object-filters.ts';
import { currentId, noteSuccessor } from '../../data/successors.ts';
import { moveView, removeView, renameView, saveView, type SavedView } from '../../data/views.ts';
import { messageOf } from '../../i18n/errors.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/language.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { Dialog } from '../../ui/dialog.tsx';

/** Makes a change of the views and remembers its inverse. */
const change = (
  label: string,
  redo: () => Promise<void>,
  undo: () => Promise<void>,
): Promise<void> => asChange(redo().then(() => recordChange({ label, undo, redo })));

/** A view that is kept again has another id. */
async function keepAgain({ id, ...view }: SavedView): Promise<void> {
  noteSuccessor(currentId(id), (await saveView(view.name, view)).id);
}

export const remove = (view: SavedView): Promise<void> =>
  change(
    t().library.did.removeView(isolated(view.name)),
    () => removeView(currentId(view.id)),
    () => keepAgain(view),
  );

function keep(name: string, listing: Listing): Promise<void> {
  let kept: SavedView | undefined;
  return change(
    t().library.did.saveView(isolated(name)),
    async () => {
      if (kept) await keepAgain(kept);
      else kept = await saveView(name, listing);
    },
    async () => {
      if (kept) await removeView(currentId(kept.id));
    },
  );
}

const rename = ({ id, name: before }: SavedView, name: string): Promise<void> =>
  change(
    t().library.did.rename(isolated(name)),
    () => renameView(currentId(id), name),
    () => renameView(currentId(id), before),
  );

export const reorder = ({ id, name }: SavedView, by: number): Promise<void> =>
  change(
    t().library.did.moveView(isolated(name)),
    () => moveView(currentId(id), by),
    () => moveView(currentId(id), -by),
  );

/** The name of a list that is kept as a view, or another name of one that was. */
export default function ViewDialog({
  view,
  listing,
  onClose,
}: {
  /** Undefined for a new one. */
  view: SavedView | undefined;
  listing: Listing;
  onClose: () => void;
}) {
  const { library, shell } = t();
  const [name, setName] = useState(view?.name ?? '');
  const [error, setError] = useState<unknown>();
  const submit = () => {
    const chosen = name.trim();
    if (chosen) (view ? rename(view, chosen) : keep(chosen, listing)).then(onClose, setError);
  };
  return (
    <Dialog
      title={view ? library.renameView : library.keepAsView}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button strong" disabled={!name.trim()}>
            {library.save}
          </button>
        </>
      }
    >
      <div class="field">
        <label for="view-name">{library.name}</label>
        <input
          id="view-name"
          class="input"
          maxLength={120}
          dir="auto"
          autocomplete="off"
          autofocus
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </div>
      {error !== undefined && (
        <p class="note bad" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}
