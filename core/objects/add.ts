import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { VersionOrigin } from '../../ports/contents.ts';
import type { NameSource, StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { OnDuplicate } from '../../ports/uploads.ts';
import { docTypeOfFile } from '../enrichment/index.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import {
  discardBlobs,
  discardBlobsOnError,
  putContent,
  requireStorageQuota,
  type ContentStores,
  type IncomingContent,
} from './content.ts';
import { alreadyExists } from './errors.ts';
import { normalizeFilename, nameFromTitle, titleFromLine } from './filename.ts';
import type { ReceivedFile } from './receive.ts';
import { LINK_TYPE, nameFromUrl, urlShortcutFile } from './link.ts';
import { viewOf, type ObjectView } from './view.ts';

type AddStores = ContentStores & Pick<Stores, 'collections' | 'pinLock' | 'idempotency'>;

export interface AddDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof AddStores>;
  readonly blobs: OwnerBlobs;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The owner of the new objects. */
type Adder = Pick<Caller, 'scope' | 'limits' | 'hiddenToken' | 'receipt'>;

export interface Placement {
  readonly collectionId?: string;
  readonly isHidden?: boolean;
}

export interface AddedObject extends ObjectView {
  /** The object existed before. */
  readonly duplicate: boolean;
}

/** Creates objects from received files: all of the request or none. */
export async function addFiles(
  deps: AddDeps,
  caller: Caller,
  files: readonly ReceivedFile[],
  options: Placement & { readonly onDuplicate?: OnDuplicate },
): Promise<readonly AddedObject[]> {
  return settle(deps, caller, files, async (stores, zone, outcome) => {
    // Also called for files whose bytes exist already and that are not stored.
    await requireFolder(stores, options.collectionId ?? null);
    const added: AddedObject[] = [];
    for (const file of files) {
      const { object, duplicate } = await addUnlessTwin(deps, stores, caller, outcome, zone, {
        file,
        onDuplicate: options.onDuplicate ?? 'keep',
        place: () => Promise.resolve(options),
      });
      added.push({ ...(await viewOf(stores, object)), duplicate });
    }
    return added;
  });
}

/** A file, and where it goes unless its bytes are already those of an object. */
interface WantedFile {
  readonly file: ReceivedFile;
  readonly onDuplicate: OnDuplicate;
  readonly place: () => Promise<Placement>;
  /** How it came; uploaded by default. */
  readonly origin?: VersionOrigin;
}

async function addUnlessTwin(
  deps: AddDeps,
  stores: AddStores,
  caller: Adder,
  outcome: Outcome,
  zone: Zone,
  { file, onDuplicate, place, origin = 'upload' }: WantedFile,
): Promise<{ readonly object: StoredObject; readonly duplicate: boolean }> {
  const twin = await twinOf(stores, zone, file, onDuplicate);
  if (twin) {
    outcome.spares.push(file.blob.blobId);
    return { object: twin, duplicate: true };
  }
  const object = await addFile(deps, stores, caller, outcome, file, await place(), origin);
  return { object, duplicate: false };
}

/**
 * Creates an object from one file that was received in parts. `work` adds it, once, together with related changes in the
 * same unit of work. `nudges` collects the tasks of these changes.
 */
export async function addAssembledFile<K extends keyof Stores, Result>(
  deps: AddDeps & { readonly uow: UnitOfWork<K> },
  caller: Adder,
  file: ReceivedFile,
  work: (
    stores: Pick<Stores, K> & AddStores,
    add: (wanted: Omit<WantedFile, 'file'>) => ReturnType<typeof addUnlessTwin>,
    nudges: TaskNudge[],
  ) => Promise<Result>,
): Promise<Result> {
  return settle(deps, caller, [file], (stores, zone, outcome) =>
    work(
      stores as Pick<Stores, K> & AddStores,
      (wanted) => addUnlessTwin(deps, stores, caller, outcome, zone, { ...wanted, file }),
      outcome.nudges,
    ),
  );
}

/**
 * Creates objects from files sent by a visitor: `work` decides the destination of each and adds related changes, in
 * the same unit of work. All of the request or none.
 */
export async function addFilesFrom<Result>(
  deps: AddDeps,
  host: Adder,
  files: readonly ReceivedFile[],
  work: (
    stores: AddStores,
    add: (file: ReceivedFile, placement: Placement) => Promise<StoredObject>,
  ) => Promise<Result>,
): Promise<Result> {
  return settle(deps, host, files, (stores, _zone, outcome) =>
    work(stores, (file, placement) => addFile(deps, stores, host, outcome, file, placement)),
  );
}

const addFile = (
  deps: AddDeps,
  stores: AddStores,
  caller: Adder,
  outcome: Outcome,
  { blob, type, filename }: ReceivedFile,
  placement: Placement,
  origin: VersionOrigin = 'upload',
): Promise<StoredObject> =>
  addObject(deps, stores, caller, outcome, {
    incoming: { blob, type, origin },
    filename,
    nameSource: 'original',
    title: '',
    placement,
  });

