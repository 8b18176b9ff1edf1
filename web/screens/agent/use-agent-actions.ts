import { useLocation } from 'preact-iso';
import { useMemo, useRef } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/agent.ts';
import { useActions, type Action } from '../../keys/action.ts';
import { canUndo as canUndoChange, undoLast } from '../../state/undo.ts';
import { conversationActions, type ActionText } from '../conversation/actions.ts';
import { runningIn, stop } from './live.ts';
import type { Step } from './step.ts';
import { canRedo, canUndo, currentStep, redoStep, undoStep } from './undo.ts';

interface AgentControls {
  readonly chatId: string | undefined;
  readonly field: { readonly current: HTMLTextAreaElement | null };
  /** Of the whole conversation. */
  readonly steps: readonly Step[];
  /** Undefined while nothing waits for a decision. */
  readonly decide: Decide | undefined;
}

/** In a conversation with the agent. */
export function agentNames(): ActionText {
  const { stop: end, sendMessage: send, write, nextMessage, previousMessage } = t().agent;
  return { stop: end, send, write, next: nextMessage, previous: previousMessage };
}

type Decide = (decision: 'allow' | 'refuse') => void;

/** What decides about a change that waits. `current` has nothing while none does. */
export function decisionActions(decide: { readonly current: Decide | undefined }) {
  const deciding = (kind: 'allow' | 'refuse', keys: readonly string[]): Action => ({
    id: `${kind}-change`,
    group: 'answer',
    label: () => (kind === 'allow' ? t().agent.allowWaiting : t().agent.refuseWaiting),
    keys,
    isEnabled: () => decide.current !== undefined,
    run: () => decide.current?.(kind),
  });
  return [deciding('allow', ['y']), deciding('refuse', ['Shift+Y'])];
}

/** What the keyboard does in a conversation with the agent. */
export function useAgentActions({ chatId, field, steps, decide }: AgentControls): void {
  const { route } = useLocation();
  const latest = useRef(steps);
  latest.current = steps;
  const decision = useRef(decide);
  decision.current = decide;
  useActions(
    useMemo((): readonly Action[] => {
      const lastChange = () => latest.current.findLast((step) => canUndo(currentStep(step)));
      // The first one that is undone: what follows it may rest on it.
      const nextRedo = () => latest.current.find((step) => canRedo(currentStep(step)));
      return [
        ...conversationActions(
          {
            isRunning: () => runningIn(chatId) !== undefined,
            stop: () => stop(chatId),
            send: () => field.current?.form?.requestSubmit(),
            write: () => field.current?.focus(),
            newChat: () => route(to('/agent')),
          },
          agentNames,
        ),
        ...decisionActions(decision),
        {
          // In place of the one for everything else: here the changes of the agent are undone first.
          id: 'undo',
          group: 'answer',
          label: () => t().agent.undoLast,
          keys: ['Ctrl+Z'],
          isEnabled: () => lastChange() !== undefined || canUndoChange(),
          run: () => {
            const step = lastChange();
            if (step) void undoStep(step);
            else undoLast();
          },
        },
        {
          id: 'redo-step',
          group: 'answer',
          label: () => t().agent.redoNext,
          keys: ['Ctrl+Shift+Z'],
          isEnabled: () => nextRedo() !== undefined,
          run: () => {
            const step = nextRedo();
            if (step) void redoStep(step);
          },
        },
      ];
    }, [chatId, field, route]),
  );
}
