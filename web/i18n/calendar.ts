import { loadTexts } from './load-texts.ts';
import type { CalendarText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly calendar: CalendarText }>({
  en: () => import('./en/calendar.ts'),
  de: () => import('./de/calendar.ts'),
  fr: () => import('./fr/calendar.ts'),
  es: () => import('./es/calendar.ts'),
  ru: () => import('./ru/calendar.ts'),
  zh: () => import('./zh/calendar.ts'),
});
