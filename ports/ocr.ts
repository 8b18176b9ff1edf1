import type { Extraction, ExtractionRequest } from './text-extraction.ts';

/**
 * OCR: reads text in images, and on PDF pages that have no text layer. It takes minutes where extraction takes
 * moments, so it has its own queue.
 *
 * Contract (contract-tests/suites/ocr-engine.ts):
 * - An image of writing gives its text as `ocr`. An image with an EXIF rotation is read upright.
 * - PDF pages with a text layer keep it and the others are recognised. The page map has the range of each page.
 * - An image without writing is `none` and not expected. A PDF without recognised text is `none` and expected.
 * - A broken, encrypted or hostile file ends as `failed` or `none` within the time limit. The next file is not
 *   affected.
 * - An error of `open` is rethrown, and the next file is not affected.
 * - `close` ends every child process. Afterwards `recognise` rejects with UnavailableError.
 */
export interface OcrEngine {
  /** Languages, as configured by the operator: `eng`, `rus`; empty without OCR. */
  readonly languages: readonly string[];
  /** UnavailableError: too many files wait, the bytes stopped coming, or no process can be started. Worth a retry. */
  recognise(request: ExtractionRequest): Promise<Extraction>;
  close(): Promise<void>;
}
