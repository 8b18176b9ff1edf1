import { signal } from '@preact/signals';
import { onLock } from './zone-token.ts';

/** What is not saved on a screen. */
export interface Unsaved {
  /** Saves it. The result is whether it is saved. Without it, it can only be left. */
  readonly save?: () => Promise<boolean>;
  /** The owner leaves without saving it. */
  readonly discard?: () => void;
}

/** A navigation that waits for the owner's answer. */
export interface Leaving {
  readonly unsaved: readonly Unsaved[];
  readonly proceed: () => void;
}

const guarded = new Set<Unsaved>();

/** Shown as a dialog while it is set. */
export const leaving = signal<Leaving | undefined>(undefined);

/** Asks before the screen is left, until the returned function is called. */
export function guardUnsaved(unsaved: Unsaved): () => void {
  guarded.add(unsaved);
  return () => void guarded.delete(unsaved);
}

export const hasUnsaved = (): boolean => guarded.size > 0;

/** Leaves the screen: at once if everything is saved, else as the owner decides. */
export function whenSaved(proceed: () => void): void {
  if (guarded.size === 0) proceed();
  else leaving.value = { unsaved: [...guarded], proceed };
}

export const stay = (): void => {
  leaving.value = undefined;
};

export function leaveUnsaved({ unsaved, proceed }: Leaving): void {
  for (const each of unsaved) {
    guarded.delete(each);
    each.discard?.();
  }
  leaving.value = undefined;
  proceed();
}

/** What could not be saved says so on its screen, which stays. */
export async function saveAndLeave(waiting: Leaving): Promise<void> {
  const { unsaved, proceed } = waiting;
  const isSaved = await Promise.all(unsaved.map(async ({ save }) => (await save?.()) ?? false));
  // The owner has decided to stay while it was being saved, or the zone has locked.
  if (leaving.value !== waiting) return;
  leaving.value = undefined;
  if (!isSaved.every(Boolean)) return;
  for (const each of unsaved) guarded.delete(each);
  proceed();
}

// The lock waits for nothing: what was written in the hidden zone is dropped with it.
onLock(() => {
  guarded.clear();
  leaving.value = undefined;
});
