/** Range of a page, sheet or slide in the text. Offsets count Unicode code points, end exclusive. */
export interface PageSpan {
  /** From 1. */
  readonly page: number;
  readonly charStart: number;
  readonly charEnd: number;
}

/** The detected type of a file, judged by its bytes first and its name second. */
export interface ContentType {
  readonly kind: ObjectKind;
  readonly mime: string;
  /** The canonical lower-case extension without a dot (`pdf`, `docx`, `md`, `py`); '' when unknown. */
  readonly format: string;
}

export const OBJECT_KINDS = [
  'pdf',
  'document',
  'spreadsheet',
  'presentation',
  'text',
  'image',
  'audio',
  'video',
  'archive',
  'email',
  'link',
  'note',
  'other',
] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/**
 * Contract (contract-tests/suites/content-sniffer.ts):
 * - The bytes decide before the name, and nothing else is considered.
 * - `html`, `svg` and `xml` are distinguished from plain text. The name distinguishes text files among `md`, `csv`,
 *   `json` and source code.
 * - Any bytes and any name give a result. Nothing throws.
 */
export interface ContentSniffer {
  /** `head` is the first 64 KiB of the file, or all of it when it is shorter. */
  identify(head: Uint8Array, filename: string): Promise<ContentType>;
}

export interface ExtractionRequest {
  readonly filename: string;
  readonly type: ContentType;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Set for content that was fetched as a web page. */
  readonly page?: PageOrigin;
  open(): AsyncIterable<Uint8Array>;
}

export interface PageOrigin {
  /** Absolute; base for the URLs in the page. */
  readonly url: string;
  /** Declared character encoding, '' if none was declared. */
  readonly charset: string;
}

/** Metadata declared by a web page. Each value is on one line, '' if absent. */
export interface WebPageMetadata {
  /** At most 500 code points. */
  readonly title: string;
  /** At most 200 code points. */
  readonly siteName: string;
  /** At most 1 000 code points. */
  readonly description: string;
  /** Absolute http or https URL of the page's preview image. */
  readonly imageUrl: string;
}

export type Extraction =
  | {
      readonly outcome: 'text';
      /** `native`: the file is the text; `extracted`: from a document format; `ocr`: recognised, at least in part. */
      readonly source: 'native' | 'extracted' | 'ocr';
      /**
       * Without NUL and unpaired surrogates. Extracted text is in NFC, with `\n` line ends and no other controls but
       * tabs.
       */
      readonly text: string;
      /** The document's own title, '' when it has none. */
      readonly title: string;
      /** ISO 639-1 code, '' when it cannot be told. */
      readonly language: string;
      readonly pages: readonly PageSpan[];
      /** Set for an HTML document that came with a PageOrigin. */
      readonly page?: WebPageMetadata;
      /** Some pages have no text and may be read by OCR. */
      readonly scanned?: true;
    }
  /**
   * Valid, but contains no text that can be extracted. `expected`: this kind of file should have text; `scanned`: OCR
   * may read it.
   */
  | {
      readonly outcome: 'none';
      readonly expected: boolean;
      readonly reason: string;
      readonly page?: WebPageMetadata;
      readonly scanned?: true;
    }
  /** Corrupt, hostile or over a limit. `reason` is a sentence for the user, without paths or stack traces. */
  | { readonly outcome: 'failed'; readonly reason: string };

/**
 * Extracts the text of a file in another process, within limits of time and memory. The result describes the file. It
 * rejects only if the file could not be read at all.
 *
 * Contract (contract-tests/suites/text-extractor.ts):
 * - Plain text, web pages, PDF, Microsoft Office, OpenDocument, RTF, EPUB and mail give their text, title and page
 *   map.
 * - A workbook has a page per sheet, a deck a page per slide, a book a page per chapter, a mailbox a page per
 *   message.
 * - Native text keeps line ends, marks and controls. Only the byte order mark, NUL and unpaired surrogates are
 *   removed.
 * - Page spans ascend, do not overlap and are inside the text.
 * - Of a web page the article is read, or the whole page if there is none, with its metadata.
 * - A truncated, encrypted or hostile file ends as `failed` or `none` within the time limit. The next file is not
 *   affected.
 * - A kind without text (archive, audio, video, other) is `none` and not expected. An image, a scan and an encrypted
 *   file are `none` and expected.
 * - An error of `open` is rethrown, and the next file is not affected.
 * - Language detection of a plain string works while files are read, and gives the same result as for a file.
 * - `close` ends every child process. Afterwards `extract` rejects with UnavailableError.
 */
export interface TextExtractor {
  /** UnavailableError: too many files wait, the bytes stopped coming, or no reader can be started. Worth a retry. */
  extract(request: ExtractionRequest): Promise<Extraction>;
  /**
   * ISO 639-1 code of a text written by a person, '' if it cannot be detected. UnavailableError as with `extract`.
   */
  languageOf(text: string): Promise<string>;
  close(): Promise<void>;
}
