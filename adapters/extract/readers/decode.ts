import iconv from 'iconv-lite';
import { isUtf8, detectTextEncoding } from '../encoding.ts';
import { UnreadableFileError } from './reader-result.ts';

const HEAD = 65_536;
/** The byte order mark is removed already; a second one is a character of the text. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a text file. `declared` is an encoding declared by the file, as in HTML. */
export async function decodeText(bytes: Uint8Array, declared = ''): Promise<string> {
  if (bytes.length === 0) return '';
  const shape = detectTextEncoding(bytes.subarray(0, HEAD));
  if (shape === undefined)
    throw new UnreadableFileError('The file is not text, although its name says so.');
  const body = bytes.subarray(shape.mark);
  if (shape.encoding === 'utf-16le' || shape.encoding === 'utf-16be')
    return iconv.decode(body, shape.encoding);
  if (isWholeUtf8(body)) return UTF8.decode(body);
  if (declared !== '' && iconv.encodingExists(declared)) return iconv.decode(body, declared);
  if (isDamagedUtf8(body.subarray(0, HEAD))) return UTF8.decode(body);
  const { detectCharset } = await import('./charset-detection.ts');
  return iconv.decode(body, detectCharset(body));
}

/** A truncated last character is allowed, unless it is the only one beyond ASCII. */
const isWholeUtf8 = (bytes: Uint8Array): boolean =>
  isUtf8(bytes) && (bytes.at(-1)! < 0x80 || bytes.subarray(0, -3).some((byte) => byte > 0x7f));

/** Text of other charsets is rarely valid UTF-8: a few damaged bytes do not change the result. */
function isDamagedUtf8(head: Uint8Array): boolean {
  const beyond = new TextDecoder().decode(head).match(/[^\0-\x7f]/gu) ?? [];
  const damaged = beyond.filter((char) => char === '\ufffd').length;
  return beyond.length > 10 * damaged;
}
