import { to } from '../../app/address.ts';
import { t } from '../../i18n/agent.ts';
import { isolated } from '../../i18n/isolated.ts';
import { Icon } from '../../ui/icon.tsx';
import { Named, withoutIsolates } from './named.tsx';
import { iconOf, toolName, wordsOf } from './step-words.ts';
import { stateOf, type Step, type StepCause, type StepState } from './step.ts';
import { canRedo, canUndo, currentStep, redoStep, undoStateOf, undoStep } from './undo.ts';

/** The steps of a reply, in order. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <ol class="steps" aria-label={t().agent.steps(steps.length)}>
      {steps.map((step, nth) => (
        <StepRow key={nth} step={currentStep(step)} />
      ))}
    </ol>
  );
}

const CLASSES: Readonly<Record<StepState, string>> = {
  read: 'read',
  did: 'did',
  undone: 'undone',
  refused: 'stop',
  declined: 'undone',
  asked: 'asked',
  failed: 'failed',
};

function StepRow({ step }: { step: Step }) {
  const { agent } = t();
  const state = stateOf(step);
  const words = wordsOf(step);
  const undoing = undoStateOf(step);
  return (
    <li class={`step ${CLASSES[state]}`}>
      <span class="node">
        <Icon name={state === 'refused' || state === 'failed' ? 'alert' : iconOf(step)} />
      </span>
      <p>
        {state === 'undone' ? (
          <>
            <del>
              <Named text={words} />
            </del>{' '}
            <span class="soft">{undoneWords(step)}</span>
          </>
        ) : state === 'refused' ? (
          <b>{words}</b>
        ) : (
          <Named text={words} strong={state === 'did'} />
        )}
        {state === 'refused' && step.because && <Cause cause={step.because} />}
        {step.confirmation === 'allowed' && state === 'did' && (
          <span class="soft"> {agent.allowed}</span>
        )}
        {typeof undoing === 'object' && (
          <span class="not-undone" role="alert">
            {undoing.message}
          </span>
        )}
      </p>
      {canUndo(step) && (
        <button
          type="button"
          class="button small"
          aria-label={agent.undoOf(toolName(step.tool))}
          title={agent.undoOf(withoutIsolates(words))}
          onClick={() => void undoStep(step)}
        >
          <Icon name="undo" />
          {agent.undo}
        </button>
      )}
      {canRedo(step) && (
        <button
          type="button"
          class="button small"
          aria-label={agent.redoOf(toolName(step.tool))}
          title={agent.redoOf(withoutIsolates(words))}
          onClick={() => void redoStep(step)}
        >
          <Icon name="retry" />
          {agent.redo}
        </button>
      )}
      {(undoing === 'undoing' || undoing === 'redoing') && (
        <span class="state" role="status">
          <span class="spin" aria-hidden="true" />
          {undoing === 'undoing' ? agent.undoing : agent.redoing}
        </span>
      )}
      {step.because?.object_id !== undefined && <SeeIt cause={step.because} />}
    </li>
  );
}

/** The words of the document that gave orders. */
const Cause = ({ cause: { snippet, filename } }: { cause: StepCause }) => (
  <>
    {filename !== undefined && (
      <>
        {' '}
        <Named text={t().agent.says(isolated(filename))} />
      </>
    )}{' '}
    <q dir="auto">{snippet}</q>
  </>
);

/** The way to these words. */
const SeeIt = ({ cause }: { cause: StepCause }) => (
  <a
    class="button small"
    href={to(`/object/${cause.object_id ?? ''}#t=${cause.char_start ?? 0}-${cause.char_end ?? 0}`)}
    aria-label={t().agent.seeWords(cause.filename ?? '')}
  >
    {t().agent.seeIt}
  </a>
);

export function undoneWords({ tool }: Pick<Step, 'tool'>): string {
  const { agent } = t();
  if (tool === 'create_note') return agent.undoneNote;
  return tool === 'create_event' ? agent.undoneEvent : agent.undone;
}
