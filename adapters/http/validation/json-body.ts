import { detail, missing, notAnObject, valueError, type Detail } from './detail.ts';
import { jsonFault } from './json-fault.ts';
import { textFault } from './text-values.ts';

export interface SentJson {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export type ParsedBody = { readonly value: unknown } | { readonly faults: readonly Detail[] };

const JSON_TYPE = /^application\/(?:[^;\s]+\+)?json(?:\s*;.*)?$/i;
const MOST_DEPTH = 64;
const MOST_ECHOED = 1_000;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a body as JSON, or tells what is wrong with it as a whole: then it is the only fault. */
export function parseJsonBody({ bytes, contentType }: SentJson): ParsedBody {
  if (bytes.length === 0) return { faults: [missing(['body'], null)] };
  if (!JSON_TYPE.test(contentType.trim())) {
    const echo = Buffer.from(bytes.subarray(0, MOST_ECHOED)).toString('utf8');
    return { faults: [notAnObject(['body'], echo)] };
  }
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    return broken(0, 'Expecting value');
  }
  const deep = deeperThan(text, MOST_DEPTH);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (deep) return tooDeep();
    const fault = jsonFault(text);
    return broken(fault.position, fault.error);
  }
  if (deep) return tooDeep();
  const faults = valueFaults(value, ['body'], text);
  if (faults.length > 0) return { faults };
  return value === null ? { faults: [missing(['body'], null)] } : { value };
}

const broken = (position: number, error: string): ParsedBody => ({
  faults: [detail('json_invalid', ['body', position], 'JSON decode error', {}, { error })],
});

const tooDeep = (): ParsedBody => ({
  faults: [valueError(['body'], `the JSON is nested deeper than ${MOST_DEPTH} levels`)],
});

/** Counts brackets outside strings: a megabyte of `[` is judged before anything recurses into it. */
function deeperThan(text: string, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) {
      if (++depth > most) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

/** Texts that no database takes, and numbers that are none. Walks only as deep as the limit allows. */
function valueFaults(value: unknown, loc: Detail['loc'], source: string): Detail[] {
  // Without one of these in the source there is nothing to find.
  if (!/\\u|[eE]|\d{300}/.test(source) && source.isWellFormed()) return [];
  const faults: Detail[] = [];
  const infinite = visit(value, loc, faults);
  if (!infinite) return faults;
  const position = Math.max(0, source.search(/-?\d[\d.]*[eE]\+?\d{3,}|-?\d{309,}/));
  return [detail('json_invalid', ['body', position], 'JSON decode error', {}, { error: 'Expecting value' })];
}

/** Answers whether a number overflowed. */
function visit(value: unknown, loc: Detail['loc'], faults: Detail[]): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value === 'string') {
    const fault = textFault(value, loc);
    if (fault) faults.push(fault);
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  let infinite = false;
  for (const [key, each] of Object.entries(value)) {
    const fault = textFault(key, loc);
    if (fault) faults.push(fault);
    const place = Array.isArray(value) ? Number(key) : key;
    if (visit(each, [...loc, place], faults)) infinite = true;
  }
  return infinite;
}
