import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/language.ts';

const MAX_SHOWN = 99;

/** The number of unread notifications at the icon that leads to them. Nothing for none. */
export const UnreadCount = ({ count }: { count: number | undefined }) =>
  count ? (
    <>
      <span class="count" aria-hidden="true">
        {count > MAX_SHOWN ? `${formatNumber(MAX_SHOWN)}+` : formatNumber(count)}
      </span>
      <span class="vh">{t().shell.unread(count)}</span>
    </>
  ) : null;
