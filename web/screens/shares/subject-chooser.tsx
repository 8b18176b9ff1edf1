import { useRef, useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { to } from '../../app/address.ts';
import { useDebounced } from '../../data/debounced.ts';
import { folders } from '../../data/folders.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/shares.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Failed, Working } from '../../ui/notice.tsx';
import { useId } from '../../ui/use-id.ts';
import { SharePanel } from './panel.tsx';

const MAX_FOUND = 12;

export interface SubjectChooserProps {
  /** Whether several documents were chosen that have no folder in common. */
  readonly isOfSeveral: boolean;
  readonly onClose: () => void;
}

/** Chooses the folder or the document of a new link. Nothing hidden is offered, for it can not be shared. */
export function SubjectChooser({ isOfSeveral, onClose }: SubjectChooserProps) {
  const { shares } = t();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const q = useDebounced(words.trim());
  const { data, error, isLoading, reload } = useResource(
    `subjects ${q}`,
    (signal) => findDocuments(q, signal),
    ['objects'],
  );
  const wanted = q.toLocaleLowerCase();
  const found = folders.value
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .slice(0, MAX_FOUND);
  const isNothing = found.length === 0 && data?.length === 0;
  return (
    <SharePanel title={shares.newLink} close={shares.closeUnmade} field={field} onClose={onClose}>
      {isOfSeveral && <p class="note plain">{shares.noCommonFolder}</p>}
      <div class="field">
        <label for={id}>{shares.find}</label>
        <input
          id={id}
          ref={field}
          class="input"
          type="search"
          autocomplete="off"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <span class="hint">{shares.findHint}</span>
      </div>
      {found.length > 0 && (
        <Choices
          title={t().library.folders}
          icon="folder"
          choices={found.map(({ id: folder, name }) => ({
            name,
            href: to(`/shares/new?folder=${folder}`),
          }))}
        />
      )}
      {data && data.length > 0 && (
        <Choices
          title={shares.documents}
          icon="library"
          choices={data.map((item) => ({
            name: item.name,
            href: to(`/shares/new?object=${item.id}`),
          }))}
        />
      )}
      {isLoading && !data && (
        <div class="late">
          <Working>{t().shell.loading}</Working>
        </div>
      )}
      {isNothing && <p class="soft">{q ? shares.nothingFound : shares.nothingToShare}</p>}
      {error !== undefined && <Failed error={error} retry={reload} />}
    </SharePanel>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly icon: IconName;
  readonly choices: readonly { readonly name: string; readonly href: string }[];
}

function Choices({ title, icon, choices }: ChoicesProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul class="subjects">
        {choices.map(({ name, href }) => (
          <li key={href}>
            <a href={href}>
              <Icon name={icon} />
              <bdi class="cut">{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Found {
  readonly id: string;
  readonly name: string;
}

/** The newest documents, or those of a search. Hidden ones are in neither. */
async function findDocuments(q: string, signal: AbortSignal): Promise<readonly Found[]> {
  if (q === '') {
    const query = { limit: MAX_FOUND };
    const { items } = await reply(api.GET('/v1/objects', { params: { query }, signal }));
    return items.map(({ id, display_name: name }) => ({ id, name }));
  }
  const query = { q, limit: MAX_FOUND };
  const { items } = await reply(api.GET('/v1/search', { params: { query }, signal }));
  return items.map(({ object }) => ({ id: object.id, name: object.display_name }));
}
