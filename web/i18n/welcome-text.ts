import { loadTexts } from './load-texts.ts';
import type { WelcomeText } from './messages.ts';

const t = await loadTexts<{ readonly welcomeText: WelcomeText }>({
  en: () => import('./en/welcome-text.ts'),
  de: () => import('./de/welcome-text.ts'),
  fr: () => import('./fr/welcome-text.ts'),
  es: () => import('./es/welcome-text.ts'),
  ru: () => import('./ru/welcome-text.ts'),
  zh: () => import('./zh/welcome-text.ts'),
});

/** A component that reads them is rendered again when the language changes. */
export const welcomeText = (): WelcomeText => t().welcomeText;
