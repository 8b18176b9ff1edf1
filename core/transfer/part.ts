import type { NewEntry, ReadableArchive } from '../../ports/archives.ts';
import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { CalendarFormat } from '../../ports/calendar-format.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Breather, Clock, Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Zone } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import type { Places } from './places.ts';
import type { VisibleTwins } from './visible-twins.ts';

export type TransferStores = Pick<
  Stores,
  | 'objects'
  | 'versions'
  | 'contents'
  | 'placements'
  | 'texts'
  | 'enrichments'
  | 'links'
  | 'search'
  | 'collections'
  | 'themes'
  | 'zoneLock'
  | 'chats'
  | 'settings'
  | 'tasks'
  | 'receipts'
  | 'calendar'
  | 'agentRoles'
>;

export interface ExportDeps {
  readonly uow: UnitOfWork<keyof TransferStores>;
  readonly blobs: OwnerBlobs;
  readonly calendars: CalendarFormat;
  readonly breather: Breather;
}

/** An export under way. */
export interface Source {
  readonly deps: ExportDeps;
  readonly caller: Caller;
  /** As it stood when the export began; it is asked once. */
  readonly zone: Zone;
  readonly startedAt: Instant;
  readonly places: Places;
  /** What could not be read although it should be there. */
  readonly leftOut: LeftOut[];
}

export interface LeftOut {
  readonly objectId: string;
  readonly filename: string;
  readonly version: number;
  readonly reason: string;
}

/** What a part gives to the archive: a file of its own, or a line of its metadata. */
export type Outgoing =
  | { readonly entry: NewEntry }
  /** `counts`: it is one of what the manifest counts. */
  | { readonly line: unknown; readonly counts: boolean };

export interface ImportDeps {
  readonly uow: UnitOfWork<keyof TransferStores>;
  readonly blobs: OwnerBlobs;
  readonly calendars: CalendarFormat;
  readonly zones: TimeZones;
  readonly jobs: JobQueue;
  readonly breather: Breather;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly digests: SecretDigest;
}

/** What became of the records of one kind. */
export interface Tally {
  created: number;
  /** Were there already, the same. */
  unchanged: number;
  /** Went into one of the same name, or continued one that had its beginning. */
  merged: number;
}

/** Ids that are others here than in the archive. */
export type Moved = Map<string, string>;

/** An import under way. */
export interface Target {
  readonly deps: ImportDeps;
  readonly caller: Caller;
  readonly archive: ReadableArchive;
  readonly zone: Zone;
  /** The themes in the archive. */
  readonly themeIds: ReadonlySet<string>;
  /** Behind a closed zone: the objects here that records may be recognized in. */
  readonly twins: VisibleTwins;
  /** Behind a closed zone: the themes that a record of this import has become. */
  readonly matchedThemeIds: Set<string>;
  /** Contents that this import has stored: no other record needs to bring these bytes again. */
  readonly stored: Set<string>;
  readonly moved: { readonly themes: Moved; readonly collections: Moved; readonly objects: Moved };
  readonly tallies: {
    readonly [K in 'themes' | 'collections' | 'objects' | 'chats' | 'events' | 'agents']: Tally;
  };
  /** The session whose messages come next: all but the first `known`, which are there already. */
  session: { readonly id: string; known: number } | undefined;
  /** How many records have another id here. */
  newIds: number;
  settings: 'imported' | 'kept' | 'none';
  read<T>(work: (stores: TransferStores) => Promise<T>): Promise<T>;
  /** A unit of work that also says that the import is still running. */
  write<T>(work: (stores: TransferStores) => Promise<T>): Promise<T>;
}

/** A file of the archive that a record refers to. */
export interface Needed {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * One part of a workspace, on its way out and in: its records are the lines of `metadata/<name>-000001.jsonl` and those
 * that follow. A new part is an object of this type and its place in the table.
 */
export interface Part<R> {
  readonly name: string;
  out(source: Source): AsyncIterable<Outgoing>;
  /** Reads the lines of one pass, in their order. What it gives throws Unreadable. */
  reader(): (sent: unknown) => R;
  needs(record: R): readonly Needed[];
  /** Looks into what a record refers to, before anything is taken in. Throws Unreadable. */
  inspect?(deps: ImportDeps, archive: ReadableArchive, record: R): Promise<void>;
  /** Records that are taken in at once, at most. */
  readonly atOnce: number;
  /** Takes records in, in their order. What is there already stays as it is, so that a repeat changes nothing. */
  take(target: Target, records: readonly R[]): Promise<void>;
}

export type AnyPart = Part<unknown>;
