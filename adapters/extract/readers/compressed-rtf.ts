import { UnreadableFileError } from './reader-result.ts';

const HEADER_BYTES = 16;
const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;
const WINDOW = 4096;
/** Initial content of the dictionary ([MS-OXRTFCP] 2.1.2.1). */
const DICTIONARY =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans ' +
  'SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

/** Decompresses the RTF body of an Outlook message. The result is at most 17/2 of the size of the input. */
export function decompressRtf(bytes: Buffer): Buffer {
  const type = bytes.readUInt32LE(8);
  const size = bytes.readUInt32LE(4);
  if (type === UNCOMPRESSED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + size);
  // COMPSIZE counts what follows it.
  const end = bytes.readUInt32LE(0) + 4;
  if (type !== COMPRESSED || end > bytes.length)
    throw new UnreadableFileError('The body of the message is damaged.');
  const window = Buffer.alloc(WINDOW);
  let write = window.write(DICTIONARY, 'latin1');
  const out: number[] = [];
  const add = (byte: number): void => {
    out.push(byte);
    window[write] = byte;
    write = (write + 1) % WINDOW;
  };
  for (let at = HEADER_BYTES; at < end;) {
    const control = bytes[at++]!;
    for (let bit = 0; bit < 8 && at < end; bit++) {
      if ((control & (1 << bit)) === 0) {
        add(bytes[at++]!);
        continue;
      }
      if (at + 2 > end) return Buffer.from(out);
      const reference = bytes.readUInt16BE(at);
      at += 2;
      // A reference to the place of writing ends the text (2.1.3.1.6).
      if (reference >> 4 === write) return Buffer.from(out);
      for (let i = 0; i < (reference & 15) + 2; i++) add(window[((reference >> 4) + i) % WINDOW]!);
    }
  }
  return Buffer.from(out);
}
