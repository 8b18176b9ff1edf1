import type { ExtractionRequest } from './text-extraction.ts';

/** A word as drawn on a page. Fractions of the page as displayed, from its upper left corner. */
export interface PlacedWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Locates the words of a page, in another process, within limits of time and memory.
 *
 * Contract (contract-tests/suites/word-places.ts):
 * - The words of a text layer are located where they are drawn, in drawing order, on any page.
 * - Words of a scanned page and of an image are located where they are recognised, an EXIF rotation applied.
 * - A missing page, a page without words and a damaged file have none.
 * - An error of `open` is rethrown, and the next file is not affected.
 * - After `close` `wordsOn` rejects with UnavailableError.
 */
export interface WordPlaces {
  /**
   * The words of a page of a PDF or an image, from 1. `isRecognised`: the text is at least partly from OCR.
   * UnavailableError: too many files wait, the bytes stopped coming, or a limit of time was exceeded.
   */
  wordsOn(
    request: ExtractionRequest,
    page: number,
    isRecognised: boolean,
  ): Promise<readonly PlacedWord[]>;
  close(): Promise<void>;
}
