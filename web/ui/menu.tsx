import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useId } from './use-id.ts';

export interface MenuProps {
  /** Classes of the button. */
  readonly class?: string;
  /** The content of the button. */
  readonly button: ComponentChildren;
  /** Name of the button, where its content has none. */
  readonly label?: string;
  /** It leads to where one is. */
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

/** A button that opens a popover with choices: buttons, links or a form. The arrow keys walk through them. */
export function Menu(props: MenuProps) {
  const { class: classes = 'tool', button, label, isCurrent = false, children } = props;
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent) => {
    // Fields use the arrow keys themselves.
    if (event.target instanceof Element && event.target.matches('input, select')) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const choices = [...(ref.current?.querySelectorAll<HTMLElement>('a, button, input') ?? [])];
    if (step === 0 || choices.length === 0) return;
    event.preventDefault();
    const at = choices.indexOf(document.activeElement as HTMLElement);
    choices.at((at + step) % choices.length)?.focus();
  };
  const close = (event: Event) => {
    if (event.target instanceof Element && event.target.closest('button, a'))
      ref.current?.hidePopover();
  };
  return (
    <>
      <button
        type="button"
        class={classes}
        popovertarget={id}
        aria-haspopup="true"
        aria-label={label}
        aria-current={isCurrent ? 'true' : undefined}
      >
        {button}
      </button>
      <div id={id} ref={ref} popover="auto" class="menu" onKeyDown={walk} onClick={close}>
        {children}
      </div>
    </>
  );
}
