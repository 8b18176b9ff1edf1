/** The encoding of a text. `legacy`: one of the charsets before Unicode. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'legacy';

export interface TextEncodingInfo {
  readonly encoding: Encoding;
  /** Length of the byte order mark. */
  readonly mark: number;
  /** No control characters but white space. A text with a few is still read if no other format matches. */
  readonly clean: boolean;
}

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const ESCAPE = 0x1b;

/**
 * Recognises text by the first 64 KiB or fewer; undefined if it is not text. A truncated last character is allowed.
 */
export function detectTextEncoding(head: Uint8Array): TextEncodingInfo | undefined {
  if (startsWith(head, 0xff, 0xfe)) return wide(head, 'utf-16le', 2);
  if (startsWith(head, 0xfe, 0xff)) return wide(head, 'utf-16be', 2);
  const mark = startsWith(head, 0xef, 0xbb, 0xbf) ? 3 : 0;
  const utf8 = isUtf8(head);
  const allowed = utf8 ? Math.max(1, head.length / 100) : 0;
  const controls = countControls(head, allowed);
  const clean = controls === 0;
  if (controls <= allowed)
    return utf8 ? { encoding: 'utf-8', mark, clean } : { encoding: 'legacy', mark: 0, clean };
  return wide(head, 'utf-16le', 0) ?? wide(head, 'utf-16be', 0);
}

/** UTF-16 has two bytes per character and, without a byte order mark, few distinct upper bytes. */
function wide(
  head: Uint8Array,
  encoding: 'utf-16le' | 'utf-16be',
  mark: number,
): TextEncodingInfo | undefined {
  const units = Math.floor((head.length - mark) / 2);
  if (mark === 0 && (units < 4 || head.length % 2 === 1)) return undefined;
  const upper = new Map<number, number>();
  let expectsTrail = false;
  for (let unit = 0; unit < units; unit++) {
    const at = mark + unit * 2;
    const [low, high] =
      encoding === 'utf-16le' ? [head[at]!, head[at + 1]!] : [head[at + 1]!, head[at]!];
    if (high === 0 && isControl(low)) return undefined;
    if (expectsTrail !== (high >= 0xdc && high <= 0xdf)) return undefined;
    expectsTrail = high >= 0xd8 && high <= 0xdb;
    upper.set(high, (upper.get(high) ?? 0) + 1);
  }
  const most = [...upper.values()].sort((a, b) => b - a);
  const common = (most[0] ?? 0) + (most[1] ?? 0);
  if (mark === 0 && (!upper.has(0) || common < units * 0.9)) return undefined;
  return { encoding, mark, clean: true };
}

const isControl = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && !(byte >= TAB && byte <= CARRIAGE_RETURN) && byte !== ESCAPE);

/** Stops at the first one too many, so that binary data is recognised quickly. */
function countControls(bytes: Uint8Array, allowed: number): number {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= allowed; at++) if (isControl(bytes[at]!)) count++;
  return count;
}

/** Whether the bytes are UTF-8, allowing a truncated last character. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

export const startsWith = (bytes: Uint8Array, ...magic: readonly number[]): boolean =>
  magic.every((byte, i) => bytes[i] === byte);
