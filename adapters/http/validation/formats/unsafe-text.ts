import { valueError, type Detail, type Loc } from '../detail.ts';

/** What a text holds that no database of ours takes: refused at the edge, alike for all of them. */
export function unsafeText(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  return text.isWellFormed() ? undefined : 'an unpaired surrogate';
}

/** Parsed from valid UTF-8, a text can only hold either of them where the source escapes it. */
const ESCAPED = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * The faults of every text in a parsed body, of known and unknown fields alike, in the order of reading; a key is
 * complained of at the object that has it. Stops at `most`.
 */
export function unsafeTexts(source: string, body: unknown, most: number): readonly Detail[] {
  const faults: Detail[] = [];
  const visit = (value: unknown, loc: Loc): void => {
    if (faults.length >= most) return;
    if (typeof value === 'string') {
      const why = unsafeText(value);
      if (why !== undefined) faults.push(valueError(loc, `the text holds ${why}`, value));
    } else if (Array.isArray(value)) value.forEach((each, i) => visit(each, [...loc, i]));
    else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value);
      const why = entries.map(([key]) => unsafeText(key)).find((found) => found !== undefined);
      if (why !== undefined) faults.push(valueError(loc, `a key holds ${why}`, value));
      else for (const [key, each] of entries) visit(each, [...loc, key]);
    }
  };
  if (ESCAPED.test(source)) visit(body, ['body']);
  return faults;
}
