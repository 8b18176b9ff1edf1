import type { ReadableArchive } from '../../ports/archives.ts';
import type { ImportFollower } from '../imports/index.ts';
import { MANIFEST, manifestEntries } from './manifest.ts';
import type { AnyPart, ImportDeps } from './part.ts';
import { PARTS } from './parts.ts';
import { ArchiveFormatError } from './shapes.ts';

/** Maximum size of a record in UTF-8 bytes: the largest text there is, with escapes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

interface Sound {
  readonly size: number;
  readonly sha256: string;
}

/** The contents of a verified archive. */
export interface Verified {
  /** The themes in it. */
  readonly themeIds: ReadonlySet<string>;
  /** The objects in it, behind a locked zone; else empty. */
  readonly objectIds: ReadonlySet<string>;
  /** How many objects are in it; behind a locked zone without the hidden ones. */
  readonly objectCount: number;
}

/**
 * Verifies an archive completely: every file in the manifest by its hash, every record by its schema and its
 * references. Throws ArchiveFormatError or CorruptArchiveError with the first error.
 *
 * @param onward called between files, so that the caller can renew its lease.
 */
export async function verify(
  deps: ImportDeps,
  archive: ReadableArchive,
  input: { readonly isZoneClosed: boolean; readonly follower: Pick<ImportFollower, 'show'> },
  onward: () => Promise<void>,
): Promise<Verified> {
  const sound = new Map<string, Sound>();
  const total = [...archive.paths()].length;
  for await (const { path, size, sha256 } of manifestEntries(archive)) {
    const told = JSON.stringify(path);
    if (sound.has(path) || path === MANIFEST)
      throw new ArchiveFormatError(`${MANIFEST} lists ${told} twice.`);
    if (!archive.has(path)) throw new ArchiveFormatError(`${told} is missing.`);
    const digest = await archive.digest(path);
    if (digest.sha256 !== sha256 || digest.size !== size)
      throw new ArchiveFormatError(`${told} is corrupt: it does not match ${MANIFEST}.`);
    sound.set(path, { size, sha256 });
    input.follower.show({ state: 'checking', done: sound.size, total });
    await onward();
  }
  const themeIds = new Set<string>();
  const objectIds = new Set<string>();
  let objectCount = 0;
  for (const part of PARTS)
    for await (const { record, place } of recordsOf(archive, part)) {
      if (!sound.has(place.path))
        throw new ArchiveFormatError(`${JSON.stringify(place.path)} is not in ${MANIFEST}.`);
      for (const needed of part.needs(record)) {
        const file = sound.get(needed.path);
        if (file?.sha256 !== needed.sha256 || file.size !== needed.size)
          throw new ArchiveFormatError(
            `${told(place)}: ${JSON.stringify(needed.path)} is not the file that it speaks of.`,
          );
      }
      await part.inspect?.(deps, archive, record);
      if (part.name === 'themes') themeIds.add((record as { readonly id: string }).id);
      if (part.name === 'objects') {
        const { id, isHidden } = record as { readonly id: string; readonly isHidden: boolean };
        if (input.isZoneClosed) objectIds.add(id);
        if (!input.isZoneClosed || !isHidden) objectCount++;
      }
      await onward();
    }
  return { themeIds, objectIds, objectCount };
}

interface Place {
  readonly path: string;
  readonly line: number;
}

const told = ({ path, line }: Place) => `Line ${line} of ${JSON.stringify(path)}`;

/** The records of a part in order, with their sizes in characters. */
export async function* recordsOf(
  archive: ReadableArchive,
  part: AnyPart,
): AsyncIterable<{ readonly record: unknown; readonly place: Place; readonly length: number }> {
  const read = part.reader();
  for (const path of filesOf(archive, part)) {
    let line = 0;
    for await (const text of archive.lines(path, { maxBytes: MAX_LINE_BYTES })) {
      const place = { path, line: ++line };
      yield { record: readLine(read, text, place), place, length: text.length };
    }
  }
}

function filesOf(archive: ReadableArchive, { name }: AnyPart): readonly string[] {
  const own = new RegExp(`^metadata/${name}-\\d{6}\\.jsonl$`);
  return [...archive.paths()].filter((path) => own.test(path)).sort();
}

function readLine(read: (sent: unknown) => unknown, text: string, place: Place): unknown {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    throw new ArchiveFormatError(`${told(place)} is no JSON.`);
  }
  try {
    return read(sent);
  } catch (error) {
    throw error instanceof ArchiveFormatError
      ? new ArchiveFormatError(`${told(place)}: ${error.message}.`)
      : error;
  }
}
