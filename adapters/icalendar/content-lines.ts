import ICAL from 'ical.js';

/** A content line (RFC 5545 §3.1), unfolded. */
export interface ContentLine {
  /** Its first physical line, from 1. */
  readonly number: number;
  /** In upper case; '' if the line is invalid. */
  readonly name: string;
  readonly text: string;
}

/** What makes an event unreadable, and in which line. */
export class Unreadable extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

const NAME = /^[A-Za-z0-9_.-]+(?=[;:])/;

/** Number of physical lines read in one slice. */
const STRETCH = 2_000;

/**
 * Lines may end with CRLF, LF or CR; empty ones are skipped. Yields null from time to time, so that the consumer can
 * yield to other work.
 */
export function* contentLines(text: string): Generator<ContentLine | null> {
  const ends = /\r\n?|\n/g;
  let number = 0;
  let first = 0;
  let parts: string[] = [];
  let from = text.startsWith('\ufeff') ? 1 : 0;
  while (from <= text.length) {
    ends.lastIndex = from;
    const end = ends.exec(text);
    const line = text.slice(from, end?.index ?? text.length);
    number++;
    if (number % STRETCH === 0) yield null;
    if (parts.length > 0 && (line.startsWith(' ') || line.startsWith('\t')))
      parts.push(line.slice(1));
    else {
      if (parts.length > 0) yield lineOf(first, parts);
      first = number;
      parts = line === '' ? [] : [line];
    }
    from = end ? ends.lastIndex : Infinity;
  }
  if (parts.length > 0) yield lineOf(first, parts);
}

function lineOf(number: number, parts: readonly string[]): ContentLine {
  const text = parts.length === 1 ? parts[0]! : parts.join('');
  return { number, name: NAME.exec(text)?.[0].toUpperCase() ?? '', text };
}

/** Maximum length of a property value considered: more than any stored text can take, escaped. */
const LONGEST = 200_000;

/** The raw value, and the parameters as parsed by the library, their names in lower case. */
export interface Property {
  readonly line: number;
  readonly raw: string;
  readonly params: Readonly<Record<string, string | readonly string[]>>;
}

/** The library's parsing of parameters, with raw values. */
const UNTOUCHED = { ...ICAL.design.icalendar, property: {}, value: {} };

/** Maximum length before the value. */
const MAX_HEAD_LENGTH = 8_000;
const HEAD = /^(?:[^":]+|"[^"]*")*/;

export function propertyOf(line: ContentLine): Property {
  const head = HEAD.exec(line.text.slice(0, MAX_HEAD_LENGTH))?.[0].length ?? 0;
  if (line.text[head] !== ':') throw new Unreadable(line.number, `${line.name} cannot be read.`);
  if (line.text.length > LONGEST && !TEXTS.has(line.name))
    throw new Unreadable(line.number, `${line.name} is too long.`);
  const [, params, , raw] = parsed(line);
  return { line: line.number, raw, params };
}

const TEXTS: ReadonlySet<string> = new Set(['SUMMARY', 'DESCRIPTION', 'LOCATION']);

type JCalProperty = [string, Record<string, string | string[]>, string, string];

function parsed(line: ContentLine): JCalProperty {
  try {
    return ICAL.parse.property(line.text.slice(0, LONGEST), UNTOUCHED) as JCalProperty;
  } catch {
    throw new Unreadable(line.number, `${line.name} cannot be read.`);
  }
}

export const param = (property: Property, name: string): string => {
  const value = Object.hasOwn(property.params, name) ? property.params[name] : undefined;
  return (typeof value === 'string' ? value : (value?.[0] ?? '')).trim();
};

/** Characters that RFC 5545 §3.3.11 excludes from a text, except line feed and tab. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]/g;

/** A TEXT value, unescaped by the library, truncated to a number of code points. */
export function textOf(property: Property, longest: number): string {
  const [, , , text] = ICAL.parse.property(`SUMMARY:${property.raw}`) as JCalProperty;
  return cut(text.replace(CONTROLS, '').toWellFormed(), longest);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const points = [...text];
  return points.length <= longest ? text : `${points.slice(0, longest - 1).join('')}…`;
}
