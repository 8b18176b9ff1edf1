import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { ChildProcessImageEditor } from '../adapters/extract/image-editor.ts';
import { OutOfTempSpaceError, SharedFiles } from '../adapters/extract/process/shared-files.ts';
import { FakeImageEditor, toyFile, toyPicture } from '../adapters/memory/image-editor.ts';
import { UnavailableError } from '../ports/errors.ts';
import type { ImageFormat, ImageSource } from '../ports/image-editor.ts';
import { blackPng, noiseOf } from './samples/pictures.ts';
import { imageEditorContract, type Studio } from './suites/image-editor.ts';
import { sample } from './suites/text-extractor.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');

const toys: Studio = {
  file: async (format, rows) =>
    Buffer.from(
      toyFile({ format, quality: 90, width: rows[0]?.length ?? 0, height: rows.length, rows }),
    ).subarray(0, -90),
  rows: async (bytes) => toyPicture(Buffer.from(bytes).toString())?.rows ?? [],
  sides: async (bytes) => {
    const { width = 0, height = 0 } = toyPicture(Buffer.from(bytes).toString()) ?? {};
    return { width, height };
  },
  lossy: async (format, quality) =>
    Buffer.from(toyFile({ format, quality, width: 2, height: 1, rows: ['ab'] })),
  huge: async (format) => Buffer.from(`picture ${format} q90 16000x16000 a`),
  others: [
    ['svg', SVG],
    ['nothing known', Buffer.from('picture gif q90 1x1 a')],
  ],
};

const colourOf = (letter: string): readonly number[] => {
  const at = letter.charCodeAt(0) - 96;
  return [at * 9, 255 - at * 9, (at * 53) % 256];
};

const encoded = {
  jpg: (picture: Sharp) => picture.jpeg({ quality: 95 }),
  png: (picture: Sharp) => picture.png(),
  webp: (picture: Sharp) => picture.webp({ lossless: true }),
} as const;

/** Headers of images with too many pixels to decode. */
const heads: Readonly<Record<ImageFormat, () => Promise<Uint8Array>>> = {
  png: () => blackPng(16_000),
  jpg: async () => {
    const small = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const frame = small.indexOf(Buffer.from([0xff, 0xc0]));
    small.writeUInt16BE(16_000, frame + 5);
    small.writeUInt16BE(16_000, frame + 7);
    return small;
  },
  webp: async () => {
    const flat = { width: 16_383, height: 16_383, channels: 3 as const, background: 'red' };
    return sharp({ create: { ...flat, width: 8, height: 8 } })
      .webp({ lossless: true })
      .toBuffer()
      .then((small) => {
        // The width and height less one, in fourteen bits each.
        small.writeUInt32LE((((flat.height - 1) << 14) | (flat.width - 1)) >>> 0, 21);
        return small;
      });
  },
};

