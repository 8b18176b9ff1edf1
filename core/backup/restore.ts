import type {
  AccessReset,
  EndedAccess,
  RestoreTarget,
  RowValue,
  TableRow,
  TableShape,
} from '../../ports/backup.ts';
import type { BlobStore } from '../../ports/blobs.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import { newLinkCode } from '../bots/index.ts';
import { makeToken, tokenCreated, type IssuedToken } from '../identity/index.ts';
import { nextSecurityEvent, OPERATOR } from '../security-events/index.ts';
import { BackupError } from './errors.ts';
import { pathOf } from './blob-entries.ts';
import type { OnProgress } from './progress.ts';
import { filesIn, type FileLine, type OpenedBackup } from './verify.ts';

export interface RestoreDeps {
  readonly target: RestoreTarget;
  readonly blobs: Pick<BlobStore, 'list' | 'remove' | 'write'>;
  readonly random: RandomSource;
  readonly digests: SecretDigest;
  readonly clock: Clock;
}

export interface RestoreOptions {
  /** Preserves the backup's tokens and links, including those revoked since. */
  readonly keepAccess: boolean;
  readonly onProgress: OnProgress;
}

/** The revoked access, and the new tokens. Each bearer token is shown only once. */
export interface RestoredAccess extends EndedAccess {
  readonly bearers: readonly {
    readonly ownerId: string;
    readonly name: string;
    readonly bearer: string;
  }[];
}

/** Maximum number of owners that get a new token. For others the operator runs `token issue`. */
const MAX_NEW_TOKENS = 20;

/** Files written concurrently: each waits until it is durable. */
const AT_ONCE = 8;
const ROWS_AT_ONCE = 500;
const CHARS_AT_ONCE = 1_000_000;
/** Maximum length of a row: the longest text there is, with escapes. */
const MAX_LINE_BYTES = 2 ** 28;

/** Throws BackupError unless the target is empty, or contains only the remains of a failed restore. */
export async function requireEmptyTarget({
  target,
  blobs,
}: Pick<RestoreDeps, 'target' | 'blobs'>): Promise<'empty' | 'begun'> {
  const state = await target.state();
  if (state === 'used')
    throw new BackupError(
      'The database contains a workspace. A backup can only be restored into an empty database.',
    );
  if (state === 'empty')
    for await (const { blobId } of blobs.list())
      throw new BackupError(
        `The file storage is not empty (${blobId}). A backup can only be restored into empty storage.`,
      );
  return state;
}

/**
 * Restores a verified backup into an empty target: the files first, then all rows in one transaction. Until then a
 * mark keeps every process from using the target. After a crash the restore can be started again.
 *
 * Unless `keepAccess` is set, the tokens and links of the backup are revoked: some may have been revoked after the
 * backup was made, because they had leaked. Returns what was revoked.
 */
export async function restoreBackup(
  deps: RestoreDeps,
  backup: OpenedBackup,
  { keepAccess, onProgress }: RestoreOptions,
): Promise<RestoredAccess | undefined> {
  const { manifest } = backup;
  const mark = deps.random.uuid();
  await requireEmptyTarget(deps);
  await deps.target.begin(mark);
  // Files left by a failed restore may be of another backup.
  for await (const { blobId } of deps.blobs.list()) await deps.blobs.remove(blobId);

  let done = 0;
  const restore = async (files: readonly FileLine[]) => {
    await Promise.all(files.map((file) => restoreFile(deps, backup, file)));
    done += files.length;
    onProgress({ step: 'restored files', done, of: manifest.files.count });
  };
  let batch: FileLine[] = [];
  for await (const file of filesIn(backup)) {
    batch.push(file);
    if (batch.length < AT_ONCE) continue;
    await restore(batch);
    batch = [];
  }
  await restore(batch);
  const rows = (table: TableShape) => rowsOf(backup, table, onProgress);
  const issued = new Map<string, IssuedToken>();
  const ended = await deps.target.fill(mark, manifest.schema, rows, {
    reset: keepAccess ? undefined : resetWith(deps, issued),
    restoredEvent: (last) =>
      nextSecurityEvent(deps, last, OPERATOR, {
        kind: 'restored',
        detail: detailOf(manifest.createdAt, keepAccess),
        facts: {
          backup_of: new Date(manifest.createdAt).toISOString(),
          keeps_access: keepAccess,
        },
      }),
    tokenEvent: (last, tokenId) => {
      const made = issued.get(tokenId);
      if (!made) throw new Error('The token was not issued by this restore.');
      return nextSecurityEvent(deps, last, OPERATOR, tokenCreated(made.token));
    },
  });
  return (
    ended && {
      ...ended,
      bearers: ended.issued.map(({ ownerId, name, tokenId }) => ({
        ownerId,
        name,
        bearer: issued.get(tokenId)?.bearer ?? '',
      })),
    }
  );
}

const detailOf = (createdAt: number, keepAccess: boolean): string =>
  `Restored from a backup of ${new Date(createdAt).toISOString()}. ` +
  (keepAccess
    ? 'Tokens and links are valid as in the backup.'
    : 'Tokens and links of the backup were revoked.');

const resetWith = (deps: RestoreDeps, issued: Map<string, IssuedToken>): AccessReset => ({
  at: deps.clock.now(),
  maxTokens: MAX_NEW_TOKENS,
  newLinkCode: () => newLinkCode(deps),
  newToken: () => {
    const made = makeToken(deps, { name: 'restored' });
    issued.set(made.token.id, made);
    return made.token;
  },
});

async function restoreFile(
  { blobs }: Pick<RestoreDeps, 'blobs'>,
  { archive }: OpenedBackup,
  { blobId, size, sha256 }: FileLine,
): Promise<void> {
  const options = { maxBytes: size, blobId };
  const written = await blobs.write(archive.read(pathOf(blobId)), options);
  if (written.sha256 !== sha256)
    throw new BackupError('The backup has been changed since it was verified.');
}

async function* rowsOf(
  { archive, manifest }: OpenedBackup,
  { name, columns }: TableShape,
  onProgress: OnProgress,
): AsyncGenerator<readonly TableRow[]> {
  const table = manifest.tables.find((it) => it.name === name);
  let page: TableRow[] = [];
  let [done, length] = [0, 0];
  for (const { path } of table?.parts ?? [])
    for await (const line of archive.lines(path, { maxBytes: MAX_LINE_BYTES })) {
      page.push(rowFrom(line, columns.length, path));
      length += line.length;
      if (page.length < ROWS_AT_ONCE && length < CHARS_AT_ONCE) continue;
      yield page;
      onProgress({ step: 'restored rows', done: (done += page.length) });
      [page, length] = [[], 0];
    }
  if (page.length > 0) yield page;
  if (done + page.length !== table?.rows)
    throw new BackupError(`The number of rows of ${name} differs from its manifest.`);
}

function rowFrom(line: string, columns: number, path: string): TableRow {
  const isValue = (value: unknown): value is RowValue =>
    value === null || typeof value === 'string' || Number.isSafeInteger(value);
  const row = jsonOf(line);
  if (!Array.isArray(row) || row.length !== columns || !row.every(isValue))
    throw new BackupError(`${path} in it has a line that is not a row.`);
  return row;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
