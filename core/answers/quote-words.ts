import { plainForm, withoutAccents, type Stretch } from '../text/index.ts';

/** A word as quotations are compared by: without case, accents, width and punctuation. */
export interface Word extends Stretch {
  readonly plain: string;
}

/**
 * Letters of scripts without spaces are words of their own. A figure keeps its separators: 5 is not found in 1.5. An
 * apostrophe does not part a word, nor does what can not be seen.
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
    plain: withoutAccents(plainForm(raw.replaceAll(UNSEEN, ''))).replaceAll(SEPARATOR, '.'),
  }));
