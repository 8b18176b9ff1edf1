import type { PageSpan } from './text-extraction.ts';
import type { Instant } from './runtime.ts';

export type TextSource = 'native' | 'extracted' | 'ocr';

/** The text extracted from an object's content. */
export interface ObjectText {
  readonly objectId: string;
  /** The object version it was extracted from. */
  readonly version: number;
  readonly source: TextSource;
  readonly language: string;
  readonly text: string;
  readonly pages: readonly PageSpan[];
}

/** The text with which the owner replaced the extracted one. */
export interface TextCorrection {
  readonly objectId: string;
  readonly text: string;
  /** Language of the correction, which may differ from that of the extracted text: ISO 639-1, '' if unknown. */
  readonly language: string;
  readonly savedAt: Instant;
}

/** The pages of a text. */
export interface TextPages {
  readonly objectId: string;
  /** The object version the text was extracted from. */
  readonly version: number;
  readonly pages: readonly PageSpan[];
}

/**
 * The texts of one owner's objects.
 *
 * Contract (contract-tests/suites/text-store.ts):
 * - The text and the correction of an object are stored separately. Each is returned unchanged, astral characters
 *   included.
 * - A second write replaces. `removeCorrection` leaves the text; `remove` removes both.
 * - `pages` returns the pages of extracted texts that have no correction, in no particular order.
 */
export interface TextStore {
  find(objectId: string): Promise<{ text?: ObjectText; correction?: TextCorrection }>;
  pages(objectIds: readonly string[]): Promise<readonly TextPages[]>;
  put(text: ObjectText): Promise<void>;
  putCorrection(correction: TextCorrection): Promise<void>;
  removeCorrection(objectId: string): Promise<void>;
  remove(objectId: string): Promise<void>;
}
