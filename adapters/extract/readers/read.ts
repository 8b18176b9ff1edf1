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
    throw new Refusal('The file has no text in it.', { sound: true });
  } catch (error) {
    return { result: verdictOn(error), text: '' };
  }
}

/** The libraries of a reader are loaded with the first file that needs them. */
async function read({ reader, format, longestText }: Job, bytes: Uint8Array): Promise<Reading> {
  if (reader === 'text') return (await import('./text.ts')).readText(bytes, format);
  if (bytes.length === 0) throw new Refusal('The file is empty.');
  if (reader === 'html') return (await import('./html.ts')).readHtml(bytes);
  if (reader === 'pdf') return (await import('./pdf.ts')).readPdf(bytes, longestText);
  return (await import('./docx.ts')).readDocx(bytes);
}

function verdictOn(error: unknown): Verdict {
  if (!(error instanceof Refusal))
    return { outcome: 'failed', reason: 'The file is damaged, or not what its name says.' };
  return error.sound
    ? {
        outcome: 'none',
        expected: true,
        reason: error.message,
        ...(error.scanned && { scanned: true }),
      }
    : { outcome: 'failed', reason: error.message };
}
