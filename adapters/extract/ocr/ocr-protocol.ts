import type { LanguageData } from './languages.ts';

/** Recognises the text of one page, whose pixels follow, one byte each, from black to white. */
export interface OcrJob {
  readonly size: number;
  readonly width: number;
  readonly height: number;
  /** The same for every job of one process. */
  readonly languages: readonly LanguageData[];
  /** The located words as JSON, instead of the text. */
  readonly want?: 'words';
}

/** The text, or the words, follow as a payload, if there are any. */
export interface OcrResult {
  readonly outcome: 'page';
}

export function parseOcr(value: unknown): OcrResult {
  if ((value as Partial<Record<string, unknown>>)['outcome'] !== 'page')
    throw new TypeError('Not a page.');
  return { outcome: 'page' };
}
