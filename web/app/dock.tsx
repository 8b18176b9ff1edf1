import { useLocation } from 'preact-iso';
import { unread } from '../data/unread.ts';
import { t } from '../i18n/language.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { UnreadCount } from '../ui/unread-count.tsx';
import { ROOT, to } from './address.ts';
import { PLACES, type Place } from './navigation.ts';
import { openAddMenu } from './add-menu.tsx';

type Id = Place['id'];

const FIRST: readonly Id[] = ['library', 'ask'];
const MORE: readonly Id[] = ['agent', 'shares', 'notifications', 'trash', 'settings'];

/** The navigation of phones, at the thumb. What has no tab of its own is behind More. */
export function Dock() {
  const path = useLocation().path.slice(ROOT.length) || '/';
  const links = (ids: readonly Id[]) =>
    PLACES.filter(({ id }) => ids.includes(id)).map(({ id, path: place, icon, covers }) => (
      <a key={id} href={to(place)} aria-current={covers.test(path) ? 'page' : undefined}>
        <Icon name={icon} />
        <span>
          {id === 'notifications' && unread.value
            ? t().shell.unread(unread.value)
            : t().shell.places[id]}
        </span>
      </a>
    ));
  const isMore = PLACES.some(({ id, covers }) => MORE.includes(id) && covers.test(path));
  return (
    <nav class="dock" aria-label={t().shell.workspace}>
      {links(FIRST)}
      <button type="button" class="add" onClick={openAddMenu}>
        <Icon name="plus" />
        <span class="vh">{t().shell.add}</span>
      </button>
      {links(['calendar'])}
      <Menu
        class=""
        isCurrent={isMore}
        button={
          <>
            <Icon name="more" />
            <span>{t().shell.more}</span>
            <UnreadCount count={unread.value} />
          </>
        }
      >
        {links(MORE)}
      </Menu>
    </nav>
  );
}
