import { createHash } from 'node:crypto';
import { documentOf, tagOf } from './answers.ts';
import type { S3Answer, S3Client } from './client.ts';
import { S3Failure } from './failures.ts';
import { abortUpload, abortUploads, removeObject } from './leftovers.ts';
import { Part } from './part.ts';

/** More than S3 takes. */
const MOST_PARTS = 10_000;
/** Nobody waits long for what is nobody's to go. */
const BRIEFLY = { tries: 2, idleMs: 3_000, totalMs: 5_000 };

/**
 * The bytes of one new object: at once when one part holds them, else part by part. One part is sent while the next is
 * filled, so that two of them are in memory at most.
 */
export class Upload {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #partBytes: number;
  #part = new Part();
  #uploadId: string | undefined;
  readonly #sent: { readonly tag: string; readonly md5: Buffer }[] = [];
  #sending: Promise<void> = Promise.resolve();
  #inParts = false;
  /** A try whose answer was lost may have begun another upload than the one that went on. */
  #begunTwice = false;
  /** The object itself was asked for, so it may lie there. */
  #mayLie = false;

  constructor(client: S3Client, key: string, partBytes: number) {
    this.#client = client;
    this.#key = key;
    this.#partBytes = partBytes;
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      // A full part goes only when more comes: what fits into one goes at once.
      if (this.#part.size === this.#partBytes) await this.#ship();
      const some = bytes.subarray(at, at + this.#partBytes - this.#part.size);
      this.#part.add(some);
      at += some.length;
    }
  }

  /** Answers with the tag that the object has where tags are made of MD5. */
  async finish(): Promise<string> {
    if (this.#inParts) {
      await this.#ship();
      await this.#sending;
      this.#mayLie = true;
      return this.#complete();
    }
    this.#mayLie = true;
    const { payload, md5 } = this.#part.seal();
    const headers = { 'content-type': TYPE, 'content-md5': md5.toString('base64') };
    const request = { method: 'PUT', key: this.#key, headers, body: payload } as const;
    await this.#client.ask(request, stored);
    return md5.toString('hex');
  }

  /** Takes back what was begun, as far as the server can be reached; never rejects for its sake. */
  async abandon(): Promise<void> {
    await this.#sending.catch(ignoreFailure);
    const [client, key] = [this.#client, this.#key];
    if (this.#uploadId !== undefined)
      await abortUpload(client, key, this.#uploadId, BRIEFLY).catch(ignoreFailure);
    if (this.#inParts && (this.#begunTwice || this.#uploadId === undefined)) await this.#abortAll();
    if (this.#mayLie) await removeObject(client, key, BRIEFLY).catch(ignoreFailure);
  }

  /** Also those whose ids were never told. */
  #abortAll(): Promise<void> {
    return abortUploads(this.#client, this.#key, Infinity, BRIEFLY).catch(ignoreFailure);
  }

  async #ship(): Promise<void> {
    await this.#sending;
    this.#inParts = true;
    this.#uploadId ??= await this.#begin();
    const number = this.#sent.length + 1;
    if (number > MOST_PARTS) throw new S3Failure('refused', `more than ${MOST_PARTS} parts`);
    const { payload, md5 } = this.#part.seal();
    this.#part = new Part();
    const request = {
      method: 'PUT',
      key: this.#key,
      query: { partNumber: String(number), uploadId: this.#uploadId },
      headers: { 'content-md5': md5.toString('base64') },
      body: payload,
    } as const;
    this.#sending = this.#client.ask(request, (answer) => {
      this.#sent.push({ tag: stored(answer), md5 });
    });
    // It is heard of with the next part, or at the end.
    this.#sending.catch(() => undefined);
  }

  #begin(): Promise<string> {
    const headers = { 'content-type': TYPE };
    const request = { method: 'POST', key: this.#key, query: { uploads: '' }, headers } as const;
    return this.#client.ask(
      request,
      (answer) => {
        const id = documentOf(answer, 'InitiateMultipartUploadResult').texts['UploadId'];
        if (!id) throw new S3Failure('garbled', 'no id of the upload');
        return id;
      },
      { again: () => (this.#begunTwice = true) },
    );
  }

  async #complete(): Promise<string> {
    const parts = this.#sent.map(
      ({ tag }, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`,
    );
    const list = new Part();
    list.add(
      Buffer.from(
        `<CompleteMultipartUpload xmlns="${SPACE}">${parts.join('')}</CompleteMultipartUpload>`,
      ),
    );
    const { payload } = list.seal();
    const query = { uploadId: this.#uploadId ?? '' };
    const headers = { 'content-type': 'application/xml' };
    const request = { method: 'POST', key: this.#key, query, headers, body: payload } as const;
    try {
      await this.#client.ask(request, (it) => documentOf(it, 'CompleteMultipartUploadResult'));
    } catch (error) {
      // Done by a try whose answer was lost: whether it was, is seen by what lies there.
      if (!(error instanceof S3Failure && error.code === 'NoSuchUpload')) throw error;
    }
    const all = createHash('md5');
    for (const { md5 } of this.#sent) all.update(md5);
    if (this.#begunTwice) await this.#abortAll();
    return `${all.digest('hex')}-${this.#sent.length}`;
  }
}

const TYPE = 'application/octet-stream';
const SPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** The tag of what was taken. */
function stored(answer: S3Answer): string {
  if (answer.status !== 200 || answer.text !== '')
    throw new S3Failure('garbled', 'more than an acknowledgement');
  return tagOf(answer);
}

/** What is left is found later: objects by the sweep of the bytes without a row, uploads by that of abandoned ones. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof S3Failure)) throw error;
}
