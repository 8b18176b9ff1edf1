import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Core } from '../../core/index.ts';
import type { ReceivedFile } from '../../core/objects/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { invalid } from './validation.ts';

const HEADER = 'idempotency-key';

/** The request's key, checked: 1 to 255 printable characters. */
export function keyOf(request: Request): string | undefined {
  const key = request.headers[HEADER];
  if (typeof key !== 'string') return undefined;
  if (key.length === 0)
    throw invalid(
      ['header', HEADER],
      'string_too_short',
      'String should have at least 1 character',
      key,
      { min_length: 1 },
    );
  if (key.length > 255)
    throw invalid(
      ['header', HEADER],
      'string_too_long',
      'String should have at most 255 characters',
      key,
      { max_length: 255 },
    );
  return key;
}

/** Two requests are the same when operation, path, query and body are. */
export function fingerprintOf(
  request: Request,
  body: Uint8Array | undefined,
  multipart?: {
    readonly fields: Readonly<Record<string, string>>;
    readonly files: readonly ReceivedFile[];
  },
): string {
  const hash = createHash('sha256').update(`${request.method} ${request.originalUrl}\n`);
  if (body) hash.update(body);
  if (multipart) {
    const fields = Object.entries(multipart.fields).sort(([a], [b]) => (a < b ? -1 : 1));
    const files = multipart.files.map(({ filename, blob }) => [filename, blob.sha256]);
    hash.update(JSON.stringify({ fields, files }));
  }
  return hash.digest('hex');
}

/**
 * Runs an operation at most once for its key: answers a repeat with the first reply and keeps the first for repeats.
 */
export async function once<Reply>(
  core: Core,
  caller: Caller,
  key: string,
  fingerprint: string,
  present: (result: unknown) => Reply,
  run: (caller: Caller) => Promise<unknown>,
): Promise<{ readonly reply: Reply; readonly repeated: boolean }> {
  const first = await core.receipts.openReceipt(caller.scope, key, fingerprint);
  if (first !== undefined) return { reply: JSON.parse(first) as Reply, repeated: true };
  const answerTo = (result: unknown) => core.receipts.sealAnswer(JSON.stringify(present(result)));
  try {
    const result = await run({ ...caller, receipt: { key, fingerprint, answerTo } });
    return { reply: present(result), repeated: false };
  } catch (error) {
    await core.receipts.dropReceipt(caller.scope, key, fingerprint);
    throw error;
  }
}
