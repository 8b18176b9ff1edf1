import type { NewEntry } from '../../ports/archives.ts';
import { BlobNotFoundError, type BlobStore } from '../../ports/blobs.ts';
import type { BlobReference } from '../../ports/integrity.ts';
import type { Instant } from '../../ports/runtime.ts';
import { BackupError } from './errors.ts';

/** Number of files opened ahead, since most of the time is latency. */
const AHEAD = 6;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** As on disk and in a bucket. */
export const pathOf = (blobId: string): string => `blobs/${blobId.slice(-2)}/${blobId}`;

export interface BlobEntrySummary {
  /** State of the bytes of a file. */
  written(line: { readonly blobId: string; readonly size: number; readonly sha256: string }): void;
  /** Called for a row whose bytes are missing or do not match. Throws to abort the backup. */
  damaged(holding: BlobReference, how: 'missing' | 'changed'): void;
}

/** In the service's storage. */
type Stored = BlobReference & { readonly storedAs: string };

interface Begun {
  readonly holding: Stored;
  readonly first: IteratorResult<Uint8Array> | undefined;
  readonly rest: AsyncIterator<Uint8Array>;
}

/**
 * Every file in the service's storage as an entry, under its copy id. Nothing is compressed, since most content is
 * compressed already. Files in owners' buckets are not included.
 */
export async function* fileEntries(
  blobs: Pick<BlobStore, 'read'>,
  holdings: Iterable<BlobReference>,
  modifiedAt: Instant,
  summary: BlobEntrySummary,
): AsyncGenerator<NewEntry> {
  for await (const { holding, first, rest } of prefetch(blobs, holdings)) {
    const { size, storedAs } = holding;
    if (!first) {
      summary.damaged(holding, 'missing');
      continue;
    }
    yield {
      path: pathOf(storedAs),
      modifiedAt,
      compress: false,
      ...(size !== null && { size }),
      content: joined(first, rest),
      written: (digest) => {
        const toSummary =
          (holding.sha256 ?? digest.sha256) === digest.sha256 &&
          (size ?? digest.size) === digest.size;
        if (!toSummary) summary.damaged(holding, 'changed');
        summary.written({ blobId: storedAs, ...digest });
      },
    };
  }
}

async function* prefetch(
  blobs: Pick<BlobStore, 'read'>,
  holdings: Iterable<BlobReference>,
): AsyncGenerator<Begun> {
  const queue: Promise<Begun>[] = [];
  try {
    for (const holding of holdings) {
      if (!isStored(holding)) continue;
      const reading = begun(blobs, holding);
      // Reported in its turn.
      reading.catch(() => undefined);
      queue.push(reading);
      const next = queue.length >= AHEAD ? queue.shift() : undefined;
      if (next) yield await next;
    }
    for (let next = queue.shift(); next; next = queue.shift()) yield await next;
  } finally {
    for (const reading of queue)
      await reading.then(
        ({ rest }) => rest.return?.(),
        () => undefined,
      );
  }
}

const isStored = (holding: BlobReference): holding is Stored => holding.storedAs !== null;

async function begun(blobs: Pick<BlobStore, 'read'>, holding: Stored): Promise<Begun> {
  if (!UUID.test(holding.storedAs))
    throw new BackupError(
      `${holding.holder} refers to a file ${JSON.stringify(holding.storedAs)}.`,
    );
  const rest = blobs.read(holding.storedAs)[Symbol.asyncIterator]();
  try {
    return { holding, first: await rest.next(), rest };
  } catch (error) {
    if (error instanceof BlobNotFoundError) return { holding, first: undefined, rest };
    throw error;
  }
}

async function* joined(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let step = first; !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}
