import { hasSingleKeys } from '../state/preferences.ts';
import { currentActions, type Action } from './action.ts';
import { isHeld } from './held-keys.ts';

const SEQUENCE_MS = 1_200;

/** `Ctrl+K`, `Shift+J`, `?`: as actions name keys. Shift is named with letters and named keys only. */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isLetter = /^\p{L}$/u.test(key);
  const name =
    key === ' ' ? 'Space' : isLetter && (shiftKey || ctrlKey || metaKey) ? key.toUpperCase() : key;
  const shift = shiftKey && (isLetter || key.length > 1);
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${name}`;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'button', 'submit', 'file', 'range'].includes(target.type)));

const CONTROLS = 'button, summary, label, input, select, [role="menuitem"], [role="option"]';

/** A native control uses these keys itself. A link uses Enter only. */
const isUsedByControl = (target: EventTarget | null, key: string): boolean =>
  (key === 'Enter' || key === 'Space') &&
  target instanceof HTMLElement &&
  target.closest(key === 'Enter' ? `a, ${CONTROLS}` : CONTROLS) !== null;

/** A dialog has the keyboard to itself: the browser closes it on Escape. */
const isInDialog = (): boolean => document.querySelector('dialog[open]') !== null;

let first: { readonly key: string; readonly at: number } | undefined;

/** Runs the action that a key press means, or lets it wait for the screen it is meant for. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const { target } = event;
  const isUsed = isField(target) || isInDialog() || isUsedByControl(target, keyOf(event));
  if (!isHeld(event, isUsed)) runKey(event);
}

/** Runs the action that a key press means. */
export function runKey(event: KeyboardEvent): void {
  const key = keyOf(event);
  const pressed = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : key;
  first = undefined;
  const actions = usable(event, key);
  const action = actions.find(({ keys }) => keys?.includes(pressed));
  if (action) {
    event.preventDefault();
    action.run(event);
  } else if (actions.some(({ keys }) => keys?.some((each) => each.startsWith(`${key} `))))
    first = { key, at: event.timeStamp };
}

function usable(event: KeyboardEvent, key: string): readonly Action[] {
  const { target } = event;
  const inField = isField(target);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const isSingle = isPlain && [...key.replace('Shift+', '')].length === 1;
  const inDialog = isInDialog();
  return currentActions().filter((action) => {
    if (action.isEnabled?.() === false) return false;
    if (action.inFields) return true;
    if (inDialog || isUsedByControl(target, key)) return false;
    if (inField) return false;
    return !isSingle || hasSingleKeys.value;
  });
}
