import { useEffect, useRef, useState } from 'preact/hooks';
import { formatSize } from '../i18n/format.ts';
import { t } from '../i18n/language.ts';
import { Icon } from '../ui/icon.tsx';
import { isRunning, items, totals, type UploadItem } from './items.ts';
import { roomLeft } from './limits.ts';
import { leaveOut, pauseAll, resumeAll } from './queue-controls.ts';
import { leftOver } from './queue.ts';
import { TrayRow } from './tray-row.tsx';
import { useId } from '../ui/use-id.ts';

/** More would not be looked at. What runs and what needs the owner comes first. */
const MAX_ROWS = 40;
const ORDER: Readonly<Record<UploadItem['state'], number>> = {
  failed: 0,
  'needs-file': 0,
  duplicate: 1,
  checking: 2,
  sending: 2,
  waiting: 2,
  paused: 3,
  queued: 4,
  done: 5,
};

/** The queue of uploads: at the lower right, on phones a strip above the navigation. */
export default function Tray() {
  const id = useId();
  const [isFolded, setFolded] = useState(false);
  // On phones: whether the strip was opened.
  const [isShown, setShown] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const wasShown = useRef(false);
  useEffect(() => {
    if (isShown && !wasShown.current) list.current?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  const { all } = totals.value;
  if (all === 0) return null;
  const rows = items.value.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]);
  return (
    <div class={`tray-place${isShown ? ' open' : ''}`}>
      <Strip isShown={isShown} onToggle={() => setShown(!isShown)} />
      <section class="tray" aria-labelledby={id}>
        <div class="tray-head">
          <h2 id={id}>
            <Heading />
          </h2>
          <Head />
          <button
            type="button"
            class="tool small only-wide"
            aria-expanded={!isFolded}
            aria-label={isFolded ? t().uploads.unfold : t().uploads.fold}
            onClick={() => setFolded(!isFolded)}
          >
            <Icon name={isFolded ? 'up' : 'down'} small />
          </button>
        </div>
        {!isFolded && (
          <ul ref={list} tabIndex={-1} aria-label={t().uploads.all}>
            {rows.slice(0, MAX_ROWS).map((item) => (
              <TrayRow key={item.id} item={item} />
            ))}
            {rows.length > MAX_ROWS && (
              <li class="soft">{t().uploads.more(rows.length - MAX_ROWS)}</li>
            )}
            {roomLeft.value !== undefined && (
              <li class="soft">{t().uploads.roomLeft(formatSize(roomLeft.value))}</li>
            )}
            {leftOver.value > 0 && <li class="soft">{t().uploads.tooMany(leftOver.value)}</li>}
          </ul>
        )}
      </section>
    </div>
  );
}

const Heading = () => {
  const { all, running, paused, done } = totals.value;
  const { uploads } = t();
  if (running + paused > 0) return <>{uploads.adding(all)}</>;
  return <>{done === all ? uploads.added(done) : uploads.title}</>;
};

/** How many are in, and what can be done with all of them. */
function Head() {
  const { uploads } = t();
  const { all, done, running, paused } = totals.value;
  return (
    <>
      <span class="soft num grow">{done > 0 && done < all && uploads.areIn(done)}</span>
      {running > 0 && (
        <button type="button" class="button plain small" onClick={pauseAll}>
          {uploads.pauseAll}
        </button>
      )}
      {running === 0 && paused > 0 && (
        <button type="button" class="button plain small" onClick={resumeAll}>
          {uploads.resumeAll}
        </button>
      )}
      {running === 0 && (
        <button
          type="button"
          class="tool small"
          aria-label={paused > 0 ? uploads.leaveOutAll : t().shell.close}
          onClick={() =>
            leaveOut(
              items
                .peek()
                .filter((each) => !isRunning(each))
                .map(toId),
            )
          }
        >
          <Icon name="x" small />
        </button>
      )}
    </>
  );
}

const toId = ({ id }: UploadItem): string => id;

function Strip({ isShown, onToggle }: { isShown: boolean; onToggle: () => void }) {
  const { uploads } = t();
  const { all, done, sent, size } = totals.value;
  return (
    <section class="tray-strip" aria-label={uploads.all}>
      <div class="pair">
        <b>
          <Heading />
        </b>
        <span class="soft num">{done > 0 && done < all && uploads.areIn(done)}</span>
        <button type="button" class="act" aria-expanded={isShown} onClick={onToggle}>
          {isShown ? t().shell.close : uploads.show}
        </button>
      </div>
      <progress max={Math.max(size, 1)} value={size === 0 ? 1 : sent} aria-label={uploads.all} />
    </section>
  );
}
