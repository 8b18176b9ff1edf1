import { loadTexts } from './load-texts.ts';
import type { Messages } from './messages.ts';

/** The messages of the first page and those of questions and answers. */
export const t = await loadTexts<Pick<Messages, 'ask'>>({
  en: () => import('./en/ask.ts'),
  de: () => import('./de/ask.ts'),
  fr: () => import('./fr/ask.ts'),
  es: () => import('./es/ask.ts'),
  ru: () => import('./ru/ask.ts'),
  zh: () => import('./zh/ask.ts'),
});
