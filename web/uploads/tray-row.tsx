import { to } from '../app/address.ts';
import { ApiError, OfflineError } from '../api/errors.ts';
import { messageOf } from '../i18n/errors.ts';
import { formatSize } from '../i18n/format.ts';
import { t } from '../i18n/language.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { LocalError } from './failures.ts';
import { isRunning, type UploadItem } from './items.ts';
import { maxFileBytes } from './limits.ts';
import { addAnyway, giveFile, leaveOut, pause } from './queue-controls.ts';
import { tryNow } from './queue.ts';
import { useId } from '../ui/use-id.ts';

/** One file of the tray: its progress, or why it has none and what can be done about it. */
export function TrayRow({ item }: { item: UploadItem }) {
  const { state, name, size, sent } = item;
  return (
    <li data-state={state}>
      <div class="pair">
        <bdi class="cut" title={name}>
          {name}
        </bdi>
        <span class={TONES[state] ?? 'soft num'}>
          {state === 'waiting' && <Icon name="pause" small />}
          {stateText(item)}
        </span>
        <Controls item={item} />
      </div>
      {(state === 'sending' || state === 'paused') && (
        <progress max={Math.max(size, 1)} value={sent} aria-label={name} />
      )}
      <Problem item={item} />
    </li>
  );
}

const TONES: Readonly<Partial<Record<UploadItem['state'], string>>> = {
  waiting: 'state wait',
  'needs-file': 'state wait',
  failed: 'state bad',
};

function stateText({ state, size, sent }: UploadItem): string {
  const { uploads } = t();
  switch (state) {
    case 'queued':
      return formatSize(size);
    case 'checking':
      return uploads.checking;
    case 'sending':
      return uploads.of(formatSize(sent), formatSize(size));
    case 'waiting':
      return uploads.waitsAt(formatSize(sent));
    case 'paused':
    case 'needs-file':
      return uploads.paused;
    case 'done':
      return uploads.isIn;
    case 'duplicate':
      return uploads.alreadyHere;
    case 'failed':
      return uploads.failed;
  }
}

function Controls({ item }: { item: UploadItem }) {
  const { id, name, state } = item;
  const { uploads } = t();
  const tool = (icon: IconName, label: string, run: () => void) => (
    <button type="button" class="tool small" aria-label={label} onClick={run}>
      <Icon name={icon} small />
    </button>
  );
  return (
    <span class="tray-tools">
      {isRunning(item) && tool('pause', uploads.pause(name), () => pause(id))}
      {state === 'paused' && tool('repeat', uploads.resume(name), () => tryNow(id))}
      {state !== 'done' && tool('x', uploads.leaveOut(name), () => leaveOut([id]))}
    </span>
  );
}

function Problem({ item }: { item: UploadItem }) {
  const { uploads } = t();
  const { id, state, twin, objectId, error } = item;
  if (state === 'duplicate')
    return (
      <div class="pair">
        <bdi class="cut">{uploads.sameAs(twin ?? '')}</bdi>
        <span class="acts">
          {objectId !== undefined && (
            <>
              <a class="act" href={to(`/object/${objectId}`)}>
                {uploads.open}
              </a>{' '}
            </>
          )}
          <button type="button" class="act" onClick={() => addAnyway(id)}>
            {uploads.addAnyway}
          </button>
        </span>
      </div>
    );
  if (state === 'needs-file') return <ChooseAgain item={item} />;
  if (state !== 'waiting' && state !== 'failed') return null;
  const canRepeat =
    state === 'waiting' ||
    (error instanceof ApiError && ![413, 422].includes(error.status)) ||
    (error instanceof LocalError && error.reason === 'no-room');
  return (
    <div class="pair">
      <span>{reasonOf(error)}</span>
      {canRepeat && (
        <button type="button" class="act" onClick={() => tryNow(id)}>
          {state === 'waiting' ? uploads.tryNow : uploads.tryAgain}
        </button>
      )}
    </div>
  );
}

function reasonOf(error: unknown): string {
  const { uploads } = t();
  if (error instanceof OfflineError) return uploads.noConnection;
  if (error instanceof LocalError) {
    if (error.reason === 'too-large') return uploads.tooLarge(formatSize(maxFileBytes));
    return error.reason === 'no-room' ? uploads.noRoom : uploads.fileGone;
  }
  if (!(error instanceof ApiError)) return messageOf(error);
  switch (error.status) {
    case 402:
      return uploads.noRoom;
    case 404:
      return uploads.folderGone;
    case 413:
      return Number.isFinite(maxFileBytes)
        ? uploads.tooLarge(formatSize(maxFileBytes))
        : messageOf(error);
    case 422:
      return uploads.badName;
    default:
      return error.status >= 500 || error.status === 429 ? uploads.busy : messageOf(error);
  }
}

/** The bytes of a large file are not stored in the browser. */
function ChooseAgain({ item: { id, error } }: { item: UploadItem }) {
  const { uploads } = t();
  const field = useId();
  const isOther = error !== undefined;
  return (
    <div class="pair">
      <span role={isOther ? 'alert' : undefined}>
        {isOther ? uploads.otherFile : uploads.chooseAgain}
      </span>
      <label class="act" for={field}>
        {uploads.choose}
        <input
          id={field}
          type="file"
          class="vh"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) giveFile(id, file);
            // The same one can be chosen again.
            currentTarget.value = '';
          }}
        />
      </label>
    </div>
  );
}
