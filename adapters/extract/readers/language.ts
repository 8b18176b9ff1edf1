import { eld } from 'eld/small';
import { languageWindows } from '../language-sample.ts';
import { functionWordShares, isAnalysed } from './function-words.ts';
import { writingSystemOf } from './writing-system.ts';

/** The predominant language of the text as an ISO 639-1 code; '' if it cannot be detected. */
export function languageOf(text: string): string {
  const votes = new Map<string, number>();
  for (const window of languageWindows(text)) {
    const found = ofWindow(window.normalize('NFC'));
    if (found !== '') votes.set(found, (votes.get(found) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** By the script if that is sufficient: it is always correct, and two letters are enough. */
function ofWindow(text: string): string {
  const { script, letters } = writingSystemOf(text);
  switch (script) {
    case 'latin':
      return latin(text, letters);
    case 'cyrillic':
      return cyrillic(text, letters);
    case 'arabic':
      return letters < ENOUGH_LETTERS ? arabic(text) : sureOf(text, ARABIC) || arabic(text);
    case 'devanagari':
      return sureOf(text, DEVANAGARI) || 'hi';
    default:
      return script;
  }
}

const ENOUGH_LETTERS = 20;
const ARABIC: ReadonlySet<string> = new Set(['ar', 'fa', 'ur', 'ku']);
const DEVANAGARI: ReadonlySet<string> = new Set(['hi', 'mr']);
const CYRILLIC: ReadonlySet<string> = new Set(['ru', 'uk', 'be', 'bg', 'sr']);

function sureOf(text: string, among: ReadonlySet<string>): string {
  const found = eld.detect(text);
  return among.has(found.language) && found.isReliable() ? found.language : '';
}

const arabic = (text: string): string =>
  /[ٹڈڑںے]/.test(text) ? 'ur' : /[پچژگیک]/.test(text) ? 'fa' : 'ar';

/** By letters that the other languages lack, else Russian, unless there is enough text for another result. */
function cyrillic(text: string, letters: number): string {
  if (letters >= ENOUGH_LETTERS) {
    const found = sureOf(text, CYRILLIC);
    if (found !== '') return found;
  }
  if (/[ў]/i.test(text)) return 'be';
  if (/[ыэё]/i.test(text)) return /і/i.test(text) ? 'be' : 'ru';
  if (/[іїєґ]/i.test(text)) return 'uk';
  if (/ъ(?![еёюя])/i.test(text)) return 'bg';
  if (/[јљњћђџ]/i.test(text)) return 'sr';
  return 'ru';
}

/** With fewer letters, only function words are considered. */
const MIN_LETTERS = 8;
/** From this number on, letters alone are sufficient. */
const PLENTY = 80;
/** Bonus on a score between 0 and 1 for a language with a stemmer, and for a text of function words only. */
const ANALYSED = 0.06;
const FUNCTION_WORDS = 0.4;
const MIN_SCORE = 0.4;
/** Required lead of the best score in a text of a few words. */
const LEAD = 0.01;

/** The shorter a text, the more likely is a supported language, and the more weight its function words have. */
function latin(text: string, letters: number): string {
  const found = eld.detect(text);
  if (letters >= PLENTY) return found.isReliable() ? isoCode(found.language) : '';
  const shares = functionWordShares(text);
  if (letters < MIN_LETTERS && shares.size === 0) return '';
  const scores = Object.entries(found.getScores()).map(([language, score]) => {
    if (!isAnalysed(language)) return { language, score };
    const share = shares.get(language) ?? 0;
    return { language, score: score + ANALYSED + FUNCTION_WORDS * share };
  });
  const [first, second] = scores.sort((a, b) => b.score - a.score);
  if (first === undefined || first.score < MIN_SCORE) return '';
  const lead = first.score - (second?.score ?? 0);
  return letters < ENOUGH_LETTERS && lead < LEAD ? '' : isoCode(first.language);
}

const isoCode = (language: string): string => (language.length === 2 ? language : '');
