import type { S3Answer, S3Stream } from './client.ts';
import { S3Failure } from './failures.ts';
import { readDocument, type S3Document } from './xml.ts';

const garbled = (what: string): S3Failure => new S3Failure('garbled', what);

/** The document whose root is the one asked for. Also a status of 200 may come with an error, or with nothing. */
export function documentOf({ text }: S3Answer, root: string): S3Document {
  const document = readDocument(text);
  if (document.root === root) return document;
  throw document.root === 'Error'
    ? new S3Failure('busy', 'S3 gave up on it', 200, document.texts['Code'] ?? '')
    : garbled(`no ${root}`);
}

/** What the server calls the bytes it has: their MD5, or something of its own. */
export function tagOf(answer: Pick<S3Answer, 'header'>): string {
  const tag = answer.header('etag').replace(/^W\/|"/g, '');
  if (tag === '') throw garbled('no ETag');
  return tag;
}

export interface StoredObject {
  readonly size: number;
  readonly tag: string;
}

export function objectOf(answer: Pick<S3Answer, 'header'>): StoredObject {
  const length = answer.header('content-length');
  if (!/^\d+$/.test(length)) throw garbled('no Content-Length');
  return { size: Number(length), tag: tagOf(answer) };
}

/**
 * The end of an answer's bytes in the object, exclusive. The answer must begin at the requested position and must not end
 * after the requested one.
 */
export function endOf(
  answer: S3Stream,
  first: number,
  asked: { readonly whole: boolean; readonly last: number | undefined },
): number {
  const { size } = objectOf(answer);
  if (/html/i.test(answer.header('content-type'))) throw garbled('a web page instead of bytes');
  if (asked.whole) {
    if (answer.status !== 200) throw garbled(`status ${answer.status} for a whole object`);
    return size;
  }
  const [, from, last] =
    /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/.exec(answer.header('content-range')) ?? [];
  const fits =
    answer.status === 206 &&
    Number(from) === first &&
    Number(last) === first + size - 1 &&
    Number(last) <= (asked.last ?? Infinity);
  if (!fits) throw garbled('another range than was asked for');
  return first + size;
}
