import { loadTexts } from './load-texts.ts';
import type { RolesText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly roles: RolesText }>({
  en: () => import('./en/roles.ts'),
  de: () => import('./de/roles.ts'),
  fr: () => import('./fr/roles.ts'),
  es: () => import('./es/roles.ts'),
  ru: () => import('./ru/roles.ts'),
  zh: () => import('./zh/roles.ts'),
});
