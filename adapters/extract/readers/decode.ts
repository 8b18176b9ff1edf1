import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { isUtf8, textShapeOf } from '../encoding.ts';
import { Refusal } from './reading.ts';

const HEAD = 65_536;
const SAMPLE = 32_768;

/** The characters of a text file. `declared` is an encoding the file itself names, as HTML may. */
export function decodeText(bytes: Uint8Array, declared = ''): string {
  if (bytes.length === 0) return '';
  const shape = textShapeOf(bytes.subarray(0, HEAD));
  if (shape === undefined) throw new Refusal('The file is not text, whatever its name says.');
  const body = bytes.subarray(shape.mark);
  if (shape.encoding === 'utf-16le' || shape.encoding === 'utf-16be')
    return iconv.decode(body, shape.encoding);
  if (isUtf8(body)) return new TextDecoder().decode(body);
  if (declared !== '' && iconv.encodingExists(declared)) return iconv.decode(body, declared);
  // Its beginning is UTF-8 beyond plain ASCII: a few damaged bytes further on do not change that.
  const beginning = body.subarray(0, HEAD);
  if (isUtf8(beginning) && beginning.some((byte) => byte > 0x7f))
    return new TextDecoder().decode(body);
  return iconv.decode(body, guess(body));
}

/** Statistics want the part of the text where the characters are that differ. */
function guess(bytes: Uint8Array): string {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const from = Math.max(0, first - 256);
  const likely = analyse(bytes.subarray(from, from + SAMPLE));
  return likely.find(({ name }) => iconv.encodingExists(name))?.name ?? 'windows-1252';
}
