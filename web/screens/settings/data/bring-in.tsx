import { ApiError } from '../../../api/errors.ts';
import {
  importArchive,
  importKey,
  importState,
  isImporting,
  stopImport,
  type ImportState,
} from '../../../data/import-archive.ts';
import { useImportRun, type ImportRun } from '../../../data/import-runs.ts';
import { t } from '../../../i18n/data.ts';
import { formatSize } from '../../../i18n/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Working } from '../../../ui/notice.tsx';
import { useId } from '../../../ui/use-id.ts';
import { Refused } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { ImportReport } from './import-report.tsx';
import { ImportRunView, RunProgress } from './import-run.tsx';

/** Brings in the export of another workspace, and says what came of it. */
export function BringIn() {
  const { dataText: text } = t();
  const id = useId();
  const { value: state } = importState;
  const isBusy = isImporting();
  const followed = useImportRun('workspace', importKey.value);
  return (
    <Setting title={text.bringIn} hint={text.bringInHint}>
      <p class="buttons file-choice">
        <input
          id={id}
          type="file"
          class="vh"
          accept=".zip,application/zip"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void importArchive(file);
            currentTarget.value = '';
          }}
        />
        <label class="button" for={id}>
          <Icon name="upload" />
          {text.choose}
        </label>
      </p>
      {state ? (
        <Progress state={state} run={followed.run} />
      ) : (
        <ImportRunView followed={followed} />
      )}
    </Setting>
  );
}

const ADVANCED: ReadonlySet<ImportRun['state']> = new Set(['checking', 'running']);

function Progress({ state, run }: { state: ImportState; run: ImportRun | undefined }) {
  const { dataText: text, shell } = t();
  switch (state.phase) {
    case 'sending':
      return (
        <div class="import-progress">
          <Working>{text.sending(formatSize(state.sent), formatSize(state.total))}</Working>
          <progress
            class="wide-meter"
            max={Math.max(state.total, 1)}
            value={state.sent}
            aria-label={text.bringIn}
          />
          <button type="button" class="button" onClick={stopImport}>
            {shell.cancel}
          </button>
        </div>
      );
    case 'reading':
      // The service knows more than this page, which only waits for its response.
      return run && ADVANCED.has(run.state) ? (
        <RunProgress run={run} />
      ) : (
        <Working>{text.reading}</Working>
      );
    case 'done':
      return <ImportReport report={state.report} />;
    case 'failed':
      return <Refused error={state.error} codes={codesOf(state.error)} />;
    case 'stopped':
      return <p role="status">{text.stopped}</p>;
  }
}

function codesOf(error: unknown): Readonly<Record<string, string>> {
  const { codes } = t().dataText;
  // The service rejects a file that is no archive at all as invalid input.
  const isInvalid = error instanceof ApiError && error.status === 422;
  return isInvalid ? { ...codes, validation: codes.bad_archive } : codes;
}
