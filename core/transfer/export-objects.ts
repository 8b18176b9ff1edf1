import type { ObjectVersion } from '../../ports/contents.ts';
import type { EntryDigest } from '../../ports/archives.ts';
import type { LinkPreview } from '../../ports/links.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Instant } from '../../ports/runtime.ts';
import { openBlob, isCompressible, readableName } from './entries.ts';
import type { TransferStores, ArchiveItem, Source } from './part.ts';
import {
  objectShape,
  type ArchivedObject,
  type ArchivedPreview,
  type ArchivedVersion,
} from './records.ts';

const AT_ONCE = 500;
const VERSIONS_AT_ONCE = 100;

/**
 * Every object that existed at the start of the export, oldest first, in its state when its turn comes. Each is read
 * in a separate unit of work; its bytes follow outside of it. Its metadata is written last, so that it never
 * describes bytes that were deleted meanwhile.
 */
export async function* exportObjects(source: Source): AsyncIterable<ArchiveItem> {
  const contents = new Set<string>();
  for (const id of await objectIds(source)) {
    const found = await source.deps.uow.read(source.caller.scope, (stores) =>
      wholeObject(source, stores, id),
    );
    if (found) yield* objectLines(source, contents, found);
  }
}

/** One consistent state, so that no object is missed that is trashed or restored meanwhile. */
async function objectIds({ deps, caller, zone }: Source): Promise<readonly string[]> {
  const visibility = zone === 'closed' ? 'visible' : 'any';
  const places = await deps.uow.read(caller.scope, async ({ objects }) => {
    const found: { readonly id: string; readonly createdAt: Instant }[] = [];
    for (const trashed of [false, true]) {
      let page = await objects.page({ visibility, trashed }, { limit: AT_ONCE, offset: 0 });
      for (;;) {
        for (const { id, createdAt } of page.items) found.push({ id, createdAt });
        if (!page.next) break;
        await deps.scheduler.yield();
        page = await objects.page({ visibility, trashed }, { limit: AT_ONCE, after: page.next });
      }
    }
    return found;
  });
  places.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  return places.map(({ id }) => id);
}

interface WholeObject {
  readonly object: StoredObject;
  readonly versions: readonly ObjectVersion[];
  readonly made: Pick<ArchivedObject, 'text' | 'correction' | 'enrichment'>;
  readonly preview: LinkPreview | undefined;
  /** The names of its theme and folder. */
  readonly shelf: readonly { readonly id: string; readonly name: string }[];
}

async function wholeObject(
  { zone }: Source,
  stores: TransferStores,
  id: string,
): Promise<WholeObject | undefined> {
  const object = await stores.objects.find(id);
  // Deleted or hidden since.
  if (!object || (object.isHidden && zone === 'closed')) return undefined;
  const { text, correction } = await stores.texts.find(id);
  const enrichment = await stores.enrichments.find(id);
  const collection =
    object.collectionId === null ? undefined : await stores.collections.find(object.collectionId);
  const theme =
    collection && collection.themeId !== null
      ? await stores.themes.find(collection.themeId)
      : undefined;
  const shown = theme && (zone !== 'closed' || !theme.isHidden);
  return {
    object,
    versions: await allVersions(stores, id),
    made: {
      text: text ?? null,
      correction: correction ?? null,
      enrichment: enrichment ?? null,
    },
    preview: object.kind === 'link' ? await stores.links.find(id) : undefined,
    shelf: [...(shown ? [theme] : []), ...(collection ? [collection] : [])],
  };
}

/** Oldest first. */
async function allVersions(
  { versions }: TransferStores,
  id: string,
): Promise<readonly ObjectVersion[]> {
  const all: ObjectVersion[] = [];
  for (;;) {
    const { items } = await versions.page(id, VERSIONS_AT_ONCE, all.length);
    all.push(...items);
    if (items.length < VERSIONS_AT_ONCE) return all.reverse();
  }
}

async function* objectLines(
  source: Source,
  contents: Set<string>,
  { object, versions, made: created, preview, shelf }: WholeObject,
): AsyncIterable<ArchiveItem> {
  const path = resolveImportId(source, object, shelf);
  const archived: ArchivedVersion[] = [];
  for (const version of versions) {
    const current = version.sha256 === object.contentHash;
    const place = current ? path : `contents/${version.sha256}`;
    const there = current
      ? archived.some((each) => each.path === path)
      : contents.has(version.sha256);
    if (!there) {
      const why = yield* contentEntry(source, place, version);
      if (why !== undefined) {
        if (!(await isThere(source, object.id))) return;
        const { filename, id: objectId } = object;
        source.leftOut.push({ objectId, filename, version: version.version, reason: why });
        continue;
      }
      if (!current) contents.add(version.sha256);
    }
    archived.push({ ...version, path: place });
  }
  if (!archived.some(({ version }) => version === object.version)) return;
  const record: ArchivedObject = {
    ...object,
    ...created,
    preview: preview ? yield* previewOut(source, contents, object, preview) : null,
    path,
    versions: archived,
  };
  yield { line: objectShape.write(record), counts: true };
}

/** The metadata of the page; its preview image is exported like a content. */
async function* previewOut(
  source: Source,
  contents: Set<string>,
  { id: objectId, filename, version }: StoredObject,
  { image, ...preview }: LinkPreview,
): AsyncGenerator<ArchiveItem, ArchivedPreview> {
  if (!image) return { ...preview, image };
  const { sha256, size, mime, blobId } = image;
  const path = `contents/${sha256}`;
  if (!contents.has(sha256)) {
    const picture = { blobId, sha256, size, createdAt: preview.fetchedAt };
    const why = yield* contentEntry(source, path, { ...picture, kind: 'image', format: '' });
    if (why !== undefined) {
      if (await isThere(source, objectId))
        source.leftOut.push({ objectId, filename, version, reason: `Its picture: ${why}` });
      return { ...preview, image: null };
    }
    contents.add(sha256);
  }
  return { ...preview, image: { sha256, size, mime, path } };
}

/** A readable path: by theme and folder, with hidden and trashed objects separate. */
function resolveImportId(
  { places }: Source,
  object: StoredObject,
  shelf: WholeObject['shelf'],
): string {
  const top = object.deletedAt !== null ? 'trash' : object.isHidden ? 'hidden' : 'files';
  const folder = shelf.reduce((parent, { id, name }) => places.folder(parent, id, name), top);
  return places.file(folder, readableName(object));
}

/** Returns a reason if the bytes cannot be read as stored. */
async function* contentEntry(
  { deps }: Source,
  path: string,
  version: Omit<ObjectVersion, 'objectId' | 'version' | 'mime' | 'origin'>,
): AsyncGenerator<ArchiveItem, string | undefined> {
  const opened = await openBlob(deps.blobs, version.blobId);
  if (!opened) return 'Its bytes are missing.';
  let digest: EntryDigest | undefined;
  try {
    yield {
      entry: {
        path,
        modifiedAt: version.createdAt,
        compress: isCompressible(version, opened.head),
        size: version.size,
        content: opened.bytes,
        written: (told) => void (digest = told),
      },
    };
  } finally {
    await opened.release();
  }
  return digest?.sha256 === version.sha256 ? undefined : 'Its bytes are damaged.';
}

const isThere = ({ deps, caller }: Source, id: string): Promise<boolean> =>
  deps.uow.read(caller.scope, async ({ objects }) => (await objects.find(id)) !== undefined);
