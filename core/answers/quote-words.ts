import { normalizeCase, withoutAccents, type TextRange } from '../text/index.ts';

/** Normal form of a word for comparing quotations: without case, accents, width and punctuation. */
export interface Word extends TextRange {
  readonly plain: string;
}

/**
 * Characters of scripts without spaces are separate words. A figure includes its separators: 5 does not occur in 1.5.
 * Apostrophes and invisible characters do not split a word.
 */
const WORD =
  /\p{Nd}+(?:[.,:/'’]\p{Nd}+)+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3006\u30fc\uff70]\p{M}*|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3006\u30fc\uff70])[\p{L}\p{N}][\p{M}\u00ad\u200b-\u200d\u2060\ufeff]*|(?<=\p{L}\p{M}*)['’ʼ](?=\p{L}))+/gu;
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]|['’ʼ](?!\p{Nd})/gu;
const SEPARATOR = /[.,:/'’]/g;

/** The words of a text, in order. Offsets are UTF-16 indices. */
export const wordsOf = (text: string): readonly Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: raw, index }) => ({
    start: index,
    end: index + raw.length,
    plain: withoutAccents(normalizeCase(raw.replaceAll(UNSEEN, ''))).replaceAll(SEPARATOR, '.'),
  }));
