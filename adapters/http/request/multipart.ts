import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { refuseCoding } from './content-coding.ts';
import { HttpError, TOO_LARGE } from '../pipeline/errors.ts';
import { formPartOf, type PartHeaders } from './form-part.ts';
import { peekFirst } from './peek.ts';
import { validationError } from '../validation/compile-request.ts';

/** What one request may bring where it may bring several. */
export const MAX_FILES = 100;
const MAX_PARTS = 1_200;
/** Of everything that is no file. */
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

/** A refused upload must not leave what was taken in before: the files so far travel with the error. */
export class MultipartRejectedError<File> extends Error {
  override readonly name = 'MultipartRefused';
  readonly files: readonly File[];
  constructor(files: readonly File[], cause: unknown) {
    super('The upload was refused.', { cause });
    this.files = files;
  }
}

/**
 * Reads multipart/form-data as it arrives (RFC 7578). Each part named `file` goes to `take`, one after the other and
 * straight from the socket, so memory does not grow with its size; files of other names are passed over, and so is one
 * without a name and without a byte, which is what a browser sends of an input that was left empty.
 *
 * Rejects with MultipartRefused, carrying every file that was taken: also for more files than `mostFiles`.
 */
export async function readMultipart<File>(
  request: IncomingMessage,
  mostFiles: number,
  take: (file: IncomingFile) => Promise<File>,
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
    // Whoever reads the part that was cut must hear that no more will come.
    current?.destroy(new Error('The upload was refused.'));
  };
  const takeFile = async (part: Readable, filename: string): Promise<File | undefined> => {
    const bytes = filename === '' ? await peekFirst<Uint8Array>(part) : part;
    if (bytes === undefined) return undefined;
    if (++files > mostFiles) throw tooMany(mostFiles, files);
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
    // What breaks off is told of by the parser, and by whoever reads it.
    part.on('error', () => undefined);
    if (refused) return void part.resume();
    if (++parts > MAX_PARTS) return refuse(malformed());
    part.once('header', (headers: object) => {
      described += 1;
      const read = readPart(part, headers as PartHeaders);
      reading.push(read);
      // Heard of at once, so that a file that is too large stops the reading.
      read.catch(refuse);
    });
  });
  parser.on('error', () => refuse(malformed()));
  const ended = new Promise<void>((resolve) =>
    parser.once('finish', resolve).once('close', resolve),
  );
  request.pipe(parser);
  await Promise.race([ended, aborted(request)]).catch(refuse);
  // Every one of them, whichever failed: a file that is still being stored is to be given up as well.
  const read = await Promise.allSettled(reading);
  // A part that ended within its own headers was never told of.
  if (described < parts) refuse(malformed());
  const taken = read.flatMap((it) =>
    it.status === 'fulfilled' && it.value !== undefined ? [it.value] : [],
  );
  if (refused) throw new MultipartRejectedError(taken, refused.error);
  return { fields, files: taken };
}

/** Without one, or with one that is malformed, there is no way to tell the parts apart. */
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

/** No part named `file` came. */
export const missingFile = () =>
  validationError(['body', 'file'], 'missing', 'Field required', null);
