import { loadTexts } from './load-texts.ts';
import type { Messages } from './messages.ts';

/** The messages of the first page and those of tidying up. */
export const t = await loadTexts<Pick<Messages, 'tidy'>>({
  en: () => import('./en/tidy.ts'),
  de: () => import('./de/tidy.ts'),
  fr: () => import('./fr/tidy.ts'),
  es: () => import('./es/tidy.ts'),
  ru: () => import('./ru/tidy.ts'),
  zh: () => import('./zh/tidy.ts'),
});
