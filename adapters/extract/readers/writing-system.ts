/** Scripts used by a single language, and those used by several. */
const SCRIPTS = [
  ['latin', /\p{sc=Latin}/gu],
  ['cyrillic', /\p{sc=Cyrillic}/gu],
  ['han', /\p{sc=Han}/gu],
  ['kana', /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ['ko', /\p{sc=Hangul}/gu],
  ['arabic', /\p{sc=Arabic}/gu],
  ['devanagari', /\p{sc=Devanagari}/gu],
  ['el', /\p{sc=Greek}/gu],
  ['he', /\p{sc=Hebrew}/gu],
  ['th', /\p{sc=Thai}/gu],
  ['hy', /\p{sc=Armenian}/gu],
  ['ka', /\p{sc=Georgian}/gu],
  ['am', /\p{sc=Ethiopic}/gu],
  ['bn', /\p{sc=Bengali}/gu],
  ['gu', /\p{sc=Gujarati}/gu],
  ['pa', /\p{sc=Gurmukhi}/gu],
  ['kn', /\p{sc=Kannada}/gu],
  ['km', /\p{sc=Khmer}/gu],
  ['lo', /\p{sc=Lao}/gu],
  ['ml', /\p{sc=Malayalam}/gu],
  ['my', /\p{sc=Myanmar}/gu],
  ['si', /\p{sc=Sinhala}/gu],
  ['ta', /\p{sc=Tamil}/gu],
  ['te', /\p{sc=Telugu}/gu],
] as const;

/** One character of these counts as about three letters. */
const DENSE: ReadonlySet<string> = new Set(['ja', 'zh', 'ko']);
const DENSITY = 3;
/** For Japanese: Chinese texts contain a の occasionally. */
const MIN_KANA_SHARE = 0.05;
const FEWEST = 2;

/** The predominant script, as a language if it is used by one only; '' below two letters. */
export function writingSystemOf(text: string): {
  readonly script: string;
  readonly letters: number;
} {
  const letters = new Map<string, number>();
  for (const [script, pattern] of SCRIPTS) letters.set(script, text.match(pattern)?.length ?? 0);
  const kana = letters.get('kana')!;
  const han = letters.get('han')!;
  letters.delete('kana');
  letters.delete('han');
  letters.set(kana > (kana + han) * MIN_KANA_SHARE ? 'ja' : 'zh', kana + han);
  const weight = ([script, count]: readonly [string, number]): number =>
    DENSE.has(script) ? count * DENSITY : count;
  const [most] = [...letters].sort((a, b) => weight(b) - weight(a));
  return most![1] < FEWEST ? { script: '', letters: 0 } : { script: most![0], letters: most![1] };
}
