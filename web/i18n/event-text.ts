import { loadTexts } from './load-texts.ts';
import type { EventText } from './messages.ts';

/** The messages of the first page, and what the log of security events says of an event. */
export const t = await loadTexts<{ readonly eventText: EventText }>({
  en: () => import('./en/event-text.ts'),
  de: () => import('./de/event-text.ts'),
  fr: () => import('./fr/event-text.ts'),
  es: () => import('./es/event-text.ts'),
  ru: () => import('./ru/event-text.ts'),
  zh: () => import('./zh/event-text.ts'),
});
