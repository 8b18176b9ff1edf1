/// <reference lib="webworker" />
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

declare const self: DedicatedWorkerGlobalScope;

/** A file to be hashed, or the end of the wish for it. Also named in `web/uploads/hash-file.ts`, which sends it. */
type HashRequest = { readonly id: number; readonly file: File | null };

/** The memory that a file needs, however large it is. */
const PIECE_BYTES = 4 * 2 ** 20;

/** Those that are being hashed. */
const wanted = new Set<number>();

self.addEventListener('message', ({ data: { id, file } }: MessageEvent<HashRequest>) => {
  if (file) void respond(id, file);
  else wanted.delete(id);
});

async function respond(id: number, file: File): Promise<void> {
  wanted.add(id);
  try {
    const hash = await hashOf(id, file);
    if (hash !== undefined) self.postMessage({ id, hash });
  } catch (error) {
    self.postMessage({ id, error });
  } finally {
    wanted.delete(id);
  }
}

/** SHA-256 in lower-case hex; undefined once it is no longer wanted. The platform's own digest needs the whole file in memory. */
async function hashOf(id: number, file: File): Promise<string | undefined> {
  const hash = sha256.create();
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    const piece = await file.slice(start, start + PIECE_BYTES).arrayBuffer();
    if (!wanted.has(id)) return undefined;
    hash.update(new Uint8Array(piece));
  }
  return bytesToHex(hash.digest());
}
