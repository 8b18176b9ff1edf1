import { signal } from '@preact/signals';
import { onLock, watchForLock } from './zone-token.ts';
import { toast } from '../ui/toasts.tsx';
import { t } from '../i18n/language.ts';
import { messageOf } from '../i18n/errors.ts';

const MAX_CHANGES = 50;

/** A change of this tab with its inverse. */
export interface Change {
  /** What was done, for the toast: `Moved 3 documents to Tax`. */
  readonly label: string;
  readonly undo: () => Promise<void>;
  /** Does it again, after it was undone. */
  readonly redo?: () => Promise<void>;
}

const changes = signal<readonly Change[]>([]);

let running: Promise<unknown> = Promise.resolve();
let runningCount = 0;

/** A change that is on its way is the last one already: undoing waits for it. */
export async function asChange<T>(work: Promise<T>): Promise<T> {
  running = Promise.allSettled([running, work]);
  runningCount++;
  try {
    return await work;
  } finally {
    runningCount--;
  }
}

export const canUndo = (): boolean => runningCount > 0 || changes.value.length > 0;

/** Reports a change and remembers its inverse. */
export function recordChange(change: Change): void {
  changes.value = [...changes.value, change].slice(-MAX_CHANGES);
  toast(change.label, () => undoChange(change));
}

/** Undoes the last change of this tab, after what is being undone: what is undone next may rest on it. */
export function undoLast(): void {
  running = running.then(() => {
    const last = changes.value.at(-1);
    return last && undo(last);
  });
}

function undoChange(change: Change): void {
  changes.value = changes.value.filter((each) => each !== change);
  running = running.then(() => undo(change));
}

async function undo(change: Change): Promise<void> {
  changes.value = changes.value.filter((each) => each !== change);
  const hasLocked = watchForLock();
  try {
    await change.undo();
  } catch (error) {
    if (!hasLocked()) toast(messageOf(error));
    return;
  }
  // Its label may name what is hidden now.
  if (hasLocked()) return;
  const { redo } = change;
  const again = redo && { label: change.label, undo: redo, redo: () => change.undo() };
  toast(
    t().shell.undone(change.label),
    again && (() => void (running = running.then(() => redoChange(change)))),
  );
}

async function redoChange(change: Change): Promise<void> {
  const hasLocked = watchForLock();
  try {
    await change.redo?.();
    if (!hasLocked()) recordChange(change);
  } catch (error) {
    if (!hasLocked()) toast(messageOf(error));
  }
}

/** Forgets every change, such as when the hidden zone locks: a label may name what was hidden. */
export const clearChanges = (): void => {
  changes.value = [];
};

onLock(clearChanges);
