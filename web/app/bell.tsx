import { useRef, useState } from 'preact/hooks';
import { unread } from '../data/unread.ts';
import { t } from '../i18n/language.ts';
import { Icon } from '../ui/icon.tsx';
import { Island } from '../ui/island.tsx';
import { lazily } from '../ui/lazily.tsx';
import { UnreadCount } from '../ui/unread-count.tsx';
import { useId } from '../ui/use-id.ts';
import { withStyles } from './style-sheet.ts';

const Latest = lazily(() =>
  withStyles(import('../screens/notifications/latest.tsx'), 'notifications'),
);

/** The number of unread notifications, and the latest ones in a popover. */
export function Bell() {
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => ref.current?.hidePopover();
  return (
    <>
      <button type="button" class="tool wide" popovertarget={id}>
        <Icon name="bell" />
        {!unread.value && <span class="vh">{t().shell.places.notifications}</span>}
        <UnreadCount count={unread.value} />
      </button>
      <div
        id={id}
        ref={ref}
        popover="auto"
        class="menu"
        role="dialog"
        aria-label={t().shell.places.notifications}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {/* Nothing of it remains when the hidden zone locks. */}
        {isOpen && <Island of={Latest} props={{ close }} />}
      </div>
    </>
  );
}
