import { OfflineError } from '../api/errors.ts';
import { trustedWorker } from '../app/trusted-types.ts';

/** Sent by `web/hash-worker/hash-worker.ts`. */
type HashReply = { readonly id: number } & (
  { readonly hash: string } | { readonly error: unknown }
);

interface Wish {
  readonly resolve: (hash: string) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker without work is ended after this time. */
const IDLE_MS = 10_000;

const wishes = new Map<number, Wish>();
const known = new WeakMap<File, string>();
let worker: Worker | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;

/** The SHA-256 of a file in lower-case hex. Rejects if the file can not be read, and when `signal` is aborted. */
export async function hashFile(file: File, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const before = known.get(file);
  if (before !== undefined) return before;
  const id = ++lastId;
  clearTimeout(idle);
  const used = (worker ??= openWorker());
  const cancel = () => {
    used.postMessage({ id, file: null });
    wishes.get(id)?.reject(signal.reason);
  };
  signal.addEventListener('abort', cancel);
  try {
    const hash = await new Promise<string>((resolve, reject) => {
      wishes.set(id, { resolve, reject });
      used.postMessage({ id, file });
    });
    known.set(file, hash);
    return hash;
  } finally {
    signal.removeEventListener('abort', cancel);
    wishes.delete(id);
    if (wishes.size === 0) idle = setTimeout(closeWorker, IDLE_MS);
  }
}

function openWorker(): Worker {
  const opened = new Worker(trustedWorker(HASH_WORKER_PATH), { type: 'module' });
  opened.addEventListener('message', ({ data }: MessageEvent<HashReply>) => {
    const wish = wishes.get(data.id);
    if ('hash' in data) wish?.resolve(data.hash);
    else wish?.reject(data.error);
  });
  // Its file could not be loaded: that is repeated like a request.
  opened.addEventListener('error', () => {
    closeWorker();
    for (const { reject } of wishes.values())
      reject(new OfflineError('The worker that compares files could not be loaded.'));
  });
  return opened;
}

function closeWorker(): void {
  worker?.terminate();
  worker = undefined;
}
