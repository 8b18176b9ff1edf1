import { useEffect, useState } from 'preact/hooks';
import { keyOf } from '../../keys/keyboard.ts';
import { lockZone } from '../../state/zone.ts';

export const LOCK_KEY = 'Shift+Escape';
const BLUR_MS = 10_000;

const isFileField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'file';

/** The prompt may open a window of its own: that of a password manager. */
const isPinPrompted = (): boolean => document.querySelector('dialog[open] .pin-input') !== null;

/** Locks the zone when the owner leaves the window. Returns whether what is shown has to be covered. */
export function useGuard(): boolean {
  const [isCovered, setCovered] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The chooser of files takes the focus away, but the owner is still here.
    let isChoosing = false;
    const blur = () => {
      // The focus has gone into a frame of the app.
      if (isChoosing || isPinPrompted() || document.hasFocus()) return;
      setCovered(true);
      clearTimeout(timer);
      timer = setTimeout(() => void lockZone(), BLUR_MS);
    };
    const focus = () => {
      isChoosing = false;
      clearTimeout(timer);
      setCovered(false);
    };
    const click = ({ target }: Event) => {
      if (isFileField(target)) isChoosing = true;
    };
    // Some choosers do not take the focus away, so that it does not come back either.
    const chosen = ({ target }: Event) => {
      if (isFileField(target)) isChoosing = false;
    };
    // Before fields and dialogs, which use Escape themselves.
    const key = (event: KeyboardEvent) => {
      if (keyOf(event) !== LOCK_KEY) return;
      event.preventDefault();
      event.stopPropagation();
      void lockZone();
    };
    addEventListener('keydown', key, { signal, capture: true });
    addEventListener('blur', blur, { signal });
    addEventListener('focus', focus, { signal });
    addEventListener('click', click, { signal, capture: true });
    addEventListener('change', chosen, { signal, capture: true });
    addEventListener('cancel', chosen, { signal, capture: true });
    addEventListener('pagehide', () => void lockZone(true), { signal });
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState === 'hidden') void lockZone(true);
      },
      { signal },
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, []);
  return isCovered;
}
