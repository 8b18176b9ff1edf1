import type { PageSpan } from './text-extraction.ts';
import type { Instant } from './time-and-ids.ts';

export type TextSource = 'native' | 'extracted' | 'ocr';

/** The text read out of an object's content. */
export interface ObjectText {
  readonly objectId: string;
  /** The object version it was read from. */
  readonly version: number;
  readonly source: TextSource;
  readonly language: string;
  readonly text: string;
  readonly pages: readonly PageSpan[];
}

/** The text the owner put in place of the one read. */
export interface TextCorrection {
  readonly objectId: string;
  readonly text: string;
  /** Its own, which need not be that of the text it stands for: ISO 639-1, '' when it cannot be told. */
  readonly language: string;
  readonly savedAt: Instant;
}

/**
 * The texts of one owner's objects.
 *
 * Contract (contract-tests/suites/text-store.ts):
 * - The text and the correction of an object are kept side by side; each is given back as it was put, astral characters included.
 * - Putting again replaces; `removeCorrection` leaves the text; `remove` takes both.
 */
export interface TextStore {
  find(objectId: string): Promise<{ text?: ObjectText; correction?: TextCorrection }>;
  put(text: ObjectText): Promise<void>;
  putCorrection(correction: TextCorrection): Promise<void>;
  removeCorrection(objectId: string): Promise<void>;
  remove(objectId: string): Promise<void>;
}
