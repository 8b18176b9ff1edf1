/** Where a page, sheet or slide lies in the text. Offsets count Unicode code points, end exclusive. */
export interface PageSpan {
  /** From 1. */
  readonly page: number;
  readonly charStart: number;
  readonly charEnd: number;
}

/** What a file turned out to be, judged by its bytes first and its name second. */
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
 * - The bytes decide before the name, and nothing else is looked at.
 * - `html`, `svg` and `xml` are told apart from plain text; a text file is told by its name among `md`, `csv`, `json` and source code.
 * - Any bytes and any name give an answer; nothing throws.
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
  /** Set for what was fetched as a page of the web. */
  readonly page?: PageOrigin;
  open(): AsyncIterable<Uint8Array>;
}

export interface PageOrigin {
  /** Absolute; the addresses in the page are read against it. */
  readonly url: string;
  /** Character encoding it was sent with, '' when none was declared. */
  readonly charset: string;
}

/** What a page of the web tells of itself. Each on one line, '' where it says nothing. */
export interface PageFacts {
  /** At most 500 code points. */
  readonly title: string;
  /** At most 200 code points. */
  readonly siteName: string;
  /** At most 1 000 code points. */
  readonly description: string;
  /** Absolute http or https address of the picture it shows of itself. */
  readonly imageUrl: string;
}

export type Extraction =
  | {
      readonly outcome: 'text';
      /** `native`: the file is the text; `extracted`: taken out of a format; `ocr`: recognised, some of it at least. */
      readonly source: 'native' | 'extracted' | 'ocr';
      /** Without NUL and unpaired surrogates; an extracted one in NFC, with `\n` line ends and no other controls but tabs. */
      readonly text: string;
      /** The document's own title, '' when it has none. */
      readonly title: string;
      /** ISO 639-1 code, '' when it cannot be told. */
      readonly language: string;
      readonly pages: readonly PageSpan[];
      /** Of an HTML document that came with a PageOrigin. */
      readonly page?: PageFacts;
      /** Pages without text are among them, which recognition may read. */
      readonly scanned?: true;
    }
  /**
   * Sound, but no text can be had from it: a person has to look. `expected` tells whether the kind should have some,
   * `scanned` that recognition may read it.
   */
  | {
      readonly outcome: 'none';
      readonly expected: boolean;
      readonly reason: string;
      readonly page?: PageFacts;
      readonly scanned?: true;
    }
  /** Broken, hostile or over a limit. `reason` is a sentence for a person, without paths or stacks. */
  | { readonly outcome: 'failed'; readonly reason: string };

/**
 * Takes the text out of a file, away from the event loop, within bounds of time and memory. What it
 * answers is about the file; it rejects only when it could not get to the file at all.
 *
 * Contract (contract-tests/suites/text-extractor.ts):
 * - Plain text, web pages, PDF, Microsoft Office, OpenDocument, RTF, EPUB and mail give their text, title and page map.
 * - A workbook has a page a sheet, a deck a page a slide, a book a page a chapter, a mailbox a page a message.
 * - A native text is the file's own: line ends, marks and controls stay; only the byte order mark, NUL and unpaired surrogates go.
 * - Page spans ascend, do not overlap and lie inside the text.
 * - Of a page of the web the article is read, all of it where there is none, with what it tells of itself.
 * - A truncated, encrypted or hostile file ends as `failed` or `none` within the time limit; the next file is read as if nothing had happened.
 * - A kind without text (archive, audio, video, other) is `none` and not expected; a picture, a scan and a file with a password are `none` and expected.
 * - An error of `open` is thrown on, and the next file is read as if nothing had happened.
 * - A text by itself is asked for its language while files are read, and gets the one it would get as a file.
 * - `close` ends every child process; from then on `extract` rejects with PortFailure.
 */
export interface TextExtractor {
  /** PortFailure: too many files wait, the bytes stopped coming, no reader can be started. Worth a repeat. */
  extract(request: ExtractionRequest): Promise<Extraction>;
  /** ISO 639-1 code of what a person wrote, '' when it cannot be told. PortFailure as with `extract`. */
  languageOf(text: string): Promise<string>;
  close(): Promise<void>;
}
