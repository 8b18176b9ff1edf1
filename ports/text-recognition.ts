import type { Extraction, ExtractionRequest } from './text-extraction.ts';

/**
 * Reads the text that is only to be seen: in pictures, and on pages of a PDF that have no text layer. It takes minutes
 * where extraction takes moments, so it has a line of its own.
 *
 * Contract (contract-tests/suites/text-recogniser.ts):
 * - A picture of writing gives its text as `ocr`; one that its camera held on its side is read upright.
 * - Of a PDF, pages with a text layer keep it and the others are recognised; the page map tells where each begins and ends.
 * - A picture without writing is `none` and not expected to have any; a PDF on which nothing is recognised is `none` and expected.
 * - A broken, encrypted or hostile file ends as `failed` or `none` within the time limit; the next one is read as if nothing had happened.
 * - An error of `open` is thrown on, and the next file is read as if nothing had happened.
 * - `close` ends every child process; from then on `recognise` rejects with PortFailure.
 */
export interface TextRecogniser {
  /** What it reads, as the operator named it: `eng`, `rus`; empty where there is no recognition. */
  readonly languages: readonly string[];
  /** PortFailure: too many files wait, the bytes stopped coming, no process can be started. Worth a repeat. */
  recognise(request: ExtractionRequest): Promise<Extraction>;
  close(): Promise<void>;
}
