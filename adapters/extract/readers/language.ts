import { eld } from 'eld/small';
import { languageWindows } from '../language-sample.ts';
import { functionWordShares, isAnalysed } from './function-words.ts';
import { scriptOf } from './scripts.ts';

/** The language most of the text is written in, as its ISO 639-1 code; '' when it cannot be told. */
export function languageOf(text: string): string {
  const votes = new Map<string, number>();
  for (const window of languageWindows(text)) {
    const found = ofWindow(window.normalize('NFC'));
    if (found !== '') votes.set(found, (votes.get(found) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** By the script where that is enough: it never errs, and two letters will do. */
function ofWindow(text: string): string {
  const { script, letters } = scriptOf(text);
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

/** Letters that others of these languages lack, else Russian, unless there is enough text to be sure of another. */
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

/** Fewer letters are told by function words, or not at all. */
const FEWEST_LETTERS = 8;
/** From here on, letters are enough by themselves. */
const PLENTY = 80;
/** What it adds to a score between 0 and 1 that the analyser has stems of a language, and if all words were its function words. */
const ANALYSED = 0.06;
const FUNCTION_WORDS = 0.4;
const LEAST_SCORE = 0.4;
/** By which a score has to be ahead in a text of a few words. */
const LEAD = 0.01;

/** The shorter a text, the likelier it is in a language that is asked for, and the more its function words tell. */
function latin(text: string, letters: number): string {
  const found = eld.detect(text);
  if (letters >= PLENTY) return found.isReliable() ? isoCode(found.language) : '';
  const shares = functionWordShares(text);
  if (letters < FEWEST_LETTERS && shares.size === 0) return '';
  const scores = Object.entries(found.getScores()).map(([language, score]) => {
    if (!isAnalysed(language)) return { language, score };
    const share = shares.get(language) ?? 0;
    return { language, score: score + ANALYSED + FUNCTION_WORDS * share };
  });
  const [first, second] = scores.sort((a, b) => b.score - a.score);
  if (first === undefined || first.score < LEAST_SCORE) return '';
  const lead = first.score - (second?.score ?? 0);
  return letters < ENOUGH_LETTERS && lead < LEAD ? '' : isoCode(first.language);
}

const isoCode = (language: string): string => (language.length === 2 ? language : '');
