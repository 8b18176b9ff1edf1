import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../../ui/icon.tsx';

export interface StepProps {
  readonly icon: IconName;
  readonly title: string;
  readonly isDone?: boolean;
  readonly text: ComponentChildren;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}

/** One step of the first minutes. A tick stands for its icon when it is done. */
export const Step = ({ icon, title, isDone = false, text, children }: StepProps) => (
  <li class={isDone ? 'did' : undefined} data-done={isDone}>
    <Icon name={isDone ? 'check' : icon} />
    <div>
      <p>
        <b>{title}</b>
        {text}
      </p>
      {children}
    </div>
  </li>
);
