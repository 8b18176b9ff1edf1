import { signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import { noteChange } from '../../data/live.ts';
import { t } from '../../i18n/agent.ts';
import { messageOf } from '../../i18n/errors.ts';
import type { Step } from './step.ts';

/** What is under way, what was done, or why it was refused. */
type UndoState =
  | 'undoing'
  | 'redoing'
  | 'undone'
  | 'redone'
  | { readonly of: 'undo' | 'redo'; readonly message: string };

const states = signal<ReadonlyMap<string, UndoState>>(new Map());

const set = (id: string, state: UndoState): void => {
  states.value = new Map([...states.peek(), [id, state]]);
};

/** The undo of a step and its redo have one id. */
const idOf = ({ undo, redo }: Step): string | undefined => undo ?? redo;

export const undoStateOf = (step: Step): UndoState | undefined =>
  states.value.get(idOf(step) ?? '');

/** The step as it is now: the conversation may have been read before it was undone or redone. */
export function currentStep(step: Step): Step {
  const id = idOf(step);
  const state = undoStateOf(step);
  if (id === undefined || (state !== 'undone' && state !== 'redone')) return step;
  const { undo: _undo, redo: _redo, undone: _undone, ...rest } = step;
  return state === 'undone' ? { ...rest, undone: true, redo: id } : { ...rest, undo: id };
}

/** Whether the last attempt allows another one. A refused undo does not stand in the way of a redo. */
const isFree = (step: Step, kind: 'undo' | 'redo'): boolean => {
  const state = undoStateOf(step);
  if (state === undefined || state === 'undone' || state === 'redone') return true;
  return typeof state === 'object' && state.of !== kind;
};

export const canUndo = (step: Step): boolean =>
  step.undo !== undefined && step.undone !== true && isFree(step, 'undo');

export const canRedo = (step: Step): boolean => step.redo !== undefined && isFree(step, 'redo');

/** The service has said since which steps are undone. */
export function forgetUndone(steps: readonly Step[]): void {
  const ids = new Set(steps.map(idOf));
  const left = [...states.peek()].filter(
    ([id, state]) => !ids.has(id) || (state !== 'undone' && state !== 'redone'),
  );
  if (left.length < states.peek().size) states.value = new Map(left);
}

/** Undoes one step. The reason for which the service refuses it is shown with the step. Returns whether it was undone. */
export const undoStep = (step: Step): Promise<boolean> =>
  reverse(step, 'undo', (undo_id) =>
    reply(api.POST('/v1/agent/steps/{undo_id}/undo', { params: { path: { undo_id } } })),
  );

/** Does again what was undone, in the same way. */
export const redoStep = (step: Step): Promise<boolean> =>
  reverse(step, 'redo', (undo_id) =>
    reply(api.POST('/v1/agent/steps/{undo_id}/redo', { params: { path: { undo_id } } })),
  );

async function reverse(
  step: Step,
  kind: 'undo' | 'redo',
  send: (id: string) => Promise<unknown>,
): Promise<boolean> {
  const id = idOf(step);
  const state = undoStateOf(step);
  if (id === undefined || state === 'undoing' || state === 'redoing') return false;
  set(id, kind === 'undo' ? 'undoing' : 'redoing');
  try {
    await send(id);
  } catch (error) {
    set(id, { of: kind, message: reasonOf(error, kind) });
    return false;
  }
  set(id, kind === 'undo' ? 'undone' : 'redone');
  noteChange('chats', 'objects', 'folders', 'calendar');
  return true;
}

/** The last one first: what was changed later may rest on what was changed before. */
export async function undoSteps(steps: readonly Step[]): Promise<{ done: number; left: number }> {
  let done = 0;
  for (const step of steps.toReversed()) if (await undoStep(step)) done++;
  return { done, left: steps.length - done };
}

function reasonOf(error: unknown, kind: 'undo' | 'redo'): string {
  const { agent } = t();
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'not_found' && kind === 'redo') return agent.redoGone;
  return new Map(Object.entries(agent.undoFailures)).get(code) ?? messageOf(error);
}