const files: Studio = {
  file: async (format, rows) => {
    const pixels = Buffer.from(rows.flatMap((row) => [...row].flatMap((it) => [...colourOf(it)])));
    const raw = { width: rows[0]?.length ?? 0, height: rows.length, channels: 3 as const };
    return encoded[format](sharp(pixels, { raw })).toBuffer();
  },
  rows: async (bytes) => {
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const letterAt = (pixel: number) => {
      const colour = data.subarray(pixel * 3, pixel * 3 + 3).join();
      const known = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
      return known.find((letter) => colourOf(letter).join() === colour) ?? '?';
    };
    return Array.from({ length: info.height }, (_, y) =>
      Array.from({ length: info.width }, (__, x) => letterAt(y * info.width + x)).join(''),
    );
  },
  sides: async (bytes) => {
    const { width, height } = await sharp(bytes).metadata();
    return { width, height };
  },
  lossy: async (format, quality) => {
    const noise = await noiseOf(200, 150);
    return format === 'jpg'
      ? noise.jpeg({ quality }).toBuffer()
      : noise.webp({ quality }).toBuffer();
  },
  huge: (format) => heads[format](),
  others: [
    ['svg', SVG],
    ['a PDF', sample('letter.pdf')],
    ['a gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
  ],
};

describe('memory: ImageEditor', () =>
  imageEditorContract(async () => ({
    editor: new FakeImageEditor({ maxWaiting: 7 }),
    studio: toys,
    room: 8,
  })));

describe('child processes: ImageEditor', function () {
  this.timeout(60_000);
  imageEditorContract(async () => ({
    editor: new ChildProcessImageEditor({ maxWaiting: 7 }),
    studio: files,
    room: 8,
  }));
});

describe('a waiting image', function () {
  this.timeout(60_000);

  it('is edited although the process dies over the previous one, and so is the next one', async () => {
    const editor = new ChildProcessImageEditor({ memoryLimitMiB: 180 });
    const sourceOf = (bytes: Uint8Array): ImageSource => ({
      format: 'png',
      size: bytes.length,
      async *open() {
        yield await Promise.resolve(bytes);
      },
    });
    const [vast, small] = [await blackPng(9_900), await files.file('png', ['abc'])];
    const endings = await Promise.all(
      [vast, small, vast, small, small].map(async (bytes) => {
        const edited = await editor.edit(sourceOf(bytes), { op: 'rotate', angle: 180 });
        return edited.outcome === 'edited' && bytes === small ? files.rows(edited.bytes) : edited;
      }),
    );
    const reason = 'Editing the image took more memory than allowed.';
    const failed = { outcome: 'failed', reason };
    expect(endings).to.deep.equal([failed, ['cba'], failed, ['cba'], ['cba']]);
    await editor.close();
  });

  it('whose bytes do not arrive does not delay others', async () => {
    const editor = new ChildProcessImageEditor({ transferLimitMs: 2_000 });
    const bytes = await files.file('png', ['ab']);
    const [head, rest] = [bytes.subarray(0, 60), bytes.subarray(60)];
    const opening = (slowly: boolean): ImageSource => {
      let opened = 0;
      return {
        format: 'png',
        size: bytes.length,
        async *open() {
          yield head;
          // Its head is read first.
          if (slowly && ++opened > 1) await new Promise(() => undefined);
          yield rest;
        },
      };
    };
    const flip = { op: 'flip', mode: 'h' } as const;
    const endings = await Promise.all(
      [true, false, false].map((slowly) =>
        editor.edit(opening(slowly), flip).then(
          ({ outcome }) => outcome,
          (error: unknown) => error instanceof UnavailableError && error.message,
        ),
      ),
    );
    const late = 'The bytes of the file did not arrive in time, or could not be stored.';
    expect(endings).to.deep.equal([late, 'edited', 'edited']);
    await editor.close();
  });
});

describe('the files that a process shares with its child', () => {
  const usual = process.env['TMPDIR'];
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'ow-test-'))));
  beforeEach(() => (process.env['TMPDIR'] = folder));
  afterEach(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('transfer input up to the limit, and the result, and are unlinked', async () => {
    const shared = new SharedFiles();
    const [given, created] = shared.childs;
    async function* pieces() {
      for (const piece of ['one ', 'two ', 'three']) yield Promise.resolve(Buffer.from(piece));
    }
    expect(readdirSync(folder)).to.deep.equal([]);
    expect(await shared.give(pieces(), 6)).to.equal(6);
    expect(readFileSync(given, 'utf8')).to.equal('one tw');
    expect(() => writeSync(given, 'x')).to.throw(/EBADF/);
    expect(await shared.give(pieces(), 1_000)).to.equal(13);
    const large = randomBytes(2_621_441);
    const cut = async function* () {
      for (let at = 0; at < large.length; at += 700_001)
        yield Promise.resolve(large.subarray(at, at + 700_001));
    };
    expect(await shared.give(cut(), large.length)).to.equal(large.length);
    const whole = Buffer.alloc(large.length);
    expect(readSync(given, whole, 0, whole.length, 0)).to.equal(whole.length);
    expect(whole.equals(large)).to.equal(true);
    writeSync(created, 'longer than said');
    expect(String(await shared.take(6))).to.equal('longer');
    expect(String(await shared.take(6))).to.equal('');
    shared.handOver();
    await Promise.all([shared.close(), shared.close()]);
    expect(await shared.give(pieces(), 6).catch((e: unknown) => e)).to.be.instanceOf(
      OutOfTempSpaceError,
    );
  });

  it('cause an error that does not blame the image if none can be opened', async () => {
    const editor = new ChildProcessImageEditor();
    const bytes = await files.file('png', ['ab']);
    const open = async function* () {
      yield await Promise.resolve(bytes);
    };
    process.env['TMPDIR'] = join(folder, 'missing');
    const edited = editor.edit(
      { format: 'png', size: bytes.length, open },
      { op: 'flip', mode: 'h' },
    );
    expect(await edited.catch((e: unknown) => e)).to.be.instanceOf(UnavailableError);
    await editor.close();
  });
});
