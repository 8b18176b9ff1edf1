import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/shares.ts';
import { Icon } from '../../ui/icon.tsx';
import { useId } from '../../ui/use-id.ts';

export interface SharePanelProps {
  readonly title: string;
  /** Read after the title: a name. */
  readonly subject?: string;
  readonly close: string;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
  /** What is typed into first. */
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
  readonly onSubmit?: () => void;
}

/** The panel beside the links. Its heading, or the field that it is for, gets the focus when it opens. */
export function SharePanel(props: SharePanelProps) {
  const { title, subject, close, foot, children, field, onClose, onSubmit } = props;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // After the heading of the screen, whose effect runs first.
  useEffect(() => (field?.current ?? heading.current)?.focus({ preventScroll: true }), []);
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <aside class="panel" aria-labelledby={id}>
      <form class="contents" noValidate onSubmit={submit}>
        <div class="panel-bar">
          <h2 id={id} class="grow" tabIndex={-1} ref={heading}>
            {title}
            {subject !== undefined && (
              <>
                {' '}
                <bdi>{subject}</bdi>
              </>
            )}
          </h2>
          <button type="button" class="tool small" aria-label={close} onClick={onClose}>
            <Icon name="x" small />
          </button>
        </div>
        <div class="scroll" tabIndex={0} role="region" aria-label={t().shares.panelContent}>
          <div class="panel-in form">{children}</div>
        </div>
        {foot && <div class="panel-foot">{foot}</div>}
      </form>
    </aside>
  );
}

/** Moves the focus to the first field that is wrong. */
export function focusWrong(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('.panel [aria-invalid="true"]')?.focus(),
  );
}
