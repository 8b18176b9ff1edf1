import type { NewEntry, ReadableArchive } from '../../ports/archives.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { SkippedEntry } from './part.ts';
import { ArchiveFormatError, byteCount, record, sha256, text } from './shapes.ts';

export const MANIFEST = 'manifest.json';
const FORMAT = 'owner-workspace-export';
export const FORMAT_VERSION = 1;
const MAX_LINE_BYTES = 1_048_576;
const LINES_A_CHUNK = 500;

export interface ListedEntry {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

const entryShape = record<ListedEntry>({
  path: ['path', text({ least: 1 })],
  size: ['size', byteCount],
  sha256: ['sha256', sha256],
});

/** The entries written to an archive, stored as JSON lines. */
export class Manifest {
  readonly #chunks: string[] = [];
  #lines: string[] = [];
  readonly #counts = new Map<string, number>();

  /** The same entry, to be added once it has been written. */
  listed(entry: NewEntry): NewEntry {
    return {
      ...entry,
      written: (digest) => {
        this.#lines.push(JSON.stringify({ path: entry.path, ...digest }));
        // Joined, since many short strings need several times the memory.
        if (this.#lines.length === LINES_A_CHUNK) this.#chunks.push(this.#cut());
        entry.written?.(digest);
      },
    };
  }

  count(part: string, more: number): void {
    this.#counts.set(part, (this.#counts.get(part) ?? 0) + more);
  }

  /** JSON with one entry per line, so that it can be read as a stream. */
  async *text(
    about: { readonly at: Instant; readonly madeBy: string },
    leftOut: readonly SkippedEntry[],
  ): AsyncIterable<string> {
    const created_at = new Date(about.at).toISOString();
    const head = { format: FORMAT, version: FORMAT_VERSION, created_at, made_by: about.madeBy };
    yield `${JSON.stringify(head).slice(0, -1)},"entries":[\n`;
    const chunks = [...this.#chunks, ...(this.#lines.length > 0 ? [this.#cut()] : [])];
    for (const [i, chunk] of chunks.entries()) yield i === 0 ? chunk : `,\n${chunk}`;
    const counts = Object.fromEntries(this.#counts);
    const left_out = leftOut.map(({ objectId, filename, version, reason }) => ({
      object_id: objectId,
      filename,
      version,
      reason,
    }));
    yield `\n],"counts":${JSON.stringify(counts)},"left_out":${JSON.stringify(left_out)}}\n`;
  }

  #cut(): string {
    const chunk = this.#lines.join(',\n');
    this.#lines = [];
    return chunk;
  }
}

/**
 * The entries listed in an archive. Throws ArchiveFormatError if it is not an export of this service or has a newer
 * format.
 */
export async function* manifestEntries(archive: ReadableArchive): AsyncIterable<ListedEntry> {
  if (!archive.has(MANIFEST))
    throw new ArchiveFormatError(
      `It does not contain ${MANIFEST}, so it is not an export of a workspace.`,
    );
  let number = 0;
  let ended = false;
  for await (const line of archive.lines(MANIFEST, { maxBytes: MAX_LINE_BYTES })) {
    number++;
    const reject = (why: string) =>
      new ArchiveFormatError(`Line ${number} of ${MANIFEST}: ${why}.`);
    if (ended) throw reject('nothing may follow the end');
    if (number === 1) requireOurs(parsed(`${line}]}`, reject));
    else if (line.startsWith(']')) {
      parsed(`{"entries":[${line}`, reject);
      ended = true;
    } else if (line !== '') yield listedEntry(parsed(line.replace(/,$/, ''), reject), reject);
  }
  if (!ended) throw new ArchiveFormatError(`${MANIFEST} is truncated.`);
}

function requireOurs(head: unknown): void {
  const { format, version } = (head ?? {}) as { readonly format?: unknown; version?: unknown };
  if (format !== FORMAT)
    throw new ArchiveFormatError(`${MANIFEST} is not a manifest of an export.`);
  if (version !== FORMAT_VERSION)
    throw new ArchiveFormatError(
      `It has version ${JSON.stringify(version)} of the format; this service reads version ${FORMAT_VERSION}.`,
    );
}

type RejectArchive = (why: string) => ArchiveFormatError;

function parsed(json: string, reject: RejectArchive): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw reject('it is no JSON of the form that an export has');
  }
}

function listedEntry(sent: unknown, reject: RejectArchive): ListedEntry {
  try {
    return entryShape.read(sent, '');
  } catch (error) {
    throw error instanceof ArchiveFormatError ? reject(error.message) : error;
  }
}
