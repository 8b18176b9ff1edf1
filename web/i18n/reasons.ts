import { loadTexts } from './load-texts.ts';
import type { ReasonsText } from './messages.ts';

/** The messages of the first page, and why something failed. */
export const t = await loadTexts<{ readonly reasons: ReasonsText }>({
  en: () => import('./en/reasons.ts'),
  de: () => import('./de/reasons.ts'),
  fr: () => import('./fr/reasons.ts'),
  es: () => import('./es/reasons.ts'),
  ru: () => import('./ru/reasons.ts'),
  zh: () => import('./zh/reasons.ts'),
});
