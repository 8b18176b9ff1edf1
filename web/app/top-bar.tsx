import { t } from '../i18n/language.ts';
import { me } from '../state/session.ts';
import { Icon } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { to } from './address.ts';
import { openAddMenu } from './add-menu.tsx';
import { Bell } from './bell.tsx';
import { SearchField } from './search-field.tsx';

export const TopBar = () => (
  <header class="top">
    <a class="brand" href={to('/library')}>
      <Icon name="logo" />
      <span>{t().shell.product}</span>
    </a>
    <SearchField />
    <div class="tools">
      <button type="button" class="button strong wide" onClick={openAddMenu}>
        <Icon name="plus" />
        {t().shell.add}
      </button>
      <Bell />
      <AccountMenu name={me.value?.owner.name ?? ''} />
    </div>
  </header>
);
