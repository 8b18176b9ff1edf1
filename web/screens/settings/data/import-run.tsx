import { ApiError } from '../../../api/errors.ts';
import type { FollowedImport, ImportRun } from '../../../data/import-runs.ts';
import { t } from '../../../i18n/data.ts';
import { formatMoment, formatNumber, formatSize } from '../../../i18n/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Working } from '../../../ui/notice.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { ImportReport } from './import-report.tsx';

/** An import that was begun before a reload, or in another tab. */
export function ImportRunView({ followed }: { followed: FollowedImport }) {
  const { run, isLost, dismiss } = followed;
  const { dataText: text } = t();
  const attempt = useAttempt();
  if (!run && !isLost) return null;
  const state = run?.state ?? 'interrupted';
  const hide = (
    <button
      type="button"
      class="act"
      disabled={attempt.isBusy}
      onClick={() => void attempt.run(dismiss)}
    >
      {text.dismiss}
    </button>
  );
  return (
    <div class="import-progress">
      {run && (
        <p class="soft">
          {run.filename && (
            <>
              <bdi>{run.filename}</bdi>,{' '}
            </>
          )}
          {formatMoment(run.created_at)}
        </p>
      )}
      {run && <RunProgress run={run} />}
      {run?.workspace && <ImportReport report={run.workspace} />}
      {state === 'interrupted' && (
        <div class="note warn" role="alert">
          <Icon name="alert" />
          <p class="grow">
            {!run || run.total === null
              ? text.nothingCameIn
              : text.partCameIn(formatNumber(run.done), formatNumber(run.total))}
          </p>
          {hide}
        </div>
      )}
      {state === 'failed' && (
        <Refused error={new ApiError(400, run?.code ?? '', '', '')} codes={text.codes} />
      )}
      {(state === 'done' || state === 'failed') && <p class="buttons">{hide}</p>}
      <Refused error={attempt.error} />
    </div>
  );
}

/** How far an import is, in the words of its state. */
export function RunProgress({ run: { state, done, total } }: { run: ImportRun }) {
  const { dataText: text } = t();
  const words = {
    receiving: () =>
      total === null
        ? text.received(formatSize(done))
        : text.sending(formatSize(done), formatSize(total)),
    checking: () => text.checking,
    running: () => text.storing(formatNumber(done), formatNumber(total ?? done)),
  };
  const say = state in words ? words[state as keyof typeof words] : undefined;
  if (!say) return null;
  return (
    <>
      <Working>{say()}</Working>
      {total !== null && (
        <progress
          class="wide-meter"
          max={Math.max(total, 1)}
          value={done}
          aria-label={text.bringIn}
        />
      )}
    </>
  );
}
