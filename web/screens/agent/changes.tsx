import { useSignal } from '@preact/signals';
import { t } from '../../i18n/agent.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toasts.tsx';
import { whenOf, iconOf } from './step-words.ts';
import type { ChangedStep, StepChange } from './step.ts';
import { currentStep, canUndo, undoSteps } from './undo.ts';

/** What the agent changed in this conversation, beside it. */
export const ChangesPanel = ({ steps }: { steps: readonly ChangedStep[] }) => (
  <aside class="panel" aria-label={t().agent.changed}>
    <div class="panel-bar">
      <h2 class="grow">{t().agent.changed}</h2>
      <UndoAll steps={steps} />
    </div>
    <div class="scroll" tabIndex={0} role="region" aria-label={t().agent.changesOf}>
      <div class="panel-in">
        <ChangeList steps={steps} />
        <div class="note plain">
          <Icon name="info" />
          <p>{t().agent.rules}</p>
        </div>
      </div>
    </div>
  </aside>
);

/** The same over the conversation, in windows that have no room beside it. */
export function ChangesLine({ steps }: { steps: readonly ChangedStep[] }) {
  const isOpen = useSignal(false);
  const close = () => void (isOpen.value = false);
  return (
    <>
      <button type="button" class="sources-line" onClick={() => (isOpen.value = true)}>
        <Icon name="list" />
        <b>{t().agent.changes(steps.length)}</b>
        <Icon name="right" flip />
      </button>
      {isOpen.value && (
        <Dialog
          title={t().agent.changed}
          wide
          onClose={close}
          onSubmit={close}
          foot={
            <>
              <UndoAll steps={steps} />
              <button type="submit" class="button">
                {t().shell.close}
              </button>
            </>
          }
        >
          <ChangeList steps={steps} />
          <p>{t().agent.rules}</p>
        </Dialog>
      )}
    </>
  );
}

function UndoAll({ steps }: { steps: readonly ChangedStep[] }) {
  const { agent } = t();
  const isRunning = useSignal(false);
  const open = steps.filter((step) => canUndo(currentStep(step)));
  if (open.length === 0 && !isRunning.value) return null;
  const undoAll = async () => {
    isRunning.value = true;
    const { done, left } = await undoSteps(open);
    isRunning.value = false;
    const counts = left === 0 ? [] : [agent.leftCount(left)];
    toast([agent.undoneCount(done), ...counts].join(', '));
  };
  return (
    <button
      type="button"
      class="button small"
      disabled={isRunning.value}
      onClick={() => void undoAll()}
    >
      <Icon name="undo" />
      {isRunning.value ? agent.undoing : agent.undoAll}
    </button>
  );
}

const ChangeList = ({ steps }: { steps: readonly ChangedStep[] }) => (
  <ol class="changes">
    {steps.map(currentStep).map((step, nth) => (
      <li key={nth}>
        <p class="top-line">
          <Icon name={iconOf(step)} small />
          {step.change && t().agent.kinds[step.change.kind]}
          {step.undone && <span class="tag">{t().agent.undone}</span>}
        </p>
        {step.change && <Diff change={step.change} isUndone={step.undone === true} />}
      </li>
    ))}
  </ol>
);

function Diff({ change, isUndone }: { change: StepChange; isUndone: boolean }) {
  const { agent } = t();
  const added = addedBy(change);
  return (
    <dl class="diff">
      {'before' in change && (
        <>
          <dt aria-label={agent.before}>−</dt>
          <dd>
            <del>
              <bdi>{change.before ?? agent.noFolder}</bdi>
            </del>
          </dd>
        </>
      )}
      <dt aria-label={'before' in change ? agent.after : agent.added}>+</dt>
      <dd>
        {isUndone ? (
          <del>
            <bdi>{added}</bdi>
          </del>
        ) : (
          <ins>
            <bdi>{added}</bdi>
          </ins>
        )}
        {change.kind === 'event' && <span class="soft more">{whenOf(change)}</span>}
        {change.kind === 'folder' && (
          <span class="soft more">
            <bdi>{change.name}</bdi>
          </span>
        )}
        {change.kind === 'note' && change.folder !== null && (
          <span class="soft more">
            <bdi>{change.folder}</bdi>
          </span>
        )}
      </dd>
    </dl>
  );
}

const addedBy = (change: StepChange): string =>
  'after' in change ? (change.after ?? t().agent.noFolder) : change.name;
