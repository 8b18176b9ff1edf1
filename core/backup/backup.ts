import type { NewEntry } from '../../ports/archives.ts';
import type { KeyMark, RowSnapshot, RowSource } from '../../ports/backup.ts';
import type { BlobStore } from '../../ports/blobs.ts';
import type { Holding } from '../../ports/inspection.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import { BackupError } from './errors.ts';
import { fileEntries } from './files-out.ts';
import { holdFiles, type Hold, type HoldDeps } from './hold.ts';
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
  readonly rows: RowSource;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly key: KeyMark;
  readonly sealer: Pick<Sealer, 'open'>;
}

export interface BackupOptions {
  readonly madeBy: string;
  readonly profile: string;
  /** Goes on where bytes are missing or other ones than their row says, and notes how many. */
  readonly keepDamaged: boolean;
  /** Characters of rows after which a table goes on in another part. */
  readonly partLength?: number;
  readonly onProgress: OnProgress;
}

/** Far below the four gigabytes that an entry of unknown size may have. */
const PART_LENGTH = 2 ** 28;
const HOLDINGS_AT_ONCE = 1_000;

/** A backup under way: it is as complete as the entries that were drawn, and told once all of them were. */
export interface Backup {
  readonly hold: Hold;
  readonly entries: AsyncIterable<NewEntry>;
  /** Once the entries have come to their end. */
  manifest(): Manifest;
}

/**
 * All rows as they are at one moment, then the bytes they refer to, then what was written: the manifest, and the mark
 * of the key under it. Whatever is changed meanwhile stays as it was in the backup, since bytes never change and none
 * are removed while they are held.
 */
export async function beginBackup(deps: BackupDeps, options: BackupOptions): Promise<Backup> {
  const hold = await holdFiles(deps);
  let manifest: Manifest | undefined;
  return {
    hold,
    entries: entriesOf(deps, options, hold, (made) => (manifest = made)),
    manifest: () => {
      if (!manifest) throw new Error('The backup has not come to its end.');
      return manifest;
    },
  };
}

async function* entriesOf(
  deps: BackupDeps,
  options: BackupOptions,
  hold: Hold,
  made: (manifest: Manifest) => void,
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
  const told = {
    written: (line: { blobId: string; size: number; sha256: string }) => {
      const { blobId, ...digest } = line;
      // The id comes first, so that lines sort as ids do.
      lines.push(`${JSON.stringify({ blob_id: blobId, ...digest })}\n`);
      files.count++;
      files.bytes += digest.size;
      options.onProgress({ step: 'files', done: files.count });
    },
    damaged: ({ holder, blobId }: Holding, how: string) => {
      if (!options.keepDamaged)
        throw new BackupError(
          `The bytes of ${holder}/${blobId} are ${how}. \`doctor --verify\` tells all of them; ` +
            '`backup --keep-damaged` backs up what is there.',
        );
      files.damaged++;
    },
  };
  yield* fileEntries(deps.blobs, holdingsIn(pages), at, told);
  // A hold that has ended once stays so: none of the bytes were left to chance.
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
  made(manifest);
}

/** How many the key opens. Where it opens none of them it is not the key of this installation. */
function sealedUnder({ sealer }: Pick<BackupDeps, 'sealer'>, sealed: readonly string[]): number {
  if (sealed.length > 0 && sealed.every((each) => sealer.open(each) === undefined))
    throw new BackupError(
      'SECRET_KEY, or the key file, is not the key that the secrets of this workspace are sealed under.',
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

/** As text: a hundred bytes a file, where objects would take several times that. */
async function holdingPages(snapshot: RowSnapshot): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let after: string | null = null; ;) {
    const page: readonly Holding[] = await snapshot.holdings(after, HOLDINGS_AT_ONCE);
    if (page.length > 0) pages.push(JSON.stringify(page));
    if (page.length < HOLDINGS_AT_ONCE) return pages;
    after = page.at(-1)?.blobId ?? null;
  }
}

function* holdingsIn(pages: readonly string[]): Generator<Holding> {
  for (const page of pages) yield* JSON.parse(page) as readonly Holding[];
}

/** Those of the files, in the order of their ids: what has moved lies under another than it is drawn by. */
async function* inOrder(lines: string[]): AsyncGenerator<string> {
  lines.sort();
  for (let at = 0; at < lines.length; at += HOLDINGS_AT_ONCE)
    yield lines.slice(at, at + HOLDINGS_AT_ONCE).join('');
}
