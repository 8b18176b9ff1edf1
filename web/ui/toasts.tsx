import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { onLock } from '../state/zone-token.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 8_000;
const MAX_TOASTS = 3;

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Takes back what the toast reports. */
  readonly undo?: () => void;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Reports what succeeded, and failures that have no place of their own any more. Others are shown where they happened. */
export function toast(text: string, undo?: () => void): void {
  const added: Toast = { id: ++lastId, text, ...(undo && { undo }) };
  toasts.value = [...toasts.value, added].slice(-MAX_TOASTS);
}

const remove = (id: number): void => {
  toasts.value = toasts.value.filter((each) => each.id !== id);
};

/** Removes all of them, such as when the hidden zone locks. */
export const clearToasts = (): void => {
  toasts.value = [];
};

onLock(clearToasts);

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map((each) => (
      <ToastItem key={each.id} {...each} />
    ))}
  </div>
);

/** Goes after a while, which does not pass while it has the focus or the pointer. */
function ToastItem({ id, text, undo }: Toast) {
  const paused = useRef(false);
  useEffect(() => {
    let left = SHOWN_MS;
    const timer = setInterval(() => {
      if (!paused.current) left -= 500;
      if (left <= 0) remove(id);
    }, 500);
    return () => clearInterval(timer);
  }, [id]);
  const pause = (isPaused: boolean) => () => void (paused.current = isPaused);
  return (
    <div
      class="toast"
      onPointerEnter={pause(true)}
      onPointerLeave={pause(false)}
      onFocusIn={pause(true)}
      onFocusOut={pause(false)}
    >
      <span class="grow">{text}</span>
      {undo && (
        <button
          type="button"
          class="act"
          onClick={() => {
            remove(id);
            undo();
          }}
        >
          {t().shell.undo}
        </button>
      )}
      <button
        type="button"
        class="tool small"
        aria-label={t().shell.dismiss}
        onClick={() => remove(id)}
      >
        <Icon name="x" small />
      </button>
    </div>
  );
}
