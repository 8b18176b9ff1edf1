import { loadTexts } from './load-texts.ts';
import type { NotificationsText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly notificationsText: NotificationsText }>({
  en: () => import('./en/notifications.ts'),
  de: () => import('./de/notifications.ts'),
  fr: () => import('./fr/notifications.ts'),
  es: () => import('./es/notifications.ts'),
  ru: () => import('./ru/notifications.ts'),
  zh: () => import('./zh/notifications.ts'),
});
