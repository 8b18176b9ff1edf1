import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { fromBufferPromise } from 'yauzl';
import { directoryEnd, directoryEntry } from '../adapters/archive-zip/headers.ts';
import { zipArchives } from '../adapters/archive-zip/archive-format.ts';
import type { NewEntry } from '../ports/archives.ts';
import { archiveFormatContract, collected } from './suites/archive-format.ts';

describe('zip: ArchiveFormat', () => archiveFormatContract(zipArchives));

describe('a generated zip', () => {
  const run = promisify(execFile);
  const created = (entries: readonly Pick<NewEntry, 'path' | 'content'>[], size?: number) =>
    collected(
      zipArchives().write(
        (async function* () {
          for (const [i, { path, content }] of entries.entries())
            yield {
              path,
              content,
              compress: i % 2 === 0,
              modifiedAt: Date.UTC(2026, 10, 21, 10, 30, 8),
              ...(size !== undefined && { size }),
            };
        })(),
      ),
    );

  it('can be read by other programs, including large entries and names in any script', async function () {
    const python = await run('python3', ['-c', 'print(1)']).then(
      () => true,
      () => false,
    );
    if (!python) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'ow-zip-'));
    try {
      const names = ['a.txt', 'Ordner/größe.md', 'папка/файл.txt', '文件/𝕏 😀.txt'];
      const files = names.map((path) => ({ path, content: `content of ${path}\n`.repeat(500) }));
      for (const size of [undefined, 2 ** 33]) {
        const file = join(folder, 'x.zip');
        await writeFile(file, await created(files, size));
        const script =
          'import zipfile,sys,json\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
          'print(json.dumps([[i.filename,z.read(i).decode(),list(i.date_time)] for i in z.infolist()]))';
        const { stdout } = await run('python3', ['-c', script, file]);
        expect(JSON.parse(stdout)).to.deep.equal(
          files.map(({ path, content }) => [path, content, [2026, 11, 21, 10, 30, 8]]),
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is rejected if two entries overlap (zip bomb)', async () => {
    const zip = Buffer.from(
      await created([1, 2].map((n) => ({ path: `${n}.txt`, content: 'same' }))),
    );
    const second = zip.lastIndexOf(Buffer.from('PK\u0001\u0002'));
    zip.writeUInt32LE(
      zip.readUInt32LE(zip.indexOf(Buffer.from('PK\u0001\u0002')) + 42),
      second + 42,
    );
    const bytes = {
      size: zip.length,
      async *read({ first, last }: { first: number; last: number }) {
        yield await Promise.resolve(zip.subarray(first, last + 1));
      },
    };
    const refused = await zipArchives()
      .open(bytes, { maxEntries: 10, maxBytes: 1_000 })
      .then(
        () => 'opened',
        (error: unknown) => (error as Error).message,
      );
    expect(refused).to.match(/overlaps another entry/);
  });

  it('stores numbers beyond 32 bits in ZIP64 fields', async () => {
    const packed = {
      name: Buffer.from('big'),
      method: 8,
      modifiedAt: 0,
      large: true,
      offset: 2 ** 33 + 1,
      crc: 7,
      size: 2 ** 34 + 2,
      packedSize: 2 ** 32 + 3,
    } as const;
    const directory = directoryEntry(packed);
    // Laid at its true place in a file of which only the end is there.
    const end = directoryEnd(70_000, 2 ** 35, directory.length);
    expect(end.length).to.equal(98);
    const bytes = Buffer.concat([directory, directoryEnd(1, 0, directory.length)]);
    const zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry())
      expect(entry).to.deep.include({
        fileName: 'big',
        uncompressedSize: packed.size,
        compressedSize: packed.packedSize,
        relativeOffsetOfLocalHeader: packed.offset,
        crc32: 7,
      });
    expect(end.readBigUInt64LE(32)).to.equal(70_000n);
    expect(end.readBigUInt64LE(48)).to.equal(2n ** 35n);
    expect(end.readUInt16LE(56 + 20 + 10)).to.equal(0xffff);
  });

  it('may have more entries than fit in 16 bits', async function () {
    this.timeout(60_000);
    const count = 70_000;
    const bytes = await collected(
      zipArchives().write(
        (async function* () {
          for (let i = 0; i < count; i++)
            yield { path: `f/${i}`, content: '', compress: false, modifiedAt: 0 };
        })(),
      ),
    );
    const source = {
      size: bytes.length,
      async *read({ first, last }: { first: number; last: number }) {
        yield bytes.subarray(first, last + 1);
      },
    };
    const archive = await zipArchives().open(source, { maxEntries: count, maxBytes: 1 });
    expect([...archive.paths()]).to.have.length(count);
    expect(await archive.digest('f/69999')).to.include({ size: 0 });
  });
});
