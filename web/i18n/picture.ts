import { loadTexts } from './load-texts.ts';
import type { PictureText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly picture: PictureText }>({
  en: () => import('./en/picture.ts'),
  de: () => import('./de/picture.ts'),
  fr: () => import('./fr/picture.ts'),
  es: () => import('./es/picture.ts'),
  ru: () => import('./ru/picture.ts'),
  zh: () => import('./zh/picture.ts'),
});
