import WordExtractor from 'word-extractor';
import { startsWith } from '../encoding.ts';
import { normalizeText } from './text-normalization.ts';
import { isCompound, openCompound } from './compound-file.ts';
import { PROTECTED, UnreadableFileError, type ReaderResult } from './reader-result.ts';
import { summaryTitle } from './ole-summary.ts';

const ENCRYPTED = 0x0100;
const WORD_97 = 0x00c1;

/** Leaves quotation marks unchanged. The option is not in the type declarations. */
const AS_WRITTEN = { filterUnicode: false };
type Part = (options: typeof AS_WRITTEN) => string;
type Words = Readonly<
  Record<'getBody' | 'getFootnotes' | 'getEndnotes' | 'getTextboxes' | 'getHeaders', Part>
>;

/** Word documents of the old binary format: the text, then notes, text boxes, headers and footers, as one page. */
export async function readDoc(bytes: Uint8Array): Promise<ReaderResult> {
  if (!isCompound(bytes)) return readMisnamed(bytes);
  const compound = openCompound(bytes);
  if (compound.has('EncryptedPackage')) throw new UnreadableFileError(PROTECTED, { sound: true });
  const fib = compound.read('WordDocument');
  if ((fib.readUInt16LE(10) & ENCRYPTED) !== 0)
    throw new UnreadableFileError(PROTECTED, { sound: true });
  if (fib.readUInt16LE(2) < WORD_97)
    throw new UnreadableFileError('Text cannot be read from documents older than Word 97.', {
      sound: true,
    });
  const document = (await new WordExtractor().extract(asBuffer(bytes))) as unknown as Words;
  const parts = [
    document.getBody(AS_WRITTEN),
    document.getFootnotes(AS_WRITTEN),
    document.getEndnotes(AS_WRITTEN),
    document.getTextboxes(AS_WRITTEN),
    document.getHeaders(AS_WRITTEN),
  ].map(paragraphs);
  return {
    source: 'extracted',
    title: summaryTitle(compound),
    pages: [{ text: normalizeText(parts.filter(Boolean).join('\n\n')), continues: false }],
    prose: true,
  };
}

/** Programs have always given this extension to files of other formats, and Word opened them. */
async function readMisnamed(bytes: Uint8Array): Promise<ReaderResult> {
  if (startsWith(bytes, 0x50, 0x4b)) return (await import('./docx.ts')).readDocx(bytes);
  throw new UnreadableFileError('The file is damaged, or does not match its name.');
}

/** Its lines are paragraphs; those that end with a tab are rows of a table. */
function paragraphs(text: string): string {
  let out = '';
  let row = false;
  for (const line of text.split('\n')) {
    const shown = line.trim();
    if (shown === '') continue;
    const isRow = line.endsWith('\t');
    out += (out === '' ? '' : row && isRow ? '\n' : '\n\n') + shown;
    row = isRow;
  }
  return out;
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
