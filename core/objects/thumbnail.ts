import { BlobNotFoundError, CorruptBlobError, type OwnerBlobs } from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { ContentType } from '../../ports/text-extraction.ts';
import type { Thumbnail, Thumbnailer } from '../../ports/thumbnails.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import type { KeyedMutex } from '../shared/keyed-mutex.ts';
import { discardBlobs, discardBlobsOnError } from './content.ts';
import { unsupportedType } from './errors.ts';
import type { ReadableContent } from './get.ts';
import { findVisible } from './view.ts';

export interface ThumbnailDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'thumbnails' | 'links' | 'pinLock'>;
  readonly blobs: OwnerBlobs;
  readonly thumbnailer: Thumbnailer;
  readonly clock: Clock;
  readonly mutex: KeyedMutex;
}

/** Larger than any WebP of 1 024 pixels. */
const MAX_SOURCE_BYTES = 16 * 2 ** 20;

/** A WebP thumbnail of an object's current content, with the requested longest side unless the image is smaller. */
export async function readThumbnail(
  deps: ThumbnailDeps,
  caller: Caller,
  id: string,
  longestSide: number,
): Promise<ReadableContent> {
  const object = await deps.uow.read(caller.scope, async (stores) =>
    findVisible(stores, await zoneFor(deps, stores.pinLock, caller), id),
  );
  // Concurrent requests for the same thumbnail wait for the one that renders it, and get its result.
  return deps.mutex(`thumbnail/${id}/${longestSide}`, () =>
    thumbnailOf(deps, caller.scope, object, longestSide),
  );
}

/** The thumbnail of an object that the caller may see: from the cache, or rendered and cached. */
export async function thumbnailOf(
  deps: ThumbnailDeps,
  scope: OwnerScope,
  object: StoredObject,
  maxSidePixels: number,
): Promise<ReadableContent> {
  const { source, kept: stored } = await deps.uow.read(scope, async (stores) => {
    const source = await pictureOf(stores, object);
    if (!source) throw unsupportedType({ detail: 'The page of the link has no preview image.' });
    const kept = await stores.thumbnails.find(object.id, source.contentHash, maxSidePixels);
    return { source, kept };
  });
  const bytes = stored && (await bytesOf(deps.blobs, stored));
  if (stored && bytes) return readable(object, stored, bytes);
  const created = await deps.thumbnailer.render({
    type: source.type,
    size: source.size,
    maxSidePixels,
    open: () =>
      deps.blobs.read(source.blobId, undefined, {
        size: source.size,
        sha256: source.contentHash,
      }),
  });
  if (created.outcome === 'none') throw unsupportedType({ detail: created.reason });
  return readable(
    object,
    await keep(deps, scope, object.id, source, maxSidePixels, created.webp),
    created.webp,
  );
}

/** The source of an object's thumbnail. */
interface Picture {
  readonly type: ContentType;
  readonly size: number;
  readonly blobId: string;
  readonly contentHash: string;
}

/** A link uses the preview image of its page, any other object its content. */
async function pictureOf(
  { links }: Pick<Stores, 'links'>,
  { id, kind, mime, format, size, blobId, contentHash }: StoredObject,
): Promise<Picture | undefined> {
  if (kind !== 'link') return { type: { kind, mime, format }, size, blobId, contentHash };
  const image = (await links.find(id))?.image;
  return image
    ? { ...image, type: typeOfPicture(image.mime), contentHash: image.sha256 }
    : undefined;
}

const typeOfPicture = (mime: string): ContentType => ({
  kind: 'image',
  mime,
  format: mime === 'image/jpeg' ? 'jpg' : mime.replace('image/', ''),
});

/**
 * Caches it, unless the object was deleted or changed meanwhile. After a crash in between, the garbage collection
 * finds the blob.
 */
async function keep(
  deps: ThumbnailDeps,
  scope: OwnerScope,
  objectId: string,
  { contentHash }: Picture,
  maxSidePixels: number,
  webp: Uint8Array,
): Promise<Thumbnail> {
  const { blobId, sha256, size } = await deps.blobs.writeHere(once(webp), {
    maxBytes: MAX_SOURCE_BYTES,
  });
  const createdAt = deps.clock.now();
  const created = { objectId, contentHash, maxSidePixels, blobId, sha256, size, createdAt };
  const unit = deps.uow.write(scope, async (stores) => {
    const object = await stores.objects.find(objectId);
    const source = object && (await pictureOf(stores, object));
    return source?.contentHash === contentHash ? stores.thumbnails.put(created) : [blobId];
  });
  await discardBlobs(deps, await discardBlobsOnError(deps, unit, [blobId]));
  return created;
}

/** The cached bytes; undefined if they were removed or are corrupt, since they can be rendered again. */
async function bytesOf(
  blobs: OwnerBlobs,
  { blobId, size, sha256 }: Thumbnail,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    const bytes = blobs.read(blobId, undefined, { size, sha256 });
    for await (const chunk of bytes) chunks.push(chunk);
  } catch (error) {
    if (error instanceof BlobNotFoundError || error instanceof CorruptBlobError) return undefined;
    throw error;
  }
  return joined(chunks);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const readable = (
  { filename, isHidden }: StoredObject,
  { sha256, createdAt }: Thumbnail,
  bytes: Uint8Array,
): ReadableContent => ({
  filename: `${filename.replace(/\.[^.]{1,16}$/, '')}.webp`,
  mime: 'image/webp',
  size: bytes.length,
  sha256,
  modifiedAt: createdAt,
  isHidden,
  open: (range) => once(range ? bytes.subarray(range.first, range.last + 1) : bytes),
});

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}
