import type { UnreadSentence } from '../../ports/reasons.ts';
import type { Extraction, ExtractionRequest } from '../../ports/text-extraction.ts';
import type { Reader } from './process/protocol.ts';

const READERS: Readonly<Record<string, Reader>> = {
  pdf: 'pdf',
  html: 'html',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  doc: 'doc',
  odt: 'odt',
  ott: 'odt',
  rtf: 'rtf',
  epub: 'epub',
  xlsx: 'sheets',
  xlsm: 'sheets',
  xltx: 'sheets',
  xls: 'sheets',
  ods: 'ods',
  ots: 'ods',
  pptx: 'pptx',
  pptm: 'pptx',
  ppsx: 'pptx',
  potx: 'pptx',
  ppt: 'ppt',
  odp: 'odp',
  otp: 'odp',
  odg: 'odp',
  eml: 'mail',
  msg: 'msg',
  mbox: 'mailbox',
  mhtml: 'savedPage',
  csv: 'text',
  tsv: 'text',
};

const WITHOUT_TEXT: ReadonlySet<string> = new Set(['archive', 'audio', 'video', 'link', 'other']);

const WITHOUT_TEXT_REASON: UnreadSentence = 'Files of this kind contain no text.';

/** Image formats that OCR can read. */
const SCANS: ReadonlySet<string> = new Set('jpg png apng webp tiff gif avif'.split(' '));

/** The reader for a type, or the result if there is none. */
export function chooseReader({
  type: { kind, format },
  page,
}: Pick<ExtractionRequest, 'type' | 'page'>): Reader | Extraction {
  if (kind === 'text' || kind === 'note') return 'text';
  if (WITHOUT_TEXT.has(kind))
    return { outcome: 'none', expected: false, reason: WITHOUT_TEXT_REASON };
  const reader = Object.hasOwn(READERS, format) ? READERS[format] : undefined;
  if (reader === 'html' && page) return 'page';
  if (reader !== undefined) return reader;
  if (kind === 'image' && SCANS.has(format))
    return {
      outcome: 'none',
      expected: true,
      reason: 'Text in images is read only if OCR_LANGS is set.' satisfies UnreadSentence,
      scanned: true,
    };
  const files = format === '' ? 'such' : format.toUpperCase();
  return {
    outcome: 'none',
    expected: true,
    reason: `Text cannot be read from ${files} files yet.` satisfies UnreadSentence,
  };
}
