import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  CorruptArchiveError,
  type ArchiveBytes,
  type ArchiveFormat,
  type EntryDigest,
  type NewEntry,
} from '../../ports/archives.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { Random } from '../fuzz/random.ts';
import { zipOf, type ZipEntry } from '../samples/hostile/zip.ts';
import { SPEC_SEED } from '../seed.ts';

const AMPLE = { maxEntries: 100_000, maxBytes: 2 ** 40 };
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export const held = (bytes: Uint8Array): ArchiveBytes => ({
  size: bytes.length,
  async *read({ first, last }) {
    for (let at = first; at <= last && at < bytes.length; at += 7_001)
      yield bytes.subarray(at, Math.min(at + 7_001, last + 1));
  },
});

export async function collected(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* chunked(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

const entry = (path: string, content: NewEntry['content'], compress = true): NewEntry => ({
  path,
  modifiedAt: Date.UTC(2026, 10, 21),
  compress,
  content,
});

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

/** The contract of every ArchiveFormat. */
export function archiveFormatContract(open: () => ArchiveFormat): void {
  const archives = open();
  const written = (...entries: readonly NewEntry[]) => collected(archives.write(each(entries)));
  const opened = (bytes: Uint8Array, limits = AMPLE) => archives.open(held(bytes), limits);
  const readAll = async (bytes: Uint8Array) => {
    const archive = await opened(bytes);
    for (const path of archive.paths()) await archive.digest(path);
  };
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error = await outcome(work);
    expect(error).to.be.instanceOf(CorruptArchiveError);
    return (error as Error).message;
  };

  it('Written entries are read back path by path and byte for byte, with the size and SHA-256 reported at writing', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((part) => !/[/\\\0]/.test(part) && !/^\.\.?$|^[a-z]:/i.test(part));
    const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 3_000 }),
      fc.uint8Array({ minLength: 1, maxLength: 3 }).map((b) => new Uint8Array(99_999).fill(b[0]!)),
    );
    const file = fc.record({ path, content, compress: fc.boolean(), large: fc.boolean() });
    return fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(file, { selector: (f) => f.path.normalize('NFC'), maxLength: 8 }),
        fc.integer({ min: 150, max: 5_000 }),
        async (files, size) => {
          const reported: EntryDigest[] = [];
          const bytes = await written(
            ...files.map((f) => ({
              ...entry(f.path, chunked(f.content, size), f.compress),
              // Announced as large, an entry has 64-bit sizes however small it is.
              size: f.large ? 2 ** 33 : f.content.length,
              written: (digest: EntryDigest) => void reported.push(digest),
            })),
          );
          const archive = await opened(bytes);
          expect([...archive.paths()]).to.deep.equal(files.map((f) => f.path));
          for (const [i, f] of files.entries()) {
            const digest = { size: f.content.length, sha256: sha(f.content) };
            expect(reported[i]).to.deep.equal(digest);
            expect(await archive.digest(f.path)).to.deep.equal(digest);
            expect(sha(await collected(archive.read(f.path)))).to.equal(digest.sha256);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('Bytes are produced on demand: when the consumer pauses, so do the entries', async () => {
    let created = 0;
    const endless = async function* () {
      for (;;) yield new Uint8Array(65_536).fill(++created);
    };
    const bytes = archives.write(each([entry('a', endless(), false)]))[Symbol.asyncIterator]();
    for (let i = 0; i < 10; i++) await bytes.next();
    const before = created;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(created).to.equal(before).and.to.be.below(20);
    await bytes.return?.();
  });

  it('If the consumer returns early, the entry iterator and the current content are closed', async () => {
    for (const compress of [true, false]) {
      const ended: string[] = [];
      const endless = async function* () {
        try {
          const random = new Random(SPEC_SEED, 'endless');
          for (;;) yield new Uint8Array(65_536).map(() => random.below(256));
        } finally {
          ended.push('content');
        }
      };
      const entries = async function* () {
        try {
          yield entry('a', endless(), compress);
        } finally {
          ended.push('entries');
        }
      };
      for await (const chunk of archives.write(entries())) if (chunk.length > 1_000) break;
      expect(ended).to.deep.equal(['content', 'entries']);
    }
  });

  it('An error of an entry or of its content is thrown to the consumer', async () => {
    for (const compress of [true, false]) {
      const broken = async function* () {
        yield new Uint8Array(100_000);
        await Promise.resolve();
        throw new RangeError('the disk is gone');
      };
      expect(await outcome(written(entry('a', broken(), compress)))).to.be.instanceOf(RangeError);
    }
    const entries = async function* () {
      yield entry('a', 'x');
      await Promise.resolve();
      throw new RangeError('no more entries');
    };
    expect(await outcome(collected(archives.write(entries())))).to.be.instanceOf(RangeError);
    for (const path of ['../a', 'a//b', '/a', '', 'a\\b'])
      expect(await outcome(written(entry(path, 'x'))), path).to.be.instanceOf(Error);
  });

  it('A truncated, altered or invalid file is rejected with CorruptArchiveError, in `open` or when the entry is read', async () => {
    const random = new Uint8Array(5_000).map((_, i) => (i * 7_919) % 251);
    const sound = await written(
      entry('stored', chunked(random, 100), false),
      entry('deflated', chunked(random, 100)),
    );
    await readAll(sound);
    for (let cut = 1; cut < sound.length; cut += 97) await refusal(readAll(sound.subarray(0, cut)));
    for (const bytes of [new Uint8Array(0), Buffer.from('no archive'), random])
      await refusal(readAll(bytes));
    let refused = 0;
    for (let at = 0; at < sound.length; at += 13) {
      const changed = Buffer.from(sound);
      changed[at]! ^= 0x20;
      const error = await outcome(readAll(changed));
      if (error !== 'done') expect(error, `byte ${at}`).to.be.instanceOf(CorruptArchiveError);
      else {
        // A changed date or name may be read; changed bytes must not.
        const archive = await opened(changed);
        for (const path of archive.paths())
          expect(await archive.digest(path)).to.deep.equal({ size: 5_000, sha256: sha(random) });
      }
      refused += error === 'done' ? 0 : 1;
    }
    expect(refused).to.be.above(sound.length / 13 / 3);
    const archive = await opened(sound);
    expect(await refusal(archive.digest('missing'))).to.include('missing');
  });

  it('`open` rejects paths outside the archive, duplicate paths, encrypted entries and unknown compression methods', async () => {
    const one = (name: string): readonly ZipEntry[] => [{ name, content: 'x' }];
    for (const path of ['../x', 'a/../../x', '/etc/passwd', 'C:/x', '..\\x', 'a\\b'])
      await refusal(opened(zipOf(one(path))));
    expect(await refusal(opened(zipOf([...one('a'), ...one('a')])))).to.include('"a" comes twice');
    const patched = (offset: number, value: number) => {
      const bytes = zipOf(one('a'));
      bytes.writeUInt16LE(value, bytes.indexOf('PK\x01\x02', 0, 'latin1') + offset);
      return bytes;
    };
    expect(await refusal(opened(patched(8, 1)))).to.include('encrypted');
    expect(await refusal(opened(patched(10, 12)))).to.include('unsupported');
  });

  it('`open` rejects archives with more entries or bytes than allowed, or more bytes than the file could hold compressed', async () => {
    const few = zipOf([1, 2, 3].map((n) => ({ name: `${n}`, content: 'x'.repeat(1_000) })));
    await opened(few, { maxEntries: 3, maxBytes: 3_000 });
    await refusal(opened(few, { maxEntries: 2, maxBytes: 3_000 }));
    await refusal(opened(few, { maxEntries: 3, maxBytes: 2_999 }));
    await refusal(opened(zipOf([{ name: 'a', content: 'x', claimed: 2 ** 31 }])));
    // Many names for the same bytes: each of them alone would be valid.
    const big = { name: '0', content: new Uint8Array(500_000).map((_, i) => (i * 31) % 255) };
    const bytes = zipOf([big, ...[1, 2, 3].map((n) => ({ name: `${n}`, content: '' }))]);
    const first = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    for (let at = first; at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1')) {
      bytes.copy(bytes, at + 16, first + 16, first + 28);
      bytes.writeUInt32LE(0, at + 42);
    }
    expect(await refusal(opened(bytes))).to.include('larger size than the file');
    // Never decompresses more than declared.
    const lying = zipOf([{ name: 'a', content: new Uint8Array(10 ** 6), claimed: 10 }]);
    const archive = await opened(lying);
    expect(await refusal(archive.digest('a'))).to.include('corrupt');
  });

  it('`lines` rejects invalid UTF-8, and a line that is too long, with the line number', async () => {
    const long = 'é'.repeat(40);
    const text = Buffer.from(`a\n\n\ufeff${long}\nlast`);
    const archive = await opened(
      await written(
        entry('good', chunked(text, 3)),
        entry('none', ''),
        entry('bad', chunked(Buffer.from([65, 10, 66, 10, 0xc3, 0x28, 10]), 2)),
      ),
    );
    const lines = async (path: string, maxBytes: number) => {
      const all: string[] = [];
      for await (const line of archive.lines(path, { maxBytes })) all.push(line);
      return all;
    };
    expect(await lines('good', 100)).to.deep.equal(['a', '', `\ufeff${long}`, 'last']);
    expect(await lines('none', 100)).to.deep.equal([]);
    expect(await refusal(lines('good', 79))).to.include('Line 3 of "good" is too long');
    expect(await refusal(lines('bad', 100))).to.include('Line 3 of "bad" is not valid UTF-8');
  });

  it('An error of the byte source is rethrown unchanged', async () => {
    const bytes = await written(entry('a', chunked(new Uint8Array(600_000), 1_000), false));
    let working = true;
    const source: ArchiveBytes = {
      size: bytes.length,
      read: (range) => {
        if (!working) throw new UnavailableError('storage', 'away');
        return held(bytes).read(range);
      },
    };
    const archive = await archives.open(source, AMPLE);
    working = false;
    expect(await outcome(archive.digest('a'))).to.be.instanceOf(UnavailableError);
    expect(await outcome(archives.open(source, AMPLE))).to.be.instanceOf(UnavailableError);
  });
}
