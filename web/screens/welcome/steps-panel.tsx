import { useLocation } from 'preact-iso';
import { to } from '../../app/address.ts';
import { settings, changeLook } from '../../state/settings.ts';
import { t } from '../../i18n/language.ts';
import { welcomeText } from '../../i18n/welcome-text.ts';
import { Failed } from '../../ui/notice.tsx';
import { Refused, useAttempt } from '../settings/attempt.tsx';
import type { FirstDocuments } from './first-documents.ts';
import { ImportStep } from './import-step.tsx';
import { PasskeyStep } from './passkey-step.tsx';
import type { Progress } from './progress.ts';
import { RegionStep } from './region-step.tsx';
import { Step } from './step.tsx';

/** A plan for fewer documents has nothing to show. */
const MIN_TO_FILE = 5;

interface StepsProps {
  readonly documents: FirstDocuments | undefined;
  readonly progress: Progress | undefined;
  /** Why the progress could not be read. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** The list of steps. It goes with "Not now", on every device. */
export function StepsPanel({ documents, progress, error, retry }: StepsProps) {
  const text = welcomeText();
  const { route } = useLocation();
  const attempt = useAttempt();
  const total = documents?.total ?? 0;
  const isDone =
    total > 0 && progress?.hasAsked === true && progress.hasFiled && progress.passkey !== 'open';
  const leave = async () => {
    const welcome = isDone ? 'done' : 'not_now';
    if (await attempt.run(() => changeLook({ welcome }))) route(to('/library'));
  };
  return (
    <aside class="panel" aria-label={t().shell.firstSteps}>
      <div class="panel-bar">
        <h2 class="grow">{t().shell.firstSteps}</h2>
        <button
          type="button"
          class="button plain small"
          disabled={attempt.isBusy}
          onClick={() => void leave()}
        >
          {isDone ? text.done : text.notNow}
        </button>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={text.steps}>
        <div class="panel-in">
          <Refused error={attempt.error} />
          {error !== undefined && <Failed error={error} retry={retry} />}
          <ol class="ledger done-list">
            {settings.value && <RegionStep />}
            {progress && <PasskeyStep state={progress.passkey} />}
            {documents && <FilesStep documents={documents} />}
            {documents && progress && <QuestionStep documents={documents} progress={progress} />}
            {documents && progress && <FilingStep total={total} progress={progress} />}
            <ImportStep />
            {progress && <ModelStep hasModel={progress.hasModel} />}
            {!matchMedia('(display-mode: standalone)').matches && <InstallStep />}
          </ol>
        </div>
      </div>
    </aside>
  );
}

function FilesStep({ documents: { total, read } }: { documents: FirstDocuments }) {
  const text = welcomeText();
  return (
    <Step
      icon="upload"
      title={text.firstFiles}
      isDone={total > 0}
      text={
        <span role="status">
          {total > 0 ? `${text.cameIn(total)}, ${text.areRead(read)}.` : text.noFiles}
        </span>
      }
    />
  );
}

interface DoneProps {
  readonly documents: FirstDocuments;
  readonly progress: Progress;
}

function QuestionStep({ documents: { read }, progress: { hasAsked } }: DoneProps) {
  const text = welcomeText();
  return (
    <Step
      icon="ask"
      title={text.firstQuestion}
      isDone={hasAsked}
      text={hasAsked ? text.questionAsked : read > 0 ? text.chooseQuestion : text.afterFirstFile}
    />
  );
}

function FilingStep({
  total,
  progress: { hasFiled },
}: {
  readonly total: number;
  readonly progress: Progress;
}) {
  const text = welcomeText();
  const isOpen = !hasFiled && total >= MIN_TO_FILE;
  return (
    <Step
      icon="tidy"
      title={text.filing}
      isDone={hasFiled}
      text={
        hasFiled
          ? text.filingDone
          : isOpen
            ? text.filingWhy
            : `${text.filingWhy} ${text.filingLater(MIN_TO_FILE)}`
      }
    >
      {isOpen && (
        <span class="buttons">
          <a class="button small" href={to('/tidy')}>
            {text.makePlan}
          </a>
        </span>
      )}
    </Step>
  );
}

function ModelStep({ hasModel }: { hasModel: boolean }) {
  const text = welcomeText();
  return (
    <Step
      icon="model"
      title={text.model}
      isDone={hasModel}
      text={hasModel ? text.modelDone : text.modelWhy}
    >
      {!hasModel && (
        <span class="buttons">
          <a class="button small" href={to('/settings/connections')}>
            {text.connectModel}
          </a>
        </span>
      )}
    </Step>
  );
}

function InstallStep() {
  const text = welcomeText();
  const isReachable = location.protocol === 'https:';
  return (
    <Step
      icon="library"
      title={text.install}
      text={isReachable ? text.installWhy : `${text.installWhy} ${text.installNeedsHttps}`}
    />
  );
}
