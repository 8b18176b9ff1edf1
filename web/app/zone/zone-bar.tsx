import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/language.ts';
import { useActions } from '../../keys/action.ts';
import { lockZone, type OpenZone } from '../../state/zone.ts';
import { Icon } from '../../ui/icon.tsx';
import { clock, useSecondsUntil } from './clock.ts';
import { LOCK_KEY, useGuard } from './guard.ts';
import PinDialog from './pin-dialog.tsx';

const WARN_SECONDS = 60;

const lock = (): void => void lockZone();

/** Says that the hidden zone is open, and for how long. It locks the zone when its time is up. */
export default function ZoneBar({ zone }: { zone: OpenZone }) {
  const { hidden } = t();
  const left = useSecondsUntil(zone.endsAt, lock);
  const [isStaying, setStaying] = useState(false);
  const isCovered = useGuard();
  useActions(
    useMemo(
      () => [
        {
          id: 'lock',
          group: 'everywhere' as const,
          label: () => t().hidden.lockZone,
          keys: [LOCK_KEY],
          inFields: true as const,
          run: lock,
        },
      ],
      [],
    ),
  );
  const isEnding = left <= WARN_SECONDS;
  return (
    <section class="zone-bar" aria-label={hidden.zone}>
      <Icon name="eye" />
      <b>{hidden.isOpen}</b>
      <span class="soft hide-phone">{isEnding ? hidden.closesSoon : hidden.onlyHere}</span>
      <div class="end">
        <span class="num" role="timer" aria-label={hidden.timeLeft}>
          {clock(left)}
        </span>
        <progress class="hide-phone" max={zone.seconds} value={left} aria-label={hidden.timeLeft} />
        {isEnding && (
          <button type="button" class="button small" onClick={() => setStaying(true)}>
            {hidden.stay}
          </button>
        )}
        <button type="button" class="button small" onClick={lock}>
          <Icon name="lock" small />
          {hidden.lockNow}
        </button>
      </div>
      <p class="vh" role="alert">
        {isEnding ? hidden.closesSoon : ''}
      </p>
      {isStaying && <PinDialog isStaying onClose={() => setStaying(false)} />}
      {isCovered && <Veil />}
    </section>
  );
}

/** Covers everything, also dialogs: it is in the top layer. */
function Veil() {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.showPopover(), []);
  return <div ref={ref} popover="manual" class="veil zone-veil" />;
}
