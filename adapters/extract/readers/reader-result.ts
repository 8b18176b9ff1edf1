import type { UnreadSentence } from '../../../ports/reasons.ts';
import type { WebPageMetadata } from '../../../ports/text-extraction.ts';

/** The result of a reader, before truncation. */
export interface ReaderResult {
  readonly source: 'native' | 'extracted';
  readonly title: string;
  /** Normalised text of each page. Formats without pages have one. */
  readonly pages: readonly Page[];
  /** Written in a natural language, so that language detection makes sense. */
  readonly prose: boolean;
  /** Text for language detection, if much of the text is not natural language. */
  readonly sample?: string;
  /** Metadata of a web page. */
  readonly page?: WebPageMetadata;
  /** Some of the pages seem to be images. */
  readonly scanned?: true;
}

export interface Page {
  readonly text: string;
  /** Its first sentence began on the previous page. */
  readonly continues: boolean;
}

/** A file that cannot be read, with a reason for its owner. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  /** Valid, but the owner has to look at it; otherwise it is broken or over a limit. */
  readonly sound: boolean;
  /** OCR may read its content. */
  readonly scanned: boolean;
  constructor(reason: UnreadSentence, { sound = false, scanned = false } = {}) {
    super(reason);
    this.sound = sound;
    this.scanned = scanned;
  }
}

export const PROTECTED = 'The file is protected by a password.';
