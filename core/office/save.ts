import type { OwnerBlobs, WrittenBlob } from '../../ports/blobs.ts';
import { BlobTooLargeError } from '../../ports/blobs.ts';
import type { ObjectVersion } from '../../ports/contents.ts';
import type { AccountRoles, Owner } from '../../ports/identity.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import { DownloadError, type OfficeSession } from '../../ports/office.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { ContentSniffer, ContentType } from '../../ports/text-extraction.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneOfBackground } from '../hidden-zone/index.ts';
import { findCredential, limitsOf } from '../identity/index.ts';
import {
  discardBlobs,
  ContentSample,
  addConflictVersion,
  discardBlobsOnError,
  replaceContent,
  requireStorageQuota,
  unsupportedType,
  type ContentChange,
  type ContentStores,
  type IncomingContent,
} from '../objects/index.ts';
import type { NotifyDeps } from '../notifications/index.ts';
import { notFound } from '../shared/common-errors.ts';
import { enqueueAll } from '../tasks/index.ts';
import { savedType } from './formats.ts';
import type { OfficeDeps } from './office.ts';
import type { CallbackCapability } from './capability-urls.ts';
import { withProcessedSave, unknownSession } from './sessions.ts';
import { having, notifyConflict } from './notify-owner.ts';

export interface DownloadSavedDeps extends OfficeDeps {
  readonly blobs: OwnerBlobs;
  readonly sniffer: ContentSniffer;
  readonly maxUploadBytes: number;
}

/** A file saved by the document server: durable, without a row. */
export interface SavedFile {
  readonly blob: WrittenBlob;
  /** The detected type of its bytes. */
  sniffedAs(format: string): Promise<ContentType>;
}

const IDLE_MS = 30_000;
/** The document server waits this long for the reply to its callback. */
const TOTAL_MS = 9 * 60_000;

/** Downloads the saved file, from the document server only. Ends with DownloadError. */
export async function downloadSavedFile(
  deps: DownloadSavedDeps,
  scope: OwnerScope,
  url: string,
): Promise<SavedFile> {
  if (!deps.office) throw notFound();
  const maxBytes = deps.maxUploadBytes;
  const bytes = deps.office.engine.download(url, { maxBytes, idleMs: IDLE_MS, totalMs: TOTAL_MS });
  const head = new ContentSample();
  const blob = await deps.blobs
    .write(scope, head.of(bytes), { maxBytes })
    .catch((error: unknown) => {
      throw error instanceof BlobTooLargeError
        ? new DownloadError('The file is too large.')
        : error;
    });
  return { blob, sniffedAs: (format) => deps.sniffer.identify(head.bytes, `saved.${format}`) };
}

type SavedFileStores = ContentStores &
  Pick<Stores, 'officeSessions' | 'tokens' | 'sessions' | 'pinLock'>;

export interface StoreSavedDeps extends NotifyDeps {
  readonly uow: UnitOfWork<keyof SavedFileStores>;
  readonly blobs: OwnerBlobs;
  readonly jobs: JobQueue;
  readonly digests: SecretDigest;
  readonly roles: AccountRoles;
}

export interface SaveOutcome {
  readonly saved: SavedFile;
  /** The signed token of the callback. */
  readonly proof: string;
  /** The session is closed. */
  readonly closes: boolean;
}

/**
 * Stores a saved file as the object's next version if the edit is based on the current one, and as a conflict version
 * otherwise, with all related changes in one unit of work.
 */
