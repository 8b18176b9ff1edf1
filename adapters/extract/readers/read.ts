import type { PageFacts } from '../../../ports/text-extraction.ts';
import type { Job, TextFacts, Verdict } from '../process/protocol.ts';
import { assemble } from './assemble.ts';
import { Refusal, type Reading } from './reading.ts';

export interface Answer {
  readonly result: Verdict | TextFacts;
  readonly text: string;
}

/** Reads one file. Whatever goes wrong becomes an answer; what libraries say about it stays here. */
export async function readFile(job: Job, bytes: Uint8Array): Promise<Answer> {
  try {
    const { facts, text } = await assemble(await read(job, bytes), job.longestText);
    if (facts.source === 'native' || /\S/.test(text)) return { result: facts, text };
    // Made by a script, as many are: what it tells of itself is worth having.
    if (facts.page) return { result: emptyPage(facts.page), text: '' };
    throw new Refusal('The file has no text in it.', { sound: true });
  } catch (error) {
    return { result: verdictOn(error), text: '' };
  }
}

/** The libraries of a reader are loaded with the first file that needs them. */
async function read(
  { reader, format, longestText, page }: Job,
  bytes: Uint8Array,
): Promise<Reading> {
  if (reader === 'text') return (await import('./text.ts')).readText(bytes, format);
  if (bytes.length === 0) throw new Refusal('The file is empty.');
  if (reader === 'page' && page) return (await import('./page.ts')).readPage(bytes, page);
  if (reader === 'html') return (await import('./html.ts')).readHtml(bytes);
  if (reader === 'pdf') return (await import('./pdf.ts')).readPdf(bytes, longestText);
  return (await import('./docx.ts')).readDocx(bytes);
}

const emptyPage = (page: PageFacts): Verdict => ({
  outcome: 'none',
  expected: false,
  reason: 'The page has no text in it.',
  page,
});

function verdictOn(error: unknown): Verdict {
  if (!(error instanceof Refusal))
    return { outcome: 'failed', reason: 'The file is damaged, or not what its name says.' };
  return error.sound
    ? { outcome: 'none', expected: true, reason: error.message }
    : { outcome: 'failed', reason: error.message };
}
