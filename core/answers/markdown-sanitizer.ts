import type { CitationMarker, Unit } from './stages.ts';
import { LEADING } from './strip-links.ts';

/** Maximum number of digits in brackets. */
const MAX_NUMBER_LENGTH = 40;
/** Characters of an e-mail address before its @. */
const LOCAL = /^[\w.!#$%&'*+/=?^`{|}~-]$/;
const MAX_LOCAL_PART_LENGTH = 64;
/** After `<` these begin a tag, a comment or an address. */
const TAG = /^[a-z/!?]$/i;

/**
 * The last stage: emits text in which a Markdown renderer finds no link, image, definition or HTML. Of numbers in
 * brackets only citation markers remain; others are put in parentheses.
 *
 * - No `]` is followed by `(`, nor by `:` if it could end the label of a definition.
 * - No `<` is followed by the beginning of a tag or an address.
 */
export function sanitizeMarkdown(write: (text: string, cited?: CitationMarker) => void): {
  push(unit: Unit): void;
  end(): void;
} {
  /** `[` or `<` with the following characters, until it is recognised as a number or an address. */
  let held = '';
  let last = '';
  let escaped = false;
  let leads = true;
  /** Inside brackets that may be the label of a definition, and immediately after them. */
  let label = false;
  let labelled = false;

  function put(unit: string): void {
    if (last === ']' && (unit === '(' || (unit === ':' && labelled))) write(' ');
    labelled = unit === ']' && !escaped && label;
    if (unit === '[' && !escaped) label = leads;
    else if (labelled) label = false;
    escaped = unit === '\\' && !escaped;
    leads = unit === '\n' || (leads && LEADING.test(unit));
    last = unit;
    write(unit);
  }

  function putAll(units: string): void {
    for (const unit of units.split('')) put(unit);
  }

  function release(before = ''): void {
    const units = held;
    held = '';
    if (units !== '') putAll(units.charAt(0) + before + units.slice(1));
  }

  function text(unit: string): void {
    if (held.startsWith('[')) {
      if (/^\d$/.test(unit) && held.length <= MAX_NUMBER_LENGTH) return void (held += unit);
      if (unit === ']' && held.length > 1) {
        held = `(${held.slice(1)})`;
        return release();
      }
      release();
    } else if (held !== '') {
      if (held === '<' && TAG.test(unit)) release(' ');
      else if (LOCAL.test(unit) && held.length <= MAX_LOCAL_PART_LENGTH) return void (held += unit);
      else release(unit === '@' || held.length > MAX_LOCAL_PART_LENGTH ? ' ' : '');
    }
    if (unit === '[' || unit === '<') held = unit;
    else put(unit);
  }

  return {
    push(unit) {
      if (typeof unit === 'string') return text(unit);
      release();
      if (escaped) put(' ');
      const marker = `[${unit.index}]`;
      putAll(marker.slice(0, 1));
      putAll(marker.slice(1));
      write('', unit);
    },
    end: () => release(),
  };
}
