import { signal } from '@preact/signals';
import type { FirstMessages } from './messages.ts';
// Every language needs it: as a part of the initial script it costs no request of its own.
import './plural.ts';
import type { Language } from './plural.ts';

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly messages: FirstMessages }>>> = {
  en: () => import('./en/index.ts'),
  de: () => import('./de/index.ts'),
  fr: () => import('./fr/index.ts'),
  es: () => import('./es/index.ts'),
  ru: () => import('./ru/index.ts'),
  zh: () => import('./zh/index.ts'),
};

export const LANGUAGES = Object.keys(LOADERS) as readonly Language[];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ru: 'Русский',
  zh: '中文',
};

export const language = signal<Language>('en');
const current = signal<FirstMessages | undefined>(undefined);
const loaded = Promise.withResolvers<void>();

/** The messages of the chosen language. A component that reads them is rendered again when it changes. */
export function t(): FirstMessages {
  if (!current.value) throw new Error('Messages were read before a language was loaded.');
  return current.value;
}

/** Is fulfilled with the first language. */
export const isLanguageLoaded: Promise<void> = loaded.promise;

export const hasLanguage = (): boolean => current.peek() !== undefined;

/** The first of the browser's languages that the app has. */
export const browserLanguage = (): Language =>
  navigator.languages
    .map((tag) => tag.toLowerCase().split('-')[0])
    .find((tag): tag is Language => LANGUAGES.includes(tag as Language)) ?? 'en';

export async function setLanguage(chosen: Language): Promise<void> {
  const { messages } = await LOADERS[chosen]();
  current.value = messages;
  language.value = chosen;
  document.documentElement.lang = chosen;
  loaded.resolve();
}

/** Begins to load a language that is likely to be set. A failure is reported when it is set. */
export function preloadLanguage(likely: Language): void {
  LOADERS[likely]().catch(() => undefined);
}
