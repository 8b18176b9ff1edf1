import { loadTexts } from './load-texts.ts';
import type { DataText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly dataText: DataText }>({
  en: () => import('./en/data.ts'),
  de: () => import('./de/data.ts'),
  fr: () => import('./fr/data.ts'),
  es: () => import('./es/data.ts'),
  ru: () => import('./ru/data.ts'),
  zh: () => import('./zh/data.ts'),
});
