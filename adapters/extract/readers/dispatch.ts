import type { UnreadSentence } from '../../../ports/reasons.ts';
import type { WebPageMetadata } from '../../../ports/text-extraction.ts';
import type { Job, Reader, TextFacts, Verdict } from '../process/protocol.ts';
import { joinPages } from './join-pages.ts';
import { UnreadableFileError, type ReaderResult } from './reader-result.ts';

export interface Answer {
  readonly result: Verdict | TextFacts;
  readonly text: string;
}

/** Reads one file. Every error becomes a result; messages of libraries are not passed on. */
export async function readFile(job: Job, bytes: Uint8Array): Promise<Answer> {
  try {
    const { facts, text } = await joinPages(await read(job, bytes), job.maxTextLength);
    if (facts.source === 'native' || /\S/.test(text)) return { result: facts, text };
    // The page is rendered by a script, but its metadata is useful.
    if (facts.page) return { result: emptyPage(facts.page), text: '' };
    throw new UnreadableFileError('The file contains no text.', { sound: true });
  } catch (error) {
    return { result: verdictOn(error), text: '' };
  }
}

type Read = (
  bytes: Uint8Array,
  longest: number,
  format: string,
  page: Job['page'],
) => Promise<ReaderResult>;

/** The libraries of a reader are loaded with the first file that needs them. */
const READERS: Readonly<Record<Reader, () => Promise<Read>>> = {
  text: async () => {
    const { readText } = await import('./text.ts');
    return (bytes, _, format) => readText(bytes, format);
  },
  html: async () => (await import('./html.ts')).readHtml,
  pdf: async () => (await import('./pdf.ts')).readPdf,
  page: async () => {
    const { readWebPage } = await import('./web-page.ts');
    return (bytes, _longest, _format, page) => readWebPage(bytes, page ?? { url: '', charset: '' });
  },
  docx: async () => (await import('./docx.ts')).readDocx,
  doc: async () => (await import('./doc.ts')).readDoc,
  odt: async () => (await import('./odt.ts')).readOdt,
  rtf: async () => (await import('./rtf.ts')).readRtf,
  epub: async () => (await import('./epub.ts')).readEpub,
  sheets: async () => (await import('./sheets.ts')).readSheets,
  ods: async () => (await import('./ods.ts')).readOds,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  ppt: async () => (await import('./ppt.ts')).readPpt,
  odp: async () => (await import('./odt.ts')).readOdp,
  mail: async () => (await import('./mail.ts')).readMail,
  msg: async () => (await import('./msg.ts')).readMsg,
  mailbox: async () => (await import('./mail.ts')).readMailbox,
  savedPage: async () => (await import('./mail.ts')).readSavedPage,
};

async function read(
  { reader, format, maxTextLength, page }: Job,
  bytes: Uint8Array,
): Promise<ReaderResult> {
  if (bytes.length === 0 && reader !== 'text') throw new UnreadableFileError('The file is empty.');
  return (await READERS[reader]())(bytes, maxTextLength, format, page);
}

const DAMAGED: UnreadSentence = 'The file is damaged, or does not match its name.';

const emptyPage = (page: WebPageMetadata): Verdict => ({
  outcome: 'none',
  expected: false,
  reason: 'The page contains no text.' satisfies UnreadSentence,
  page,
});

function verdictOn(error: unknown): Verdict {
  if (!(error instanceof UnreadableFileError)) return { outcome: 'failed', reason: DAMAGED };
  return error.sound
    ? {
        outcome: 'none',
        expected: true,
        reason: error.message,
        ...(error.scanned && { scanned: true }),
      }
    : { outcome: 'failed', reason: error.message };
}
