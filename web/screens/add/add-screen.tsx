import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/language.ts';
import { me } from '../../state/session.ts';
import { Empty, Failed } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { addFiles } from '../../uploads/queue.ts';
import { forgetShared, readShared } from '../../uploads/shared.ts';
import { offeredText } from '../../uploads/offered-text.ts';

const NO_FOLDER = { folder: null, isHidden: false };

/** Where other apps share to: files go into the queue, text becomes a note or a link. */
export default function AddScreen() {
  const { uploads } = t();
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const { query } = useLocation();
  const isLost = query['failed'] !== undefined;
  useEffect(() => {
    addShared().then(setCount, setError);
  }, []);
  return (
    <Screen title={uploads.addTitle}>
      {error !== undefined && <Failed error={error} />}
      {count !== undefined && (
        <Empty
          title={
            isLost ? uploads.shareFailed : count === 0 ? uploads.nothingShared : uploads.sharedText
          }
        >
          <a class="button" href={to('/library')}>
            {uploads.toLibrary}
          </a>
        </Empty>
      )}
    </Screen>
  );
}

/** Adds what was shared. Returns how many things that were. */
async function addShared(): Promise<number> {
  const found = await readShared(me.peek()?.owner.id ?? '');
  const all = [...found.values()];
  const files = all.flatMap((shared) => shared.files.map((file) => ({ file })));
  const text = all
    .map((shared) => shared.text)
    .join('\n')
    .trim();
  if (files.length > 0) await addFiles(files, NO_FOLDER);
  if (text) offeredText.value = { text, origin: 'shared', destination: NO_FOLDER };
  await forgetShared([...found.keys()]);
  return files.length + (text ? 1 : 0);
}
