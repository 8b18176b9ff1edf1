import iconv from 'iconv-lite';
import type { Compound } from './compound-file.ts';

const STREAM = '\u0005SummaryInformation';
const CODE_PAGE = 1;
const TITLE = 2;
const NARROW = 30;
const WIDE = 31;
const UTF16 = 1200;
const MAX_PROPERTIES = 100;

/** Title in the properties of an old office file ([MS-OLEPS] 2.21), '' if there is none. */
export function summaryTitle(compound: Compound): string {
  if (!compound.has(STREAM)) return '';
  const stream = compound.read(STREAM);
  try {
    const set = stream.subarray(stream.readUInt32LE(44));
    const at = new Map<number, number>();
    const count = Math.min(set.readUInt32LE(4), MAX_PROPERTIES);
    for (let i = 0; i < count; i++)
      at.set(set.readUInt32LE(8 + i * 8), set.readUInt32LE(12 + i * 8));
    const codePage = at.has(CODE_PAGE) ? set.readUInt16LE(at.get(CODE_PAGE)! + 4) : 1252;
    return at.has(TITLE) ? stringAt(set.subarray(at.get(TITLE)), codePage) : '';
  } catch (error) {
    // Truncated properties do not prevent reading the text.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function stringAt(property: Buffer, codePage: number): string {
  const type = property.readUInt16LE(0);
  const length = property.readUInt32LE(4);
  const bytes = property.subarray(8, 8 + (type === WIDE ? length * 2 : length));
  if (type !== WIDE && type !== NARROW) return '';
  const wide = type === WIDE || codePage === UTF16;
  const encoding = wide ? 'utf-16le' : codePage === 65001 ? 'utf-8' : `cp${codePage}`;
  const text = iconv.decode(bytes, iconv.encodingExists(encoding) ? encoding : 'cp1252');
  return text.replace(/\0[^]*$/, '').trim();
}
