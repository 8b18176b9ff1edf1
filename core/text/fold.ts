/** Letters without a Unicode decomposition. */
const SINGLE: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ł: 'l',
    ħ: 'h',
    ı: 'i',
    þ: 'th',
    ς: 'σ',
  }),
);
const SINGLES = new RegExp(`[${[...SINGLE.keys()].join('')}]`, 'g');

/** Accents, and the vowel points of Hebrew and Arabic. Marks that spell a sound, as in Hindi or Japanese, remain. */
const ACCENTS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;
const ASCII = /^[\0-\x7f]*$/;
const SHORT_I = /\u0438\u0306/g;

/** Compatibility forms unified (NFKC) and in lower case; accents remain. */
export const normalizeCase = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase().normalize('NFC');

/** Removes accents from a normal form: é becomes e and ё becomes е, but й remains, since it is a separate letter. */
export function withoutAccents(plain: string): string {
  if (ASCII.test(plain)) return plain;
  return plain
    .normalize('NFD')
    .replace(SHORT_I, 'й')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(SINGLES, (letter) => SINGLE.get(letter) ?? letter);
}

const UMLAUTS: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue' }),
);

/** The spelling without umlauts: Müller is also written Mueller. */
export const umlautsSpelledOut = (plain: string): string =>
  plain.replace(/[äöü]/g, (letter) => UMLAUTS.get(letter) ?? letter);
