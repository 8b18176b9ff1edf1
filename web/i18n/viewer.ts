import { loadTexts } from './load-texts.ts';
import type { Messages } from './messages.ts';

/** The messages of the first page and those of the viewer and the editor. */
export const t = await loadTexts<Pick<Messages, 'viewer'>>({
  en: () => import('./en/viewer.ts'),
  de: () => import('./de/viewer.ts'),
  fr: () => import('./fr/viewer.ts'),
  es: () => import('./es/viewer.ts'),
  ru: () => import('./ru/viewer.ts'),
  zh: () => import('./zh/viewer.ts'),
});
