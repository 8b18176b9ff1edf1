import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { hiddenLocked } from '../../core/hidden-zone/index.ts';
import type { Core } from '../../core/index.ts';
import type { ReceivedFile } from '../../core/objects/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { headerOf } from './headers.ts';
import type { Access } from './route.ts';
import type { TextFile } from './text-file.ts';
import { asSent } from './validation/json-body.ts';

/**
 * The request's key, if it has one; its length was judged with everything else. A key belongs to the operation and the
 * path it came with: the same one elsewhere is another. A visitor's path holds a secret, which is not kept.
 */
export function keyOf(request: Request, access: Access): string | undefined {
  const key = headerOf(request, 'idempotency-key');
  if (key === undefined) return undefined;
  const { method, path } = request;
  const place = access === 'visitor' ? createHash('sha256').update(path).digest('hex') : path;
  return `${method} ${place} ${key}`;
}

/** Two requests are the same when operation, path, query and body are. */
export function fingerprintOf(
  request: Request,
  body: Uint8Array | undefined,
  multipart?: {
    readonly fields: Readonly<Record<string, string>>;
    readonly files: readonly (ReceivedFile | TextFile)[];
  },
): string {
  const hash = createHash('sha256').update(`${request.method} ${request.originalUrl}\n`);
  if (body) hash.update(body);
  if (multipart) {
    const fields = Object.entries(multipart.fields).sort(([a], [b]) => (a < b ? -1 : 1));
    const files = multipart.files.map((file) =>
      'blob' in file ? [file.filename, file.blob.sha256] : ['', file.sha256],
    );
    hash.update(JSON.stringify({ fields, files }));
  }
  return hash.digest('hex');
}

/** What is kept for a repeat. */
interface Kept<Reply> {
  readonly reply: Reply;
  /** It was made while the hidden zone was open, so it may tell of what is in there. */
  readonly unlocked: boolean;
}

/** Whose data an operation changes. */
export type Acting = Pick<Caller, 'scope' | 'limits' | 'hiddenToken'>;

/**
 * Runs an operation at most once for its key: answers a repeat with the first reply and keeps the first for repeats.
 * What was answered inside the hidden zone, or tells of what has been hidden since, is not said again outside it.
 */
export async function once<Who extends Acting, Reply>(
  core: Core,
  caller: Who,
  key: string,
  fingerprint: string,
  present: (result: unknown) => Reply,
  run: (caller: Who) => Promise<unknown>,
): Promise<{ readonly reply: Reply; readonly repeated: boolean }> {
  const first = await core.receipts.openReceipt(caller.scope, key, fingerprint);
  const { configured, unlocked } = await core.hiddenZone.pinState(caller);
  if (first !== undefined) {
    // With every digit of the numbers in it.
    const kept = asSent(first) as Kept<Reply>;
    const closed = configured && !unlocked;
    // An answer may be silent about the object that the path names.
    const exchange = `${key}\n${first}`;
    if (closed && (kept.unlocked || (await core.hiddenZone.tellsOfHidden(caller, exchange))))
      throw hiddenLocked();
    return { reply: kept.reply, repeated: true };
  }
  const answerTo = (result: unknown) => {
    const kept: Kept<Reply> = { reply: present(result), unlocked };
    return core.receipts.sealAnswer(JSON.stringify(kept));
  };
  try {
    const result = await run({ ...caller, receipt: { key, fingerprint, answerTo } });
    return { reply: present(result), repeated: false };
  } catch (error) {
    await core.receipts.dropReceipt(caller.scope, key, fingerprint);
    throw error;
  }
}
