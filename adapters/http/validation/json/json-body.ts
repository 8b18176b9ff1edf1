import { jsonInvalid, missing, notAnObject, valueError, type Detail } from '../detail.ts';
import { scanJson } from './json-scan.ts';

export interface SentJson {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export type ParsedBody =
  | { readonly value: object; readonly source: string }
  /** The error of the body as a whole. It is then the only one. */
  | { readonly fault: Detail; /** Where it is nested too deeply. */ readonly deepField?: string };

const JSON_TYPE = /^application\/(?:[^;\s/]+\+)?json\s*(?:;|$)/i;
const MAX_DEPTH = 64;
/** Maximum code points of an invalid JSON body that is repeated in the error. */
const MAX_ECHOED_LENGTH = 1_000;
/** A number that may exceed the safe integers. A false match only costs a second check. */
const LARGE_NUMBER = /\d[eE]\+?\d{3}|\d{200}/;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const lenientUtf8 = new TextDecoder('utf-8');

/** The text of a body that was read before, without its byte order mark. */
export const textOfBody = (bytes: Uint8Array): string => lenientUtf8.decode(bytes);

/** Parses a body as a JSON object in UTF-8. A byte order mark is ignored (RFC 8259 §8.1). */
export function parseJsonBody({ bytes, contentType }: SentJson): ParsedBody {
  if (bytes.length === 0) return { fault: missing(['body'], null) };
  if (!JSON_TYPE.test(contentType.trim()))
    return { fault: notAnObject(['body'], echo(lenientUtf8.decode(bytes))) };
  let source: string;
  try {
    source = strictUtf8.decode(bytes);
  } catch {
    return faultOf(soundPart(bytes)) ?? { fault: endsEarly(bytes) };
  }
  if (isDeep(source) || LARGE_NUMBER.test(source)) {
    const faulty = faultOf(source);
    if (faulty) return faulty;
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    const faulty = faultOf(source);
    if (!faulty) throw error;
    return faulty;
  }
  if (value === null) return { fault: missing(['body'], null) };
  return typeof value === 'object' && !Array.isArray(value)
    ? { value, source }
    : { fault: notAnObject(['body'], parsePreservingIntegers(source)) };
}

/**
 * A JSON text to be shown again: integers beyond the safe range preserve their digits. Such values can only be
 * serialized.
 */
export function parsePreservingIntegers(source: string): unknown {
  if (!/\d{16}/.test(source)) return JSON.parse(source);
  return JSON.parse(source, (_key, value: unknown, { source: digits = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits)
      ? JSON.rawJSON(digits)
      : value,
  );
}

function faultOf(text: string): (ParsedBody & { readonly fault: Detail }) | undefined {
  const fault = scanJson(text, MAX_DEPTH);
  if (fault === null) return undefined;
  return fault.kind === 'depth'
    ? {
        fault: valueError(['body'], `the JSON is nested deeper than ${MAX_DEPTH} levels`),
        ...(fault.field !== undefined && { deepField: fault.field }),
      }
    : { fault: jsonInvalid(fault.position, fault.error) };
}

/** Whether the brackets outside strings are nested more deeply than a body allows. */
function isDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** The text before the first byte that is not valid UTF-8. The body is checked as if it ended there. */
function soundPart(bytes: Uint8Array): string {
  const text = lenientUtf8.decode(bytes);
  let offset = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let from = 0;
  for (;;) {
    const at = text.indexOf('\ufffd', from);
    if (at < 0) return text;
    offset += Buffer.byteLength(text.slice(from, at));
    // The mark of a decoding error, unless the sender has written that character.
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd)
      return text.slice(0, at);
    offset += 3;
    from = at + 1;
  }
}

/** A complete JSON text followed by bytes that are not valid. */
const endsEarly = (bytes: Uint8Array): Detail =>
  jsonInvalid([...soundPart(bytes)].length, 'Extra data');

const echo = (text: string): string =>
  text.length <= MAX_ECHOED_LENGTH
    ? text
    : [...text.slice(0, 2 * MAX_ECHOED_LENGTH)].slice(0, MAX_ECHOED_LENGTH).join('');
