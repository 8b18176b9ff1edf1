import {
  CorruptArchiveError,
  type ArchiveFormat,
  type ReadableArchive,
} from '../../ports/archives.ts';
import { BlobTooLargeError } from '../../ports/blobs.ts';
import { boundToFolders } from '../folder-scope/index.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import {
  discardBlobs,
  requireStorageQuota,
  tooLarge,
  type ReceivedFile,
} from '../objects/index.ts';
import {
  follow,
  interruptRun,
  openRun,
  type FollowDeps,
  type ImportFollower,
} from '../imports/index.ts';
import { renewKey, saveResponse } from '../idempotency/index.ts';
import { recordSecurityEvent, sourceOf } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import type { KeyedMutex } from '../shared/keyed-mutex.ts';
import { utf8Length } from '../shared/byte-length.ts';
import { badArchive } from './errors.ts';
import { contentsOf, isNew } from './import-objects.ts';
import type { AnyPart, ImportDeps, ImportCounts, Target, TransferStores } from './part.ts';
import { PARTS, objectsPart } from './parts.ts';
import type { ArchivedObject } from './records.ts';
import { ArchiveFormatError } from './shapes.ts';
import { recordsOf, verify, type Verified } from './verify.ts';
import { VisibleTwins } from './visible-twins.ts';

export interface ImportArchiveDeps extends ImportDeps, ZoneDeps, Pick<FollowDeps, 'timer'> {
  readonly archives: ArchiveFormat;
  readonly mutex: KeyedMutex;
  /** Maximum size of an archive, and of its uncompressed contents. */
  readonly maxImportBytes: number;
}

/** Maximum number of files; each uses about 300 bytes of memory during the import. */
const MAX_ENTRIES = 1_000_000;
/** Maximum size of a batch of records, in UTF-16 units. */
const HELD = 4_000_000;
/** Interval of lease renewals, well below the lease of a request. */
const SIGN_OF_LIFE_MS = 30_000;

export type Imported = Pick<Target, 'tallies' | 'newIds' | 'settings'>;

/** An archive as it is sent. */
export interface SentArchive {
  readonly filename: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Of the whole request; null if it is not known. */
  readonly size: number | null;
  /** With a key the import can be followed: see `openRun`. */
  readonly key?: string | undefined;
}

/** Stores the bytes of an archive, so that they can be read at any offset. */
export async function receiveArchive(
  deps: Pick<ImportArchiveDeps, 'blobs' | 'maxImportBytes'> & FollowDeps,
  caller: Pick<Caller, 'scope' | 'hiddenToken'>,
  { filename, bytes, size, key }: SentArchive,
): Promise<ReceivedFile> {
  const run = { kind: 'workspace', filename, state: 'receiving', total: size } as const;
  const importId = key === undefined ? undefined : await openRun(deps, caller, { ...run, key });
  const { maxImportBytes: maxBytes } = deps;
  const blob = await follow(deps, caller, importId, async (follower) => {
    let done = 0;
    const counted = async function* () {
      for await (const chunk of bytes) {
        done += chunk.length;
        follower.show({ state: 'receiving', done, total: size });
        yield chunk;
      }
    };
    return deps.blobs.writeHere(counted(), { maxBytes }).catch((error: unknown) => {
      throw error instanceof BlobTooLargeError ? tooLarge() : error;
    });
  });
  const type = { kind: 'archive', mime: 'application/zip', format: 'zip' } as const;
  return { filename, blob, type, ...(importId !== undefined && { importId }) };
}

/** Discards archives whose import does not begin. */
export async function discardArchives(
  deps: Pick<ImportArchiveDeps, 'blobs' | 'uow' | 'clock'>,
  caller: Pick<Caller, 'scope'>,
  files: readonly ReceivedFile[],
): Promise<void> {
  await discardBlobs(
    deps,
    files.map(({ blob }) => blob.blobId),
  );
  for (const { importId } of files)
    if (importId !== undefined) await interruptRun(deps, caller, importId);
}

/**
 * Imports an export. Nothing is written before the whole archive has been validated. Then records are stored batch by
 * batch. Ids are preserved if they are free, and existing records are not changed, so an aborted import is completed
 * by the next one, and a repeated one changes nothing.
 *
 * Ends with `bad_archive`, with `plan_limit` if the quota is too small, or with `too_many_roles`, and with `forbidden` for
 * a caller that is bound to folders. The uploaded archive is removed in any case.
 */
export async function importArchive(
  deps: ImportArchiveDeps,
  caller: Caller,
  file: ReceivedFile,
): Promise<Imported> {
  // Serialized: concurrent imports would not see each other's records, but the second of two finds those of the
  // first.
  return follow(deps, caller, file.importId, (follower) => {
    follower.show({ state: 'checking', done: 0, total: null });
    return deps.mutex(`import ${caller.scope.ownerId}`, async () => {
      try {
        if (caller.scope.folderIds) throw boundToFolders();
        return await importEntries(deps, caller, file, follower);
      } catch (error) {
        if (error instanceof CorruptArchiveError || error instanceof ArchiveFormatError)
          throw badArchive(error.message);
        throw error;
      } finally {
        await discardBlobs(deps, [file.blob.blobId]);
      }
    });
  });
}

