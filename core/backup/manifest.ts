import type { TableShape } from '../../ports/backup.ts';
import type { Instant } from '../../ports/runtime.ts';
import { BackupError } from './errors.ts';

export const MANIFEST = 'manifest.json';
/** Signature of the manifest: HMAC with the installation key, in hex. */
export const SIGNATURE = 'manifest.hmac';
/** One line per file: its id, its size and its SHA-256, in the order of the ids. */
export const FILE_LIST = 'blobs.ndjson';
export const FORMAT = 'owner-workspace-backup';
/** Version 1 has the rows of builds from before the first release, whose schema numbers mean other tables. */
export const FORMAT_VERSION = 2;

/** An entry of the archive: uncompressed bytes, SHA-256 in lower-case hex. */
export interface Part {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface BackedUpTable extends TableShape {
  readonly rows: number;
  /** Each of its lines is one row: a JSON array of the values of its columns. */
  readonly parts: readonly Part[];
}

/** Metadata of a backup. Written last, and signed. */
export interface Manifest {
  readonly createdAt: Instant;
  readonly madeBy: string;
  readonly profile: string;
  /** The schema version of the tables. */
  readonly schema: number;
  /** Fingerprint of the key with which secrets are sealed. */
  readonly key: string;
  /** Number of sealed secrets. */
  readonly sealed: number;
  readonly tables: readonly BackedUpTable[];
  readonly files: {
    readonly count: number;
    readonly bytes: number;
    /** Number of rows whose bytes were missing or did not match. */
    readonly damaged: number;
    readonly list: Part;
  };
}

export const rowsIn = ({ tables }: Manifest): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

export function manifestText(manifest: Manifest): string {
  const { createdAt, madeBy, ...rest } = manifest;
  const created_at = new Date(createdAt).toISOString();
  const head = { format: FORMAT, version: FORMAT_VERSION, created_at, made_by: madeBy };
  return `${JSON.stringify({ ...head, ...rest }, null, 2)}\n`;
}

/** Throws BackupError if the text is not a manifest of a backup, or has a newer format. */
export function readManifest(text: string): Manifest {
  const sent = parsed(text);
  if (sent['format'] === 'owner-workspace-export')
    throw new BackupError('It is the export of a workspace. Its owner can import it.');
  if (sent['format'] !== FORMAT) throw notOurs();
  const version = whole(sent['version']);
  if (version < FORMAT_VERSION)
    throw new BackupError(
      `It was made by a build from before the first release (version ${version} of the format), which this version ` +
        'cannot restore. Restore it with that build, export each workspace there (GET /v1/export), and import ' +
        'the exports here (POST /v1/import).',
    );
  if (version > FORMAT_VERSION)
    throw new BackupError(
      `It has version ${version} of the format; this program reads version ${FORMAT_VERSION}. Use a newer one.`,
    );
  const files = record(sent['files']);
  const createdAt = Date.parse(string(sent['created_at']));
  if (Number.isNaN(createdAt)) throw notOurs();
  return {
    createdAt,
    madeBy: string(sent['made_by']),
    profile: string(sent['profile']),
    schema: whole(sent['schema']),
    key: string(sent['key']),
    sealed: whole(sent['sealed']),
    tables: list(sent['tables']).map((it) => {
      const table = record(it);
      return {
        name: string(table['name']),
        columns: list(table['columns']).map(string),
        rows: whole(table['rows']),
        parts: list(table['parts']).map(part),
      };
    }),
    files: {
      count: whole(files['count']),
      bytes: whole(files['bytes']),
      damaged: whole(files['damaged']),
      list: part(files['list']),
    },
  };
}

const notOurs = (): BackupError =>
  new BackupError(`${MANIFEST} in it is not a manifest of a backup.`);

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return record(JSON.parse(text));
  } catch {
    throw notOurs();
  }
}

function record(sent: unknown): Readonly<Record<string, unknown>> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw notOurs();
  return sent as Readonly<Record<string, unknown>>;
}

function list(sent: unknown): readonly unknown[] {
  if (!Array.isArray(sent)) throw notOurs();
  return sent;
}

function string(sent: unknown): string {
  if (typeof sent !== 'string') throw notOurs();
  return sent;
}

function whole(sent: unknown): number {
  if (!Number.isSafeInteger(sent) || (sent as number) < 0) throw notOurs();
  return sent as number;
}

function part(sent: unknown): Part {
  const { path, size, sha256 } = record(sent);
  return { path: string(path), size: whole(size), sha256: string(sha256) };
}
