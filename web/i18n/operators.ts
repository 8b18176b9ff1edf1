import { loadTexts } from './load-texts.ts';
import type { OperatorsText } from './messages.ts';

/** The messages of the first page and those of this screen. */
export const t = await loadTexts<{ readonly operators: OperatorsText }>({
  en: () => import('./en/operators.ts'),
  de: () => import('./de/operators.ts'),
  fr: () => import('./fr/operators.ts'),
  es: () => import('./es/operators.ts'),
  ru: () => import('./ru/operators.ts'),
  zh: () => import('./zh/operators.ts'),
});
