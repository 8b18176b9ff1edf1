import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useId } from './use-id.ts';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The buttons; the last one does what the dialog is for. */
  readonly foot?: ComponentChildren;
  readonly wide?: boolean;
  /** On Escape, on the back gesture, and on a press beside it. */
  readonly onClose: () => void;
  readonly onSubmit?: () => void;
}

/** A native modal dialog: the platform moves the focus in, keeps it there and gives it back. */
export function Dialog({ title, children, foot, wide, onClose, onSubmit }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything else is typed or pressed.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog${wide ? ' wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <div class="dialog-in">
          <h2 id={id}>{title}</h2>
          {children}
        </div>
        {foot && <div class="dialog-foot">{foot}</div>}
      </form>
    </dialog>
  );
}
