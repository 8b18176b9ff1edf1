import { loadTexts } from './load-texts.ts';
import type { OwnKeysText } from './messages.ts';

/** The messages of the first page and those of keys that are changed. */
export const t = await loadTexts<{ readonly ownKeys: OwnKeysText }>({
  en: () => import('./en/own-keys.ts'),
  de: () => import('./de/own-keys.ts'),
  fr: () => import('./fr/own-keys.ts'),
  es: () => import('./es/own-keys.ts'),
  ru: () => import('./ru/own-keys.ts'),
  zh: () => import('./zh/own-keys.ts'),
});