export async function storeSavedFile(
  deps: StoreSavedDeps,
  pass: CallbackCapability,
  owner: Owner,
  { saved, proof, closes }: SaveOutcome,
): Promise<void> {
  const { blob } = saved;
  const opened = await discardBlobsOnError(deps, openedVersion(deps, pass), [blob.blobId]);
  const type = savedType(opened, await saved.sniffedAs(opened.format));
  if (!type) {
    await discardBlobs(deps, [blob.blobId]);
    throw unsupportedType();
  }
  const limits = limitsOf(deps.roles, owner.role);
  const incoming: IncomingContent = { blob, type, origin: 'office' };
  const unit = deps.uow.write(pass.scope, async (stores) => {
    const object = await stores.objects.find(pass.objectId);
    if (!object) throw notFound();
    const known =
      (await stores.officeSessions.find(object.id, pass.key)) ??
      unknownSession(object.id, pass.key, pass.version, deps.clock.now());
    const what = deps.digests.digest(`${proof}\n${blob.sha256}`);
    const session: OfficeSession = {
      ...known,
      state: closes ? 'closed' : known.state,
      processedSaves: withProcessedSave(known, what),
    };
    if (known.processedSaves.includes(what)) {
      await stores.officeSessions.save(session);
      return undefined;
    }
    const rightful = await findCredential(deps.clock, stores, pass.credential);
    const shouldContinue = rightful && continues(known, object);
    const requireQuota = async () =>
      requireStorageQuota(stores, { limits }, blob.size, await zoneOfBackground(stores.pinLock));
    return shouldContinue
      ? putOnTop(deps, stores, { session, object, incoming, requireQuota })
      : putBeneath(deps, stores, { session, object, incoming, requireQuota });
  });
  const change = await discardBlobsOnError(deps, unit, [blob.blobId]);
  await enqueueAll(deps.jobs, change?.nudges ?? []);
  await discardBlobs(deps, [change ? change.unusedBlobId : blob.blobId]);
}

/** Whether the edit is based on the current content, as far as this service knows. */
const continues = (session: OfficeSession, object: StoredObject): boolean =>
  session.state === 'open' && session.version === object.version && object.deletedAt === null;

/** The type of the file that was given to the document server. */
async function openedVersion(deps: StoreSavedDeps, pass: CallbackCapability): Promise<ContentType> {
  const version = await deps.uow.read(pass.scope, ({ versions }) =>
    versions.find(pass.objectId, pass.version),
  );
  if (!version) throw notFound();
  return { kind: version.kind, mime: version.mime, format: version.format };
}

interface Placing {
  readonly session: OfficeSession;
  readonly object: StoredObject;
  readonly incoming: IncomingContent;
  readonly requireQuota: () => Promise<void>;
}

async function putOnTop(
  deps: StoreSavedDeps,
  stores: SavedFileStores,
  { session, object, incoming, requireQuota }: Placing,
): Promise<ContentChange | undefined> {
  const notifiedIssues = session.notifiedIssues.filter((trouble) => trouble !== 'failed');
  // Closed with the content that was saved last.
  if (incoming.blob.sha256 === object.contentHash) {
    await stores.officeSessions.save({ ...session, notifiedIssues });
    return undefined;
  }
  await requireQuota();
  const change = await replaceContent(deps, stores, object, incoming);
  await stores.officeSessions.save({ ...session, notifiedIssues, version: change.object.version });
  return change;
}

async function putBeneath(
  deps: StoreSavedDeps,
  stores: SavedFileStores,
  { session, object, incoming, requireQuota }: Placing,
): Promise<ContentChange | undefined> {
  const there = await inHistory(stores, object.id, incoming.blob.sha256);
  // The same callback was processed before, with its notifications.
  if (there?.origin === 'office') {
    await stores.officeSessions.save(session);
    return undefined;
  }
  await stores.officeSessions.save(having(session, 'conflict'));
  if (there) {
    await notifyConflict(deps, stores, session, object, there.version);
    return undefined;
  }
  await requireQuota();
  const change = await addConflictVersion(deps, stores, object, incoming);
  await notifyConflict(deps, stores, session, change.object, object.version + 1);
  return change;
}

const LOOKED_THROUGH = 100;

/** Among the latest versions: content that is already there need not be stored again. */
async function inHistory(
  { versions }: Pick<Stores, 'versions'>,
  objectId: string,
  sha256: string,
): Promise<ObjectVersion | undefined> {
  const { items } = await versions.page(objectId, LOOKED_THROUGH, 0);
  const same = items.filter((version) => version.sha256 === sha256);
  return same.find(({ origin }) => origin === 'office') ?? same[0];
}
