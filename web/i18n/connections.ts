import { loadTexts } from './load-texts.ts';
import type { ConnectionsText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly connections: ConnectionsText }>({
  en: () => import('./en/connections.ts'),
  de: () => import('./de/connections.ts'),
  fr: () => import('./fr/connections.ts'),
  es: () => import('./es/connections.ts'),
  ru: () => import('./ru/connections.ts'),
  zh: () => import('./zh/connections.ts'),
});
