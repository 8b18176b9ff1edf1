import { loadTexts } from './load-texts.ts';
import type { BotsText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly bots: BotsText }>({
  en: () => import('./en/bots.ts'),
  de: () => import('./de/bots.ts'),
  fr: () => import('./fr/bots.ts'),
  es: () => import('./es/bots.ts'),
  ru: () => import('./ru/bots.ts'),
  zh: () => import('./zh/bots.ts'),
});
