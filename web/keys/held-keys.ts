/** A screen that has not come by then shows why, or never comes: the keys are those of what is shown. */
const MAX_WAIT_MS = 10_000;
const MAX_KEYS = 20;

let held: KeyboardEvent[] | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** From now on single keys wait: they are meant for the screen that is being loaded, not for the one still shown. */
export function holdKeys(): void {
  held ??= [];
  clearTimeout(timer);
  timer = setTimeout(() => (held = undefined), MAX_WAIT_MS);
}

/** Ends the waiting, and hands the keys to `handle` in their order once the screen has registered its actions. */
export function releaseKeys(handle: (event: KeyboardEvent) => void): void {
  clearTimeout(timer);
  const keys = held ?? [];
  held = undefined;
  if (keys.length > 0) requestAnimationFrame(() => keys.forEach(handle));
}

/** Whether the key waits. Keys with Ctrl or Alt, Escape and those of fields and controls act at once. */
export function isHeld(event: KeyboardEvent, isUsed: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  const isSingle = [...key].length === 1 || key === 'Delete' || key === 'Enter';
  if (!held || isUsed || ctrlKey || metaKey || altKey || !isSingle) return false;
  if (held.length < MAX_KEYS) held.push(event);
  event.preventDefault();
  return true;
}
