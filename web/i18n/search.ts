import { loadTexts } from './load-texts.ts';
import type { Messages } from './messages.ts';

/** The messages of the first page and those of the search and the palette. */
export const t = await loadTexts<Pick<Messages, 'search'>>({
  en: () => import('./en/search.ts'),
  de: () => import('./de/search.ts'),
  fr: () => import('./fr/search.ts'),
  es: () => import('./es/search.ts'),
  ru: () => import('./ru/search.ts'),
  zh: () => import('./zh/search.ts'),
});
