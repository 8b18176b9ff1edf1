import { useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import { noteChange } from '../data/live.ts';
import { t } from '../i18n/language.ts';
import { recordChange } from '../state/undo.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failed } from '../ui/notice.tsx';
import { linkIn, offeredText, type OfferedText } from './offered-text.ts';
import type { Destination } from './queue.ts';

/** Chooses what becomes of text that was pasted or shared. */
export default function TextDialog() {
  const offered = offeredText.value;
  return offered && <Offer offered={offered} key={offered.text} />;
}

function Offer({ offered: { text, origin, destination } }: { offered: OfferedText }) {
  const { uploads, shell } = t();
  const [error, setError] = useState<unknown>();
  const [key] = useState(newKey);
  const link = linkIn(text);
  const close = () => {
    offeredText.value = undefined;
  };
  const save = async (asLink: boolean) => {
    try {
      const id = await create(text, asLink ? link : undefined, destination, key);
      noteChange('objects');
      close();
      if (destination.isHidden) return;
      const path = { path: { object_id: id } };
      recordChange({
        label: asLink ? uploads.linkAdded : uploads.noteAdded,
        undo: async () => {
          await reply(api.DELETE('/v1/objects/{object_id}', { params: path }));
          noteChange('objects');
        },
      });
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <Dialog
      title={origin === 'pasted' ? uploads.pasteTitle : uploads.sharedTitle}
      onClose={close}
      onSubmit={() => void save(link !== undefined)}
      foot={
        <>
          <button type="button" class="button plain" onClick={close}>
            {shell.cancel}
          </button>
          <button
            type={link ? 'button' : 'submit'}
            class={link ? 'button' : 'button strong'}
            onClick={link ? () => void save(false) : undefined}
          >
            {uploads.asNote}
          </button>
          {link && (
            <button type="submit" class="button strong">
              {uploads.asLink}
            </button>
          )}
        </>
      }
    >
      <p class="pasted">{text.slice(0, 600)}</p>
      {error !== undefined && <Failed error={error} />}
    </Dialog>
  );
}

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

async function create(
  text: string,
  link: string | undefined,
  { folder, isHidden }: Destination,
  key: string,
): Promise<string> {
  const place = {
    ...(folder !== null && { collection_id: folder }),
    ...(isHidden && { is_hidden: true }),
  };
  const params = { header: { 'Idempotency-Key': `${key}-${link ? 'link' : 'note'}` } };
  const { id } =
    link === undefined
      ? await reply(api.POST('/v1/objects/notes', { params, body: { content: text, ...place } }))
      : await reply(api.POST('/v1/objects/links', { params, body: { url: link, ...place } }));
  return id;
}
