import iconv from 'iconv-lite';
import { isUtf8, textShapeOf } from '../encoding.ts';
import { Refusal } from './reading.ts';

const HEAD = 65_536;
/** The mark is cut off already; a second one is a character of the text. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The characters of a text file. `declared` is an encoding the file itself names, as HTML may. */
export async function decodeText(bytes: Uint8Array, declared = ''): Promise<string> {
  if (bytes.length === 0) return '';
  const shape = textShapeOf(bytes.subarray(0, HEAD));
  if (shape === undefined) throw new Refusal('The file is not text, whatever its name says.');
  const body = bytes.subarray(shape.mark);
  if (shape.encoding === 'utf-16le' || shape.encoding === 'utf-16be')
    return iconv.decode(body, shape.encoding);
  if (isWholeUtf8(body)) return UTF8.decode(body);
  if (declared !== '' && iconv.encodingExists(declared)) return iconv.decode(body, declared);
  if (isDamagedUtf8(body.subarray(0, HEAD))) return UTF8.decode(body);
  const { guessEncoding } = await import('./legacy.ts');
  return iconv.decode(body, guessEncoding(body));
}

/** A last character may be cut short where the file was: but not when it is the only one beyond ASCII. */
const isWholeUtf8 = (bytes: Uint8Array): boolean =>
  isUtf8(bytes) && (bytes.at(-1)! < 0x80 || bytes.subarray(0, -3).some((byte) => byte > 0x7f));

/** Hardly any other text is UTF-8 by chance: a few damaged bytes do not change that it is. */
function isDamagedUtf8(head: Uint8Array): boolean {
  const beyond = new TextDecoder().decode(head).match(/[^\0-\x7f]/gu) ?? [];
  const damaged = beyond.filter((char) => char === '\ufffd').length;
  return beyond.length > 10 * damaged;
}
