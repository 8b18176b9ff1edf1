import { loadTexts } from './load-texts.ts';
import type { SharesText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly shares: SharesText }>({
  en: () => import('./en/shares.ts'),
  de: () => import('./de/shares.ts'),
  fr: () => import('./fr/shares.ts'),
  es: () => import('./es/shares.ts'),
  ru: () => import('./ru/shares.ts'),
  zh: () => import('./zh/shares.ts'),
});