/** A Markdown note, named after its title or its first line. */
export async function addNote(
  deps: AddDeps,
  caller: Caller,
  note: Placement & { readonly content: string; readonly title?: string },
): Promise<ObjectView> {
  const blob = await deps.blobs.write(caller.scope, note.content, {
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
  const type = { kind: 'note', mime: 'text/markdown', format: 'md' } as const;
  return settle(deps, caller, [{ blob }], async (stores, _zone, outcome) => {
    const title = note.title ?? titleFromLine(firstLine(note.content));
    const object = await addObject(deps, stores, caller, outcome, {
      incoming: { blob, type, origin: 'save' },
      filename: nameFromTitle(title, 'md'),
      nameSource: note.title === undefined ? 'original' : 'user',
      title,
      placement: note,
    });
    return viewOf(stores, object);
  });
}

/**
 * A link to a page, which is fetched later. Named after its title, or after its URL until the page's title is known.
 */
export async function addLink(
  deps: AddDeps,
  caller: Caller,
  link: Placement & { readonly url: string; readonly title?: string },
): Promise<ObjectView> {
  const blob = await deps.blobs.write(caller.scope, urlShortcutFile(link.url), {
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
  return settle(deps, caller, [{ blob }], async (stores, _zone, outcome) => {
    const object = await addObject(deps, stores, caller, outcome, {
      incoming: { blob, type: LINK_TYPE, origin: 'save' },
      filename: nameFromTitle(link.title ?? nameFromUrl(link.url), LINK_TYPE.format),
      nameSource: link.title === undefined ? 'original' : 'user',
      title: link.title === undefined ? '' : normalizeFilename(link.title),
      sourceUrl: link.url,
      placement: link,
    });
    return viewOf(stores, object);
  });
}

interface Outcome {
  readonly nudges: TaskNudge[];
  /** Blobs that turned out to be unneeded. */
  readonly spares: (string | null)[];
}

/** One write unit for additions whose blobs are stored already. */
async function settle<Result>(
  deps: AddDeps,
  caller: Adder,
  incoming: readonly { readonly blob: { readonly blobId: string } }[],
  work: (stores: AddStores, zone: Zone, outcome: Outcome) => Promise<Result>,
): Promise<Result> {
  const outcome: Outcome = { nudges: [], spares: [] };
  const unit = deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    return saveResponse(stores, deps.clock, caller, await work(stores, zone, outcome));
  });
  const written = incoming.map(({ blob }) => blob.blobId);
  const result = await discardBlobsOnError(deps, unit, written);
  await enqueueAll(deps.jobs, outcome.nudges);
  await discardBlobs(deps, outcome.spares);
  return result;
}

interface Addition {
  readonly incoming: IncomingContent;
  readonly filename: string;
  readonly nameSource: NameSource;
  readonly title: string;
  readonly sourceUrl?: string;
  readonly placement: Placement;
}

async function addObject(
  deps: AddDeps,
  stores: AddStores,
  caller: Adder,
  outcome: Outcome,
  { incoming, filename, nameSource, title, sourceUrl, placement }: Addition,
): Promise<StoredObject> {
  const collectionId = placement.collectionId ?? null;
  await requireFolder(stores, collectionId);
  const zone = await zoneFor(deps, stores.pinLock, caller);
  await requireStorageQuota(stores, caller, incoming.blob.size, zone);
  const now = deps.clock.now();
  const change = await putContent(
    deps,
    stores,
    {
      id: deps.random.uuid(),
      filename,
      originalName: filename,
      aiName: '',
      nameSource,
      nameLocked: nameSource === 'user',
      version: 1,
      status: 'pending',
      error: null,
      isHidden: placement.isHidden ?? false,
      deletedAt: null,
      collectionId,
      categories: [],
      docType: docTypeOfFile({ ...incoming.type, filename }),
      title,
      summary: '',
      meetingDate: null,
      suggestedName: null,
      suggestedReason: null,
      suggestedCollectionId: null,
      folderAnswered: false,
      sourceUrl: sourceUrl ?? null,
      textState: 'pending',
      hasCorrections: false,
      needsManual: false,
      createdAt: now,
      updatedAt: now,
    },
    incoming,
  );
  // Searchable by name immediately, even before its text is extracted.
  await indexObjectMetadata(stores.search, change.object);
  outcome.nudges.push(...change.nudges);
  outcome.spares.push(change.unusedBlobId);
  return change.object;
}

/** An existing object with the same bytes that the caller may see, if duplicates are not wanted. */
async function twinOf(
  stores: AddStores,
  zone: Zone,
  file: ReceivedFile,
  onDuplicate: OnDuplicate,
): Promise<StoredObject | undefined> {
  if (onDuplicate === 'keep') return undefined;
  const twin = await stores.objects.withHash(file.blob.sha256, zone !== 'closed');
  if (twin && onDuplicate === 'reject') throw alreadyExists();
  return twin;
}

function firstLine(content: string): string {
  const line = content.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.replace(/^\s*#+\s*/, '').trim();
}
