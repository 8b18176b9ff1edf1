import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { useResource } from '../../../data/resource.ts';
import { formatDay, formatNumber, formatSize } from '../../../i18n/format.ts';
import { t } from '../../../i18n/connections.ts';
import { Icon } from '../../../ui/icon.tsx';
import { connectionText } from '../../../ui/reason-words.ts';
import { useId } from '../../../ui/use-id.ts';
import { useAttempt } from '../attempt.tsx';
import {
  cancelMigration,
  inBucket,
  startMigration,
  type Direction,
  type Migration,
} from './connection.ts';
import { Problem } from './refusals.tsx';

export interface MigrationPartProps {
  readonly of: Migration;
  /** Whether new files go to the bucket. */
  readonly isEnabled: boolean;
}

/** Moves files into the bucket or back, and shows how far that is. It goes on without this page. */
export function MigrationPart({ of, isEnabled }: MigrationPartProps) {
  const { connections: text } = t();
  const attempt = useAttempt();
  const isRunning = of.status === 'running';
  const part = useRef<HTMLElement>(null);
  const start = async (direction: Direction) => {
    // The button that was pressed goes.
    if (await attempt.run(() => startMigration(direction))) part.current?.focus();
  };
  return (
    <section ref={part} class="form migration" tabIndex={-1} aria-label={text.migration}>
      {isRunning ? (
        <Running of={of} />
      ) : (
        <>
          <LastRun of={of} onStart={start} isBusy={attempt.isBusy} />
          <Plan of={of} isEnabled={isEnabled} onStart={start} isBusy={attempt.isBusy} />
        </>
      )}
      <Problem error={attempt.error} />
    </section>
  );
}

function Running({ of }: { of: Migration }) {
  const { connections: text } = t();
  const attempt = useAttempt();
  const id = useId();
  const [isStopping, setStopping] = useState(false);
  const stop = async () => setStopping(await attempt.run(cancelMigration));
  useEffect(() => setStopping(false), [of.started_at]);
  const { direction, total, moved, failed, remaining, error_code: code } = of;
  return (
    <>
      <div>
        <div class="move-head">
          <b id={id}>{text.moving[direction]}</b>
          <span class="soft num">{text.since(formatDay(of.started_at))}</span>
        </div>
        <progress class="wide-meter" max={Math.max(total, 1)} value={moved} aria-labelledby={id} />
      </div>
      <div class="counts">
        <Count count={moved} of={text.moved} />
        <Count count={remaining - failed} of={text.toGo} />
        {failed > 0 && <Count count={failed} of={text.didNotGo} isBad />}
        <span class="grow" />
        <button
          type="button"
          class="button"
          disabled={isStopping || attempt.isBusy}
          onClick={() => void stop()}
        >
          <Icon name="pause" />
          {isStopping ? text.stopping : text.stop}
        </button>
      </div>
      <Problem error={attempt.error} />
      {code && (
        <div class="note warn" role="status">
          <Icon name="alert" />
          <p>
            <b>{failed === 0 ? text.waits : text.couldNotGo(failed)}</b>{' '}
            {connectionText(code, of.error_fact)}
            {failed > 0 && ` ${text.stayWhole}`}
          </p>
        </div>
      )}
      <p class="soft">{text.eachFile}</p>
    </>
  );
}

const Count = ({ count, of, isBad }: { count: number; of: string; isBad?: boolean }) => (
  <span>
    <b class={isBad ? 'bad-count' : undefined}>{formatNumber(count)}</b> {of}
  </span>
);

interface StartProps {
  readonly of: Migration;
  readonly isBusy: boolean;
  readonly onStart: (direction: Direction) => Promise<void>;
}

/** How the latest run ended, as long as that matters. */
function LastRun({ of, isBusy, onStart }: StartProps) {
  const { connections: text } = t();
  const { status, failed, error_code: code, direction, remaining } = of;
  const reason = code && connectionText(code, of.error_fact);
  if (status === 'failed' || (status === 'done' && failed > 0))
    return (
      <div class={`note ${status === 'failed' ? 'bad' : 'warn'}`} role="status">
        <Icon name="alert" />
        <p>
          <b>{status === 'failed' ? text.endedEarly : text.couldNotGo(failed)}</b> {reason}{' '}
          {text.stayWhole}{' '}
          <button
            type="button"
            class="act"
            disabled={isBusy}
            onClick={() => void onStart(direction)}
          >
            {text.tryThemAgain}
          </button>
        </p>
      </div>
    );
  const isDone = status === 'done' && remaining === 0;
  if (status === 'idle' || (status === 'done' && !isDone)) return null;
  return (
    <div class="note calm" role="status">
      <Icon name={isDone ? 'check' : 'pause'} />
      <p>{isDone ? text.allMoved[direction] : text.stopped}</p>
    </div>
  );
}

/** What a move would do: how many files there are and where, before it begins. */
function Plan({ of, isEnabled, isBusy, onStart }: StartProps & { isEnabled: boolean }) {
  const { connections: text } = t();
  // A failure is no news here: the size is left out.
  const { data: bytes } = useResource('storage', async (signal) => {
    const { items } = await reply(api.GET('/v1/usage', { signal }));
    return items.find(({ metric }) => metric === 'storage_bytes')?.used;
  });
  const there = inBucket(of);
  const here = of.total - there;
  if (of.total === 0) return <p class="soft">{text.noFiles}</p>;
  return (
    <>
      <div class="counts">
        <Count count={there} of={text.inBucket} />
        <Count count={here} of={text.atService} />
      </div>
      <p class="soft">
        {bytes !== undefined && `${text.storedInAll(formatSize(bytes))} `}
        {text.eachFile}
        {there > 0 && isEnabled && ` ${text.backSwitchesOff}`}
      </p>
      <div class="buttons">
        {here > 0 && isEnabled && (
          <button
            type="button"
            class="button"
            disabled={isBusy}
            onClick={() => void onStart('out')}
          >
            <Icon name="bucket" />
            {text.moveOut(here)}
          </button>
        )}
        {there > 0 && (
          <button
            type="button"
            class="button"
            disabled={isBusy}
            onClick={() => void onStart('back')}
          >
            <Icon name="undo" />
            {text.moveBack(there)}
          </button>
        )}
      </div>
    </>
  );
}
