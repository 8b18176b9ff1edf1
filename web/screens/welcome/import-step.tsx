import { ApiError } from '../../api/errors.ts';
import { importArchive, importState, isImporting } from '../../data/import-archive.ts';
import { welcomeText } from '../../i18n/welcome-text.ts';
import { Working } from '../../ui/notice.tsx';
import { Refused } from '../settings/attempt.tsx';
import { Step } from './step.tsx';
import { useId } from '../../ui/use-id.ts';

/** Brings in the export of another workspace. What is here already stays as it is. */
export function ImportStep() {
  const text = welcomeText();
  const id = useId();
  const { value: state } = importState;
  const isBusy = isImporting();
  const error = state?.phase === 'failed' ? state.error : undefined;
  return (
    <Step icon="box" title={text.elsewhere} text={text.elsewhereWhy}>
      <span class="buttons">
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
        <label class="button small" for={id}>
          {text.chooseExport}
        </label>
      </span>
      {isBusy && <Working>{text.bringingIn}</Working>}
      {state?.phase === 'done' && (
        <p role="status">{text.broughtIn(state.report.objects.created)}</p>
      )}
      {isNoExport(error) ? (
        <p class="note bad" role="alert">
          {text.badExport}
        </p>
      ) : (
        <Refused error={error} />
      )}
    </Step>
  );
}

const isNoExport = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'bad_archive';
