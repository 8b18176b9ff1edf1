import { loadTexts } from './load-texts.ts';
import type { SettingsText } from './messages.ts';

const t = await loadTexts<{ readonly settingsText: SettingsText }>({
  en: () => import('./en/settings-text.ts'),
  de: () => import('./de/settings-text.ts'),
  fr: () => import('./fr/settings-text.ts'),
  es: () => import('./es/settings-text.ts'),
  ru: () => import('./ru/settings-text.ts'),
  zh: () => import('./zh/settings-text.ts'),
});

/** A component that reads them is rendered again when the language changes. */
export const settingsText = (): SettingsText => t().settingsText;
