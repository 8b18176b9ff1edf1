import { ApiError } from '../../api/errors.ts';
import { formatTime } from '../../i18n/format.ts';
import { messageOf } from '../../i18n/errors.ts';
import { t } from '../../i18n/language.ts';
import { clock, useSecondsUntil } from './clock.ts';

export interface PinFailureProps {
  readonly id: string;
  readonly failure: unknown;
  /** Until then no PIN is tried. */
  readonly until: string | undefined;
  /** Is called when the next PIN can be tried. */
  readonly onEnd: () => void;
}

/** Why a PIN was refused, and when the next one is tried. */
export function PinFailure({ id, failure, until, onEnd }: PinFailureProps) {
  const { hidden } = t();
  const isWrong = failure instanceof ApiError && failure.code === 'wrong_pin';
  return (
    <div class="pair">
      <p id={id} role="alert">
        {until !== undefined ? (
          <span class="left-tries">{hidden.lockedUntil(formatTime(until))}</span>
        ) : (
          failure !== undefined && (
            <>
              <span class="left-tries">{isWrong ? hidden.wrongPin : messageOf(failure)}</span>{' '}
              {isWrong && hidden.afterFive}
            </>
          )
        )}
      </p>
      {until !== undefined && <Countdown key={until} until={until} onEnd={onEnd} />}
    </div>
  );
}

/** Beside the alert: that is announced once, not each second. */
const Countdown = ({ until, onEnd }: Pick<PinFailureProps, 'onEnd'> & { until: string }) => (
  <span class="num" role="timer" aria-label={t().hidden.timeLeft}>
    {clock(useSecondsUntil(Date.parse(until), onEnd))}
  </span>
);