async function importEntries(
  deps: ImportArchiveDeps,
  caller: Caller,
  { blob }: ReceivedFile,
  follower: ImportFollower,
): Promise<Imported> {
  const archive = await deps.archives.open(
    { size: blob.size, read: (range) => deps.blobs.read(blob.blobId, range) },
    { maxEntries: MAX_ENTRIES, maxBytes: deps.maxImportBytes },
  );
  const onward = signsOfLife(deps, caller);
  const zone = await deps.uow.read(caller.scope, (stores) => zoneFor(deps, stores.pinLock, caller));
  const isZoneClosed = zone === 'closed';
  const verified = await verify(deps, archive, { isZoneClosed, follower }, onward);
  const target = targetOf(deps, caller, archive, zone, verified, follower);
  if (caller.limits.storageBytes !== null) await requireQuotaFor(target, verified, onward);
  await follower.start(verified.objectCount, !isZoneClosed);
  for (const part of PARTS) await importPart(target, part);
  const { tallies, newIds, settings } = target;
  return target.write(async (stores) => {
    await follower.finish(stores, withoutConcealed(target));
    return saveResponse(stores, deps.clock, caller, { tallies, newIds, settings });
  });
}

/** The result as it is read later: numbers that count hidden records would tell that there are some. */
function withoutConcealed({ tallies, concealed, newIds, settings }: Target): Imported {
  const less = (all: ImportCounts, hidden: ImportCounts): ImportCounts => ({
    created: all.created - hidden.created,
    unchanged: all.unchanged - hidden.unchanged,
    merged: all.merged - hidden.merged,
  });
  return {
    tallies: {
      ...tallies,
      themes: less(tallies.themes, concealed.themes),
      objects: less(tallies.objects, concealed.objects),
      chats: less(tallies.chats, concealed.chats),
    },
    newIds: newIds - concealed.newIds,
    settings,
  };
}

async function importPart(target: Target, part: AnyPart): Promise<void> {
  let batch: unknown[] = [];
  let held = 0;
  const take = async () => {
    await part.importRecords(target, batch);
    batch = [];
    held = 0;
  };
  for await (const { record, length } of recordsOf(target.archive, part)) {
    batch.push(record);
    held += length;
    if (batch.length >= part.atOnce || held >= HELD) await take();
  }
  if (batch.length > 0) await take();
}

function targetOf(
  deps: ImportArchiveDeps,
  caller: Caller,
  archive: ReadableArchive,
  zone: Zone,
  { themeIds, objectIds }: Verified,
  follower: ImportFollower,
): Target {
  const tally = (): ImportCounts => ({ created: 0, unchanged: 0, merged: 0 });
  let isRecorded = false;
  return {
    deps,
    caller,
    archive,
    zone,
    themeIds,
    objectIds,
    twins: new VisibleTwins(objectIds, deps.scheduler),
    matchedThemeIds: new Set(),
    stored: new Set(),
    moved: { themes: new Map(), collections: new Map(), objects: new Map() },
    tallies: {
      themes: tally(),
      collections: tally(),
      objects: tally(),
      chats: tally(),
      events: tally(),
      agents: tally(),
      views: tally(),
    },
    concealed: { themes: tally(), objects: tally(), chats: tally(), newIds: 0 },
    follower,
    session: undefined,
    newIds: 0,
    settings: 'none',
    read: (work) => deps.uow.read(caller.scope, work),
    write: async (work) => {
      const result = await deps.uow.write(
        caller.scope,
        async (stores) => {
          await renewKey(stores, deps.clock, caller);
          if (!isRecorded) await recordImport(deps, stores, caller);
          return work(stores);
        },
        'large',
      );
      isRecorded = true;
      return result;
    },
  };
}

/**
 * Recorded with the first batch: an import that is interrupted has changed the workspace as well. Numbers are left out, since
 * they would count hidden records.
 */
const recordImport = (deps: ImportArchiveDeps, stores: TransferStores, caller: Caller) =>
  recordSecurityEvent(deps, stores, sourceOf(caller), {
    kind: 'imported',
    detail: 'An export was imported.',
  });

/** Renews the lease of the request's idempotency key during a long import, and yields. */
function signsOfLife(deps: ImportArchiveDeps, caller: Caller): () => Promise<void> {
  let last = deps.clock.now();
  let steps = 0;
  return async () => {
    if (++steps % 64 === 0) await deps.scheduler.yield();
    if (!caller.receipt || deps.clock.now() - last < SIGN_OF_LIFE_MS) return;
    last = deps.clock.now();
    await deps.uow.write(caller.scope, (stores) => renewKey(stores, deps.clock, caller));
  };
}

/**
 * Checks the quota for all imported bytes, each content of the archive once. Contents that are stored already count
 * too, as with an upload: otherwise the result would reveal hidden contents.
 */
async function requireQuotaFor(
  target: Target,
  { objectIds }: Verified,
  onward: () => Promise<void>,
): Promise<void> {
  const { deps, caller, archive } = target;
  // Duplicates are consumed by the check, so the import needs its own.
  const counting = { ...target, twins: new VisibleTwins(objectIds, deps.scheduler) };
  const sizes = new Map<string, number>();
  let texts = 0;
  for await (const { record } of recordsOf(archive, objectsPart)) {
    const object = record as ArchivedObject;
    if (await isNew(counting, object)) {
      for (const { sha256, size } of contentsOf(object)) sizes.set(sha256, size);
      texts += utf8Length(object.correction?.text ?? '');
    }
    await onward();
  }
  const more = [...sizes.values()].reduce((sum, size) => sum + size, texts);
  if (sizes.size > 0 || texts > 0)
    await deps.uow.read(caller.scope, (stores) =>
      requireStorageQuota(stores, caller, more, target.zone),
    );
}
