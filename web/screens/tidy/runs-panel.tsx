import { useState } from 'preact/hooks';
import { noteChange } from '../../data/live.ts';
import { formatMoment } from '../../i18n/format.ts';
import { t } from '../../i18n/tidy.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed } from '../../ui/notice.tsx';
import { undoRun, type RunCard } from './plan.ts';

/** Runs that moved documents, each of which can be taken back. */
export function RunsPanel({ runs }: { runs: readonly RunCard[] }) {
  const { tidy } = t();
  const moved = runs.filter(({ dry_run: isDry }) => !isDry);
  return (
    <aside class="panel" aria-label={tidy.before}>
      <div class="panel-bar">
        <h2>{tidy.before}</h2>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={tidy.runs}>
        <div class="panel-in">
          {moved.length === 0 && <p class="soft">{tidy.noneBefore}</p>}
          <ul class="ledger">
            {moved.map((run) => (
              <Run key={run.task_id} run={run} />
            ))}
          </ul>
          <div class="note plain">
            <Icon name="info" />
            <p>{tidy.rules}</p>
          </div>
        </div>
      </div>
    </aside>
  );
}

function Run({ run }: { run: RunCard }) {
  const { shell, tidy } = t();
  const [result, setResult] = useState<{ undone: number; skipped: number }>();
  const [error, setError] = useState<unknown>();
  const undo = async () => {
    setError(undefined);
    try {
      setResult(await undoRun(run.task_id));
      noteChange('objects', 'folders');
    } catch (cause) {
      setError(cause);
    }
  };
  const isUndone = result !== undefined;
  return (
    <li>
      <Icon name={isUndone ? 'undo' : run.state === 'FAILURE' ? 'alert' : 'check'} />
      <div>
        <b class="num">
          {tidy.moved(run.moved)}, {formatMoment(run.created_at)}
        </b>
        {result ? (
          <p>{tidy.takenBack(result.undone, result.skipped)}</p>
        ) : (
          <p>
            {run.state === 'FAILURE' && `${tidy.failed} `}
            {run.created_folders > 0 && `${tidy.foldersMade(run.created_folders)} `}
            {run.skipped > 0 && `${tidy.skipped(run.skipped)} `}
            {!isUndone && run.done && run.moved > 0 && (
              <button
                type="button"
                class="act"
                aria-label={`${shell.undo}: ${tidy.moved(run.moved)}, ${formatMoment(run.created_at)}`}
                onClick={() => void undo()}
              >
                {shell.undo}
              </button>
            )}
          </p>
        )}
        {error !== undefined && <Failed error={error} />}
      </div>
    </li>
  );
}
