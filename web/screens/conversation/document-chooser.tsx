import { useSignal } from '@preact/signals';
import { useContext } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { useDebounced } from '../../data/debounced.ts';
import { t } from '../../i18n/ask.ts';
import type { NamedDocument } from '../../state/ask-about.ts';
import { InZone } from '../../state/in-zone.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Working } from '../../ui/notice.tsx';

export interface ChooserProps {
  readonly title: string;
  /** On the button, with how many are chosen. */
  readonly action: (count: number) => string;
  readonly chosen: readonly NamedDocument[];
  readonly onChoose: (documents: readonly NamedDocument[]) => void;
  readonly onClose: () => void;
}

const MAX_CHOSEN = 50;
const MAX_FOUND = 25;

/** Chooses the documents that a message is about. Without words it offers the newest. */
export default function DocumentChooser({
  title,
  action,
  chosen,
  onChoose,
  onClose,
}: ChooserProps) {
  const picked = useSignal(chosen);
  const words = useSignal('');
  const isInZone = useContext(InZone);
  const q = useDebounced(words.value.trim());
  const { data, error, isLoading, reload } = useResource(`choose ${q}`, (signal) =>
    findDocuments(q, isInZone, signal),
  );
  const isPicked = (id: string) => picked.value.some((each) => each.id === id);
  const offered = [
    ...picked.value,
    ...(data ?? []).filter(({ id }) => !picked.value.some((each) => each.id === id)),
  ];
  const submit = () => {
    onChoose(picked.value);
    onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t().shell.cancel}
          </button>
          <button type="submit" class="button strong">
            {action(picked.value.length)}
          </button>
        </>
      }
    >
      <input
        type="search"
        class="input chooser-field"
        aria-label={t().ask.findDocument}
        placeholder={t().ask.findDocument}
        value={words.value}
        onInput={(event) => (words.value = event.currentTarget.value)}
      />
      {error !== undefined && <Failed error={error} retry={reload} />}
      {isLoading && !data && <Working>{t().shell.loading}</Working>}
      <ul class="chooser-list">
        {offered.map((item) => (
          <li key={item.id}>
            <label>
              <input
                type="checkbox"
                checked={isPicked(item.id)}
                disabled={!isPicked(item.id) && picked.value.length >= MAX_CHOSEN}
                onChange={({ currentTarget: { checked } }) => {
                  picked.value = checked
                    ? [...picked.value, item]
                    : picked.value.filter(({ id }) => id !== item.id);
                }}
              />
              <bdi class="cut">{item.name}</bdi>
            </label>
          </li>
        ))}
      </ul>
      {data?.length === 0 && <p>{t().ask.noDocument}</p>}
    </Dialog>
  );
}

async function findDocuments(
  q: string,
  isInZone: boolean,
  signal: AbortSignal,
): Promise<readonly NamedDocument[]> {
  const reach = isInZone ? { include_hidden: true } : {};
  if (q === '') {
    const query = { ...reach, limit: MAX_FOUND };
    const { items } = await reply(api.GET('/v1/objects', { params: { query }, signal }));
    return items.map(({ id, display_name: name }) => ({ id, name }));
  }
  const query = { ...reach, q, limit: MAX_FOUND };
  const { items } = await reply(api.GET('/v1/search', { params: { query }, signal }));
  return items.map(({ object }) => ({ id: object.id, name: object.display_name }));
}
