import type { ReadableArchive } from '../../ports/archives.ts';
import type { KeyFingerprint, RestoreTarget } from '../../ports/backup.ts';
import { BackupError } from './errors.ts';
import { pathOf } from './blob-entries.ts';
import { MANIFEST, SIGNATURE, readManifest, rowsIn, type Manifest, type Part } from './manifest.ts';
import type { OnProgress } from './progress.ts';

const MAX_MANIFEST_LENGTH = 16 * 2 ** 20;
const MAX_LINE_BYTES = 1_000;
const LINE = /^\{"blob_id":"([\da-f-]{36})","size":(\d{1,16}),"sha256":"([\da-f]{64})"\}$/;

/** A backup whose manifest was verified for this program and this key. */
export interface OpenedBackup {
  readonly archive: ReadableArchive;
  readonly manifest: Manifest;
  /** Whether the secrets in it can be opened. */
  readonly withKey: boolean;
}

export interface FileLine {
  readonly blobId: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Reads the manifest of the archive. Throws BackupError if it is not a backup, has a newer version, was made with
 * another key, or was changed.
 *
 * @param key null if there is none yet; then only a backup without secrets is accepted without `withoutKey`.
 * @param withoutKey restores with any key; sealed secrets cannot be opened.
 */
export async function openBackup(
  {
    target,
    key,
  }: { readonly target: Pick<RestoreTarget, 'tablesOf'>; readonly key: KeyFingerprint | null },
  archive: ReadableArchive,
  withoutKey: boolean,
): Promise<OpenedBackup> {
  for (const path of [MANIFEST, SIGNATURE])
    if (!archive.has(path))
      throw new BackupError(`It does not contain ${path}, so it is not a backup of a workspace.`);
  const text = await textOf(archive, MANIFEST);
  const manifest = readManifest(text);
  const tables = await target.tablesOf(manifest.schema);
  if (!tables)
    throw new BackupError(
      `It was made by ${manifest.madeBy}, whose schema ${manifest.schema} this program does not know. Use that version, or a newer one.`,
    );
  const shape = (all: readonly { readonly name: string; readonly columns: readonly string[] }[]) =>
    JSON.stringify(all.map(({ name, columns }) => [name, columns]).sort());
  // A backup of an older program contains rows of transient tables as well.
  const names = new Set(manifest.tables.map(({ name }) => name));
  const expected = tables.filter(({ name, isTransient }) => !isTransient || names.has(name));
  if (shape(expected) !== shape(manifest.tables))
    throw new BackupError(`Its tables are not those of schema ${manifest.schema}.`);

  const withKey = key?.fingerprint === manifest.key;
  if (key && withKey && (await textOf(archive, SIGNATURE)).trim() !== key.sign(text))
    throw new BackupError(`${MANIFEST} in it was changed after the backup was made.`);
  if (!withKey && !withoutKey && (key || manifest.sealed > 0))
    throw new BackupError(
      `It was made with another key${key ? ' than the one here' : ', and no key is set here'}. ` +
        'Set SECRET_KEY to that key, or put its secret.key into DATA_DIR. With --without-key ' +
        `everything is restored except the sealed secrets (${manifest.sealed}).`,
    );
  return { archive, manifest, withKey };
}

/** Reads all entries and verifies their hashes. Throws BackupError or CorruptArchiveError. */
export async function verifyBackup(backup: OpenedBackup, onProgress: OnProgress): Promise<void> {
  const { archive, manifest } = backup;
  const { files, tables } = manifest;
  // All entries except the manifest and its signature, which were read before.
  const all = [...archive.paths()].length - 2;
  const parts = [...tables.flatMap((table) => table.parts), files.list];
  let done = 0;
  const verify = async ({ path, size, sha256 }: Part) => {
    const found = await archive.digest(path);
    if (found.size !== size || found.sha256 !== sha256)
      throw new BackupError(`${JSON.stringify(path)} in it was changed after the backup was made.`);
    onProgress({ step: 'checked', done: ++done, of: all });
  };
  for (const part of parts) await verify(part);
  const listed = { count: 0, bytes: 0 };
  for await (const { blobId, ...digest } of filesIn(backup)) {
    await verify({ path: pathOf(blobId), ...digest });
    listed.count++;
    listed.bytes += digest.size;
  }
  if (listed.count !== files.count || listed.bytes !== files.bytes)
    throw new BackupError('The number of files in its list differs from its manifest.');
  if (new Set(parts.map(({ path }) => path)).size + files.count !== all)
    throw new BackupError('It contains files that are not in its list.');
}

/** The listed files, without duplicates. */
export async function* filesIn({ archive, manifest }: OpenedBackup): AsyncGenerator<FileLine> {
  let last = '';
  const { path } = manifest.files.list;
  for await (const line of archive.lines(path, { maxBytes: MAX_LINE_BYTES })) {
    const [, blobId = '', size, sha256 = ''] = LINE.exec(line) ?? [];
    if (blobId <= last) throw new BackupError(`${path} in it is not a list of files.`);
    last = blobId;
    yield { blobId, size: Number(size), sha256 };
  }
}

/** Includes the end of the last line, which is always written. */
async function textOf(archive: ReadableArchive, path: string): Promise<string> {
  let text = '';
  for await (const line of archive.lines(path, { maxBytes: MAX_MANIFEST_LENGTH })) {
    text += `${line}\n`;
    if (text.length > MAX_MANIFEST_LENGTH) throw new BackupError(`${path} in it is too long.`);
  }
  return text;
}

/** The summary of a backup, shown when it is made and restored. */
export const summaryOf = (manifest: Manifest) => ({
  created_at: new Date(manifest.createdAt).toISOString(),
  made_by: manifest.madeBy,
  profile: manifest.profile,
  schema: manifest.schema,
  rows: rowsIn(manifest),
  files: manifest.files.count,
  file_bytes: manifest.files.bytes,
  damaged: manifest.files.damaged,
  sealed: manifest.sealed,
});
