import type { ComponentChildren } from 'preact';
import { t } from '../../i18n/agent.ts';
import { Icon } from '../../ui/icon.tsx';

interface UndecidedProps {
  /** By this device's clock. Before this, a missing confirmation means that it was decided on. */
  readonly decideBefore: number;
  /** The way to send the message again. */
  readonly children: ComponentChildren;
}

/** The time is over, or it was decided on elsewhere and the reply is not there yet. */
export const Undecided = ({ decideBefore, children }: UndecidedProps) => {
  const { agent } = t();
  const isDecided = decideBefore > Date.now();
  return (
    <p class="state wait undecided" role="status">
      <Icon name="clock" />
      <span>{isDecided ? agent.decidedElsewhere : [agent.undecided, ' ', children]}</span>
    </p>
  );
};
