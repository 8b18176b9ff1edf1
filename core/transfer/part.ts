import type { NewEntry, ReadableArchive } from '../../ports/archives.ts';
import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { CalendarFormat } from '../../ports/calendar-format.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Scheduler, Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Zone } from '../hidden-zone/index.ts';
import type { ImportFollower } from '../imports/index.ts';
import type { Caller } from '../shared/caller.ts';
import type { ArchivePaths } from './archive-paths.ts';
import type { VisibleTwins } from './visible-twins.ts';

export type TransferStores = Pick<
  Stores,
  | 'objects'
  | 'versions'
  | 'contents'
  | 'blobLocations'
  | 'texts'
  | 'enrichments'
  | 'links'
  | 'search'
  | 'collections'
  | 'themes'
  | 'pinLock'
  | 'chats'
  | 'settings'
  | 'tasks'
  | 'idempotency'
  | 'calendar'
  | 'agentRoles'
  | 'views'
  | 'securityEvents'
  | 'importRuns'
>;

export interface ExportDeps {
  readonly uow: UnitOfWork<keyof TransferStores>;
  readonly blobs: OwnerBlobs;
  readonly calendars: CalendarFormat;
  readonly scheduler: Scheduler;
}

/** An export in progress. */
export interface Source {
  readonly deps: ExportDeps;
  readonly caller: Caller;
  /** Its state at the start of the export; read once. */
  readonly zone: Zone;
  readonly startedAt: Instant;
  readonly places: ArchivePaths;
  /** Contents that could not be read. */
  readonly leftOut: SkippedEntry[];
}

export interface SkippedEntry {
  readonly objectId: string;
  readonly filename: string;
  readonly version: number;
  readonly reason: string;
}

/** Output of a part: a file, or a line of its metadata. */
export type ArchiveItem =
  | { readonly entry: NewEntry }
  /** `counts`: it is included in the counts of the manifest. */
  | { readonly line: unknown; readonly counts: boolean };

export interface ImportDeps {
  readonly uow: UnitOfWork<keyof TransferStores>;
  readonly blobs: OwnerBlobs;
  readonly calendars: CalendarFormat;
  readonly zones: TimeZones;
  readonly jobs: JobQueue;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly digests: SecretDigest;
}

/** Results for the records of one kind. */
export interface ImportCounts {
  created: number;
  /** Existed already and are equal. */
  unchanged: number;
  /** Merged into one of the same name, or appended to one with the same beginning. */
  merged: number;
}

/** What of the results of an import behind a locked zone concerns hidden records. */
export interface ConcealedCounts {
  readonly themes: ImportCounts;
  readonly objects: ImportCounts;
  readonly chats: ImportCounts;
  newIds: number;
}

/** A session whose messages follow. */
export interface ImportedSession {
  readonly id: string;
  /** How many of its messages exist already. */
  known: number;
  readonly counted: keyof ImportCounts;
  readonly hasNewId: boolean;
  isConcealed: boolean;
}

/** Records whose id differs from the archive's. */
export type IdMapping = Map<string, string>;

/** An import in progress. */
export interface Target {
  readonly deps: ImportDeps;
  readonly caller: Caller;
  readonly archive: ReadableArchive;
  readonly zone: Zone;
  /** The themes in the archive. */
  readonly themeIds: ReadonlySet<string>;
  /** While the zone is locked: the ids of the objects in the archive. */
  readonly objectIds: ReadonlySet<string>;
  /** While the zone is locked: existing objects that may be matched with records. */
  readonly twins: VisibleTwins;
  /** While the zone is locked: the ids of themes created by this import. */
  readonly matchedThemeIds: Set<string>;
  /** Contents that this import has stored: no other record needs to store these bytes again. */
  readonly stored: Set<string>;
  readonly moved: {
    readonly themes: IdMapping;
    readonly collections: IdMapping;
    readonly objects: IdMapping;
  };
  readonly tallies: {
    readonly [
      K in 'themes' | 'collections' | 'objects' | 'chats' | 'events' | 'agents' | 'views'
    ]: ImportCounts;
  };
  /** While the zone is locked. It is no part of what a client reads later. */
  readonly concealed: ConcealedCounts;
  readonly follower: ImportFollower;
  /** The session whose messages follow, except the first `known`, which exist already. */
  session: ImportedSession | undefined;
  /** Number of records whose id differs from the archive's. */
  newIds: number;
  settings: 'imported' | 'kept' | 'none';
  read<T>(work: (stores: TransferStores) => Promise<T>): Promise<T>;
  /** A unit of work that also renews the lease of the import. */
  write<T>(work: (stores: TransferStores) => Promise<T>): Promise<T>;
}

/** A file of the archive that a record refers to. */
export interface ReferencedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * One part of a workspace for export and import: its records are the lines of `metadata/<name>-000001.jsonl` and the
 * following files. A new part is an object of this type in the table of parts.
 */
export interface Part<R> {
  readonly name: string;
  /** It belongs to the account and not to folders: left out for a caller that is bound to folders. */
  readonly isOfAccount?: true;
  out(source: Source): AsyncIterable<ArchiveItem>;
  /** Parses the lines of one pass, in order. Throws ArchiveFormatError. */
  reader(): (sent: unknown) => R;
  needs(record: R): readonly ReferencedFile[];
  /** Validates the references of a record, before anything is imported. Throws ArchiveFormatError. */
  inspect?(deps: ImportDeps, archive: ReadableArchive, record: R): Promise<void>;
  /** Maximum number of records per batch. */
  readonly atOnce: number;
  /** Imports records, in order. Existing ones are not changed, so that a repeated import changes nothing. */
  importRecords(target: Target, records: readonly R[]): Promise<void>;
}

export type AnyPart = Part<unknown>;
