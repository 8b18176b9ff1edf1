import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { activity, problem } from './problem.ts';

/** What runs, and what failed, above the list. */
export function Problems() {
  const { value: running } = activity;
  const { value: failed } = problem;
  return (
    <>
      {running && (
        <div class="list-note" role="status">
          <div class="note plain">
            <span class="spin" aria-hidden="true" />
            <p class="grow num">
              {t().library.progress(running.text, running.done, running.total)}
            </p>
          </div>
          <progress
            max={Math.max(1, running.total)}
            value={running.done}
            aria-label={running.text}
          />
        </div>
      )}
      {failed && (
        <div class="list-note">
          <div class="note bad" role="alert">
            <Icon name="alert" />
            <p class="grow">{failed.text}</p>
            {failed.retry && (
              <button type="button" class="act" onClick={failed.retry}>
                {t().shell.tryAgain}
              </button>
            )}
            <button
              type="button"
              class="tool small"
              aria-label={t().shell.dismiss}
              onClick={() => void (problem.value = undefined)}
            >
              <Icon name="x" small />
            </button>
          </div>
        </div>
      )}
    </>
  );
}
