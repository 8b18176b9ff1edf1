import { valueError, type Detail, type Loc } from '../detail.ts';

/** Characters that the supported databases do not store. They are rejected at the edge, with all databases alike. */
export function unsafeText(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  return text.isWellFormed() ? undefined : 'an unpaired surrogate';
}

/** A text parsed from valid UTF-8 contains either of them only if the source escapes it. */
const ESCAPED = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * The errors of every text in a parsed body, of known and unknown fields alike, in reading order. An error in a key is
 * reported at the object that has it. Stops after `most` errors.
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
