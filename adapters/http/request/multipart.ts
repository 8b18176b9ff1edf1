import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { refuseCoding } from './content-coding.ts';
import { HttpError, TOO_LARGE } from '../pipeline/errors.ts';
import { formPartOf, type PartHeaders } from './form-part.ts';
import { peekFirst } from './peek.ts';
import { validationError } from '../validation/compile-request.ts';

/** Limit of the files of one request, where it may hold several. */
export const MAX_FILES = 100;
const MAX_PARTS = 1_200;
/** Limit of all text fields together. */
const MAX_TEXT_BYTES = 2 ** 20;
const HEADER_LIMITS = { maxHeaderPairs: 50, maxHeaderSize: 16_384 };
/** A boundary in ASCII (RFC 2046 §5.1.1). The parser throws if other characters make it too many bytes. */
const BOUNDARY =
  /;\s*boundary=(?:"([\x20-\x21\x23-\x7e]{1,200})"|([\x21\x23-\x3a\x3c-\x7e]{1,200}))(?=\s*(?:;|$))/i;

export interface IncomingFile {
  readonly filename: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface MultipartBody<File> {
  /** Text parts by name; of a repeated one the last counts. */
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly File[];
}

/** A rejected upload, with the files that were accepted before: they must be discarded. */
export class MultipartRejectedError<File> extends Error {
  override readonly name = 'MultipartRejectedError';
  readonly files: readonly File[];
  constructor(files: readonly File[], cause: unknown) {
    super('The upload was refused.', { cause });
    this.files = files;
  }
}

/**
 * Reads multipart/form-data as it arrives (RFC 7578). Each part named `file` goes to `take`, one after the other and
 * straight from the socket, so that memory does not grow with its size. Files of other names are skipped. So is a file without
 * a name and without a byte, which browsers send for an empty input.
 *
 * Rejects with MultipartRejectedError, which holds every accepted file: also for more files than `maxFiles`, and once `stopped`
 * resolves, with the error it gives.
 */
export async function readMultipart<File>(
  request: IncomingMessage,
  maxFiles: number,
  take: (file: IncomingFile) => Promise<File>,
  stopped?: Promise<Error>,
): Promise<MultipartBody<File>> {
  refuseCoding(request);
  const parser = new Dicer({ boundary: boundaryOf(request), ...HEADER_LIMITS });
  const fields = new Map<string, string>();
  const reading: Promise<File | undefined>[] = [];
  let refused: { readonly error: unknown } | undefined;
  let current: Readable | undefined;
  let parts = 0;
  let described = 0;
  let files = 0;
  let textBytes = 0;

  const refuse = (error: unknown): void => {
    if (refused) return;
    refused = { error };
    request.unpipe(parser);
    parser.destroy();
    // The reader of the current part must learn that no more bytes will come.
    current?.destroy(new Error('The upload was refused.'));
  };
  const takeFile = async (part: Readable, filename: string): Promise<File | undefined> => {
    const bytes = filename === '' ? await peekFirst<Uint8Array>(part) : part;
    if (bytes === undefined) return undefined;
    if (++files > maxFiles) throw tooMany(maxFiles, files);
    return take({ filename, bytes });
  };
  const readField = async (part: Readable, name: string): Promise<undefined> => {
    const chunks: Buffer[] = [];
    for await (const chunk of part as AsyncIterable<Buffer>) {
      if ((textBytes += chunk.length) > MAX_TEXT_BYTES) throw new HttpError(TOO_LARGE);
      chunks.push(chunk);
    }
    fields.set(name, Buffer.concat(chunks).toString('utf8'));
  };
  const readPart = (part: Readable, headers: PartHeaders): Promise<File | undefined> => {
    const form = formPartOf(headers);
    if (!form) return Promise.reject(malformed());
    const { name, filename } = form;
    if (filename === undefined) return readField(part, name);
    if (name === 'file') return takeFile(part, filename);
    part.resume();
    return Promise.resolve(undefined);
  };

  parser.on('part', (part) => {
    current = part;
    // The parser and the reader of the part report a part that breaks off.
    part.on('error', () => undefined);
    if (refused) return void part.resume();
    if (++parts > MAX_PARTS) return refuse(malformed());
    part.once('header', (headers: object) => {
      described += 1;
      const read = readPart(part, headers as PartHeaders);
      reading.push(read);
      // Handled at once, so that a file that is too large ends the upload.
      read.catch(refuse);
    });
  });
  parser.on('error', () => refuse(malformed()));
  const ended = new Promise<void>((resolve) =>
    parser.once('finish', resolve).once('close', resolve),
  );
  void stopped?.then(refuse);
  request.pipe(parser);
  await Promise.race([ended, aborted(request)]).catch(refuse);
  // All of them, whichever failed: a file that is still being stored must be discarded as well.
  const read = await Promise.allSettled(reading);
  // A part that ended within its own headers was not reported.
  if (described < parts) refuse(malformed());
  const taken = read.flatMap((it) =>
    it.status === 'fulfilled' && it.value !== undefined ? [it.value] : [],
  );
  if (refused) throw new MultipartRejectedError(taken, refused.error);
  return { fields, files: taken };
}

/** Without a boundary, or with a malformed one, the parts can not be separated. */
function boundaryOf({ headers }: IncomingMessage): string {
  const [, inQuotes, plain] = BOUNDARY.exec(headers['content-type'] ?? '') ?? [];
  const boundary = inQuotes ?? plain;
  if (boundary === undefined) throw new MultipartRejectedError([], malformed());
  return boundary;
}

const malformed = () =>
  validationError(
    ['body'],
    'value_error',
    'Value error, the multipart body is malformed',
    undefined,
    {
      error: {},
    },
  );

const tooMany = (most: number, count: number) =>
  validationError(
    ['body', 'file'],
    'too_long',
    `List should have at most ${most} item${most === 1 ? '' : 's'} after validation, not ${count}`,
    undefined,
    { field_type: 'List', max_length: most, actual_length: count },
  );

const aborted = (request: IncomingMessage): Promise<never> =>
  new Promise((_, reject) => {
    request.once('aborted', () => reject(new Error('The client went away.')));
    request.once('error', reject);
  });

/** The error for a form without a part named `file`. */
export const missingFile = () =>
  validationError(['body', 'file'], 'missing', 'Field required', null);
