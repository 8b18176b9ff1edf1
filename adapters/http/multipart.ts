import busboy from 'busboy';
import type { Request } from 'express';
import { finished } from 'node:stream/promises';
import { invalid } from './validation.ts';

const LIMITS = { fields: 1_000, fieldSize: 65_536, fieldNameSize: 200, headerPairs: 50 };
/** What one request may bring where it may bring several. */
export const MOST_FILES = 100;

export interface SentFile {
  readonly filename: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface MultipartBody<File> {
  /** Text parts by name; of a repeated one the last counts. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly File[];
}

/** A refused upload must not leave what was taken in before: the files so far travel with the error. */
export class MultipartRefused<File> extends Error {
  override readonly name = 'MultipartRefused';
  readonly files: readonly File[];
  constructor(files: readonly File[], cause: unknown) {
    super('The upload was refused.', { cause });
    this.files = files;
  }
}

/**
 * Reads multipart/form-data as it arrives (RFC 7578). Each part named `file` goes to `take`, one after the other and
 * straight from the socket, so memory does not grow with its size; parts of other names are passed over.
 *
 * Rejects with MultipartRefused, carrying every file that was taken: also for more files than `mostFiles`.
 */
export async function readMultipart<File>(
  request: Request,
  mostFiles: number,
  take: (file: SentFile) => Promise<File>,
): Promise<MultipartBody<File>> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const taking: Promise<File>[] = [];
  let refused: { readonly error: unknown } | undefined;
  const refuse = (error: unknown): void => {
    refused ??= { error };
    request.unpipe(parser);
    parser.destroy();
  };
  const parser = busboyFor(request);
  let count = 0;
  parser.on('field', (name, value) => void (fields[name] = value));
  // The rest would be left out in silence, and a file that was to be hidden stored for all to see.
  parser.on('fieldsLimit', () => refuse(malformed()));
  parser.on('file', (name, stream, info) => {
    // A part that breaks off, maybe before anybody reads from it, is told of by the parser and by whoever takes it; one
    // that its taker has given up on is not to be told of at all.
    stream.on('error', () => undefined);
    if (name !== 'file' || refused) return void stream.resume();
    if (++count > mostFiles) {
      stream.resume();
      return refuse(
        invalid(
          ['body', 'file'],
          'too_long',
          `List should have at most ${mostFiles} item${mostFiles === 1 ? '' : 's'} after validation, not ${count}`,
          undefined,
          { field_type: 'List', max_length: mostFiles, actual_length: count },
        ),
      );
    }
    const taken = take({ filename: info.filename ?? '', bytes: stream });
    taking.push(taken);
    // Heard of at once, so that a file that is too large stops the reading.
    taken.catch(refuse);
  });
  request.pipe(parser);
  await Promise.race([finished(parser), aborted(request)]).catch(refuse);
  // Every one of them, whichever failed: a file that is still being stored is to be given up as well.
  const taken = await Promise.allSettled(taking);
  const files = taken.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  if (refused) throw new MultipartRefused(files, causeOf(refused.error));
  return { fields, files };
}

function busboyFor(request: Request): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, defParamCharset: 'utf8', limits: LIMITS });
  } catch {
    // No boundary, or one that is malformed: there is no way to tell the parts apart.
    throw new MultipartRefused([], malformed());
  }
}

const malformed = () =>
  invalid(['body'], 'value_error', 'Value error, the multipart body is malformed', undefined, {
    error: {},
  });

/** busboy's own complaints are about the form of the body. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error &&
  /form|boundary|part|header/i.test(error.message) &&
  error.name === 'Error'
    ? malformed()
    : error;

const aborted = (request: Request): Promise<never> =>
  new Promise((_, reject) => {
    request.once('aborted', () => reject(new Error('The client went away.')));
    request.once('error', reject);
  });

/** No part named `file` came. */
export const missingFile = () => invalid(['body', 'file'], 'missing', 'Field required', null);
