import type { NewEntry } from '../../ports/archives.ts';
import type { KeyFingerprint, RowSnapshot, BackupSource } from '../../ports/backup.ts';
import type { BlobStore } from '../../ports/blobs.ts';
import type { BlobReference } from '../../ports/integrity.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Instant } from '../../ports/runtime.ts';
import { BackupError } from './errors.ts';
import { fileEntries } from './blob-entries.ts';
import { acquireDeletionHold, type Hold, type HoldDeps } from './hold.ts';
import {
  FILE_LIST,
  MANIFEST,
  SIGNATURE,
  manifestText,
  type BackedUpTable,
  type Manifest,
  type Part,
} from './manifest.ts';
import type { OnProgress } from './progress.ts';

export interface BackupDeps extends HoldDeps {
  readonly rows: BackupSource;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly key: KeyFingerprint;
  readonly sealer: Pick<Sealer, 'open'>;
}

export interface BackupOptions {
  readonly madeBy: string;
  readonly profile: string;
  /** Continues if bytes are missing or do not match their row, and records the number. */
  readonly keepDamaged: boolean;
  /** Size of a table part in characters, after which another part begins. */
  readonly partLength?: number;
  readonly onProgress: OnProgress;
}

/** Far below the four gigabytes allowed for an entry of unknown size (ZIP without Zip64). */
const PART_LENGTH = 2 ** 28;
const HOLDINGS_AT_ONCE = 1_000;

/** A backup in progress. It contains the entries read so far; the summary is available after the last one. */
export interface Backup {
  readonly hold: Hold;
  readonly entries: AsyncIterable<NewEntry>;
  /** Available once all entries have been read. */
  manifest(): Manifest;
}

/**
 * All rows of one moment, then the bytes they refer to, then the manifest and its signature. Concurrent changes do
 * not affect the backup: bytes are immutable, and the deletion hold keeps them from being removed.
 */
export async function beginBackup(deps: BackupDeps, options: BackupOptions): Promise<Backup> {
  const hold = await acquireDeletionHold(deps);
  let manifest: Manifest | undefined;
  return {
    hold,
    entries: entriesOf(deps, options, hold, (created) => (manifest = created)),
    manifest: () => {
      if (!manifest) throw new Error('The backup is not complete yet.');
      return manifest;
    },
  };
}

async function* entriesOf(
  deps: BackupDeps,
  options: BackupOptions,
  hold: Hold,
  created: (manifest: Manifest) => void,
): AsyncGenerator<NewEntry> {
  const at = deps.clock.now();
  const tables: BackedUpTable[] = [];
  const snapshot = await deps.rows.open();
  let pages: readonly string[];
  let sealed: number;
  try {
    sealed = sealedUnder(deps, await snapshot.sealed());
    for (const { name, columns } of snapshot.tables) {
      const table = { name, columns, rows: 0, parts: [] as Part[] };
      yield* tableEntries(snapshot, table, at, options);
      tables.push(table);
    }
    pages = await holdingPages(snapshot);
  } finally {
    await snapshot.close();
  }

  const lines: string[] = [];
  const files = { count: 0, bytes: 0, damaged: 0 };
  const summary = {
    written: (line: { blobId: string; size: number; sha256: string }) => {
      const { blobId, ...digest } = line;
      // The id is the first field, so that lines sort by id.
      lines.push(`${JSON.stringify({ blob_id: blobId, ...digest })}\n`);
      files.count++;
      files.bytes += digest.size;
      options.onProgress({ step: 'files', done: files.count });
    },
    damaged: ({ holder, blobId }: BlobReference, how: string) => {
      if (!options.keepDamaged)
        throw new BackupError(
          `The bytes of ${holder}/${blobId} are ${how}. \`doctor --verify\` lists all of them; ` +
            '`backup --keep-damaged` backs up what is there.',
        );
      files.damaged++;
    },
  };
  yield* fileEntries(deps.blobs, holdingsIn(pages), at, summary);
  // A hold that has ended cannot be renewed: from then on bytes may have been removed.
  await hold.keep();

  const list: Part[] = [];
  yield { ...text(FILE_LIST, at, inOrder(lines)), written: noted(list, FILE_LIST) };
  const manifest: Manifest = {
    createdAt: at,
    madeBy: options.madeBy,
    profile: options.profile,
    schema: snapshot.schema,
    key: deps.key.fingerprint,
    sealed,
    tables,
    files: { ...files, list: list[0] ?? { path: FILE_LIST, size: 0, sha256: '' } },
  };
  const described = manifestText(manifest);
  yield text(MANIFEST, at, described);
  yield text(SIGNATURE, at, `${deps.key.sign(described)}\n`);
  created(manifest);
}

/** Number of secrets the key opens. If it opens none, it is not the key of this installation. */
function sealedUnder({ sealer }: Pick<BackupDeps, 'sealer'>, sealed: readonly string[]): number {
  if (sealed.length > 0 && sealed.every((each) => sealer.open(each) === undefined))
    throw new BackupError(
      'SECRET_KEY, or the key file, is not the key with which the secrets of this workspace were sealed.',
    );
  return sealed.length;
}

const text = (path: string, modifiedAt: Instant, content: NewEntry['content']): NewEntry => ({
  path,
  modifiedAt,
  compress: true,
  content,
});

const noted = (parts: Part[], path: string): NonNullable<NewEntry['written']> => {
  return (digest) => void parts.push({ path, ...digest });
};

async function* tableEntries(
  snapshot: RowSnapshot,
  table: { readonly name: string; rows: number; readonly parts: Part[] },
  at: Instant,
  { partLength = PART_LENGTH, onProgress }: BackupOptions,
): AsyncGenerator<NewEntry> {
  const pages = snapshot.rows(table.name)[Symbol.asyncIterator]();
  try {
    let next = await pages.next();
    const part = async function* () {
      for (let length = 0; !next.done && length < partLength; next = await pages.next()) {
        const lines = next.value.map((row) => `${JSON.stringify(row)}\n`).join('');
        length += lines.length;
        table.rows += next.value.length;
        onProgress({ step: 'rows', done: table.rows });
        yield lines;
      }
    };
    while (!next.done) {
      const path = `rows/${table.name}-${String(table.parts.length + 1).padStart(4, '0')}.ndjson`;
      yield { ...text(path, at, part()), written: noted(table.parts, path) };
    }
  } finally {
    await pages.return?.();
  }
}

/** As text: a hundred bytes per file, where objects would need several times that. */
async function holdingPages(snapshot: RowSnapshot): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let after: string | null = null; ;) {
    const page: readonly BlobReference[] = await snapshot.blobReferences(after, HOLDINGS_AT_ONCE);
    if (page.length > 0) pages.push(JSON.stringify(page));
    if (page.length < HOLDINGS_AT_ONCE) return pages;
    after = page.at(-1)?.blobId ?? null;
  }
}

function* holdingsIn(pages: readonly string[]): Generator<BlobReference> {
  for (const page of pages) yield* JSON.parse(page) as readonly BlobReference[];
}

/** In the order of their ids: the copy id of a moved blob differs from its blob id. */
async function* inOrder(lines: string[]): AsyncGenerator<string> {
  lines.sort();
  for (let at = 0; at < lines.length; at += HOLDINGS_AT_ONCE)
    yield lines.slice(at, at + HOLDINGS_AT_ONCE).join('');
}
