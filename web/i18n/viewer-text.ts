import { effect, signal } from '@preact/signals';
import { language } from './language.ts';
import type { ViewerText } from './messages.ts';
import type { Language } from './plural.ts';

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly viewerText: ViewerText }>>> = {
  en: () => import('./en/viewer-text.ts'),
  de: () => import('./de/viewer-text.ts'),
  fr: () => import('./fr/viewer-text.ts'),
  es: () => import('./es/viewer-text.ts'),
  ru: () => import('./ru/viewer-text.ts'),
  zh: () => import('./zh/viewer-text.ts'),
};

const current = signal((await LOADERS[language.peek()]()).viewerText);

effect(() => {
  const chosen = language.value;
  void LOADERS[chosen]().then(({ viewerText }) => {
    if (language.peek() === chosen) current.value = viewerText;
  });
});

/** A component that reads them is rendered again when the language changes. */
export const viewerText = (): ViewerText => current.value;
