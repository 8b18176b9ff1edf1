import { UnavailableError } from '../../ports/errors.ts';
import type { Extraction, ExtractionRequest, TextExtractor } from '../../ports/text-extraction.ts';

const WITHOUT_TEXT: ReadonlySet<string> = new Set(['archive', 'audio', 'video', 'link', 'other']);
const TABLES = new Set(['csv', 'tsv']);
/** NUL, and unpaired surrogates. */
const UNSERVED = /[\0\ud800-\udfff]/gu;

/** Maximum file size, since no other process protects this one. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Reads UTF-8 plain text in this process: for tests, and for environments without child processes. Detects no titles
 * and no languages.
 */
export class PlainTextExtractor implements TextExtractor {
  #closed = false;

  async extract(request: ExtractionRequest): Promise<Extraction> {
    if (this.#closed) throw new UnavailableError('text-extraction', 'The service is closing.');
    const { kind, format } = request.type;
    if (WITHOUT_TEXT.has(kind))
      return { outcome: 'none', expected: false, reason: 'Files of this kind have no text.' };
    if (kind !== 'text' && kind !== 'note' && !TABLES.has(format))
      return { outcome: 'none', expected: true, reason: 'Only plain text is read here.' };
    if (request.size > MAX_FILE_BYTES)
      return { outcome: 'failed', reason: 'The file is too large to be read.' };
    const chunks: Uint8Array[] = [];
    for await (const chunk of request.open()) chunks.push(chunk);
    const text = new TextDecoder().decode(Buffer.concat(chunks)).replace(UNSERVED, '');
    return {
      outcome: 'text',
      source: 'native',
      text,
      title: '',
      language: '',
      pages: [{ page: 1, charStart: 0, charEnd: [...text].length }],
    };
  }

  languageOf(): Promise<string> {
    return this.#closed
      ? Promise.reject(new UnavailableError('text-extraction', 'The service is closing.'))
      : Promise.resolve('');
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }
}
