import { computed, effect, signal } from '@preact/signals';
import { isLanguageLoaded, language, t } from './language.ts';
import type { FirstMessages } from './messages.ts';
import type { Language } from './plural.ts';

/**
 * Loads texts that only some screens need, and again whenever the language changes. Returns the `t` of these screens.
 * Only modules that are loaded with such a screen import it: the first page waits for none of these texts.
 */
export async function loadTexts<Texts extends object>(
  loaders: Readonly<Record<Language, () => Promise<Texts>>>,
): Promise<() => FirstMessages & Texts> {
  // A screen may be loading before the owner's language is known.
  await isLanguageLoaded;
  const texts = await loaders[language.peek()]().then((loaded) => signal(loaded));
  effect(() => {
    const chosen = language.value;
    void loaders[chosen]().then((loaded) => {
      if (language.peek() === chosen) texts.value = loaded;
    });
  });
  const all = computed(() => ({ ...t(), ...texts.value }));
  return () => all.value;
}
