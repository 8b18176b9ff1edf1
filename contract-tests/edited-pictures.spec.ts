import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { ChildProcessImageEditor } from '../adapters/extract/image-editor.ts';
import {
  ANGLES,
  FLIP_MODES,
  cropRectangle,
  type ImageFormat,
  type ImageOperation,
} from '../ports/image-editor.ts';
import { imageMagick } from './image-magick.ts';
import { noiseOf, pngChunks, withPngChunk } from './samples/pictures.ts';

const judge = imageMagick();
const editor = new ChildProcessImageEditor();
after(() => editor.close());

const sourceOf = (format: ImageFormat, bytes: Uint8Array) => ({
  format,
  size: bytes.length,
  async *open() {
    yield bytes;
  },
});

async function edit(
  format: ImageFormat,
  bytes: Uint8Array,
  operation: ImageOperation,
): Promise<Uint8Array> {
  const edited = await editor.edit(sourceOf(format, bytes), operation);
  if (edited.outcome !== 'edited') throw new Error(`${operation.op}: ${edited.reason}`);
  return edited.bytes;
}

const EXACT: readonly ImageOperation[] = [
  ...ANGLES.map((angle) => ({ op: 'rotate', angle }) as const),
  ...FLIP_MODES.map((mode) => ({ op: 'flip', mode }) as const),
  { op: 'crop', box: [0.13, 0.21, 0.77, 0.9] },
];
const EVERY: readonly ImageOperation[] = [
  ...EXACT,
  { op: 'resize', maxSide: 40, quality: null },
  { op: 'compress', quality: 60 },
];

/** Pixels as numbers, in the space and depth of the file. */
interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly values: ArrayLike<number>;
}

async function rasterOf(bytes: Uint8Array): Promise<Raster> {
  const { space, depth } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes)
    .pipelineColourspace(space)
    .toColourspace(space)
    .keepIccProfile()
    .raw({ depth })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const values =
    depth === 'ushort' ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return { width, height, channels, values };
}

/** Where in the source a pixel of the result comes from. */
type Origin = (x: number, y: number) => readonly [x: number, y: number];

function moved(source: Raster, width: number, height: number, origin: Origin): Raster {
  const { channels } = source;
  const values = new Array<number>(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = origin(x, y);
      for (let c = 0; c < channels; c++)
        values[(y * width + x) * channels + c] =
          source.values[(fromY * source.width + fromX) * channels + c] ?? -1;
    }
  return { width, height, channels, values };
}

/** The operation as the words of the interface have it, pixel by pixel. */
function expected(source: Raster, operation: ImageOperation): Raster {
  const { width: w, height: h } = source;
  if (operation.op === 'flip')
    return moved(source, w, h, (x, y) =>
      operation.mode === 'h' ? [w - 1 - x, y] : [x, h - 1 - y],
    );
  if (operation.op === 'crop') {
    const { left, top, width, height } = cropRectangle(operation.box, w, h);
    return moved(source, width, height, (x, y) => [left + x, top + y]);
  }
  if (operation.op !== 'rotate') throw new Error(`${operation.op} is not exact.`);
  if (operation.angle === 90) return moved(source, h, w, (x, y) => [y, h - 1 - x]);
  if (operation.angle === 270) return moved(source, h, w, (x, y) => [w - 1 - y, x]);
  return moved(source, w, h, (x, y) => [w - 1 - x, h - 1 - y]);
}

/** The upright image of pixels stored with an EXIF orientation (EXIF 2.32 §4.6.4, tag 0x0112). */
function upright(stored: Raster, orientation: number): Raster {
  const { width: w, height: h } = stored;
  const origins: Readonly<Record<number, Origin>> = {
    1: (x, y) => [x, y],
    2: (x, y) => [w - 1 - x, y],
    3: (x, y) => [w - 1 - x, h - 1 - y],
    4: (x, y) => [x, h - 1 - y],
    5: (x, y) => [y, x],
    6: (x, y) => [y, h - 1 - x],
    7: (x, y) => [w - 1 - y, h - 1 - x],
    8: (x, y) => [w - 1 - y, x],
  };
  const origin = origins[orientation];
  if (!origin) throw new Error('There is no such orientation.');
  return orientation > 4 ? moved(stored, h, w, origin) : moved(stored, w, h, origin);
}

function expectSame(created: Raster, requested: Raster, what: string): void {
  const sides = ({ width, height, channels }: Raster) => [width, height, channels];
  expect(sides(created), what).to.deep.equal(sides(requested));
  const wrong = Array.from(created.values).findIndex((value, i) => value !== requested.values[i]);
  expect(wrong, `${what}: the first value that differs`).to.equal(-1);
}

/** Every value differs from its neighbours. */
function gradient(width: number, height: number, channels: 1 | 2 | 3 | 4, most: number) {
  const length = width * height * channels;
  const values = most > 255 ? new Uint16Array(length) : new Uint8Array(length);
  for (let i = 0; i < length; i++) values[i] = (i * 7_919 + (i >> 3) * 31) % (most + 1);
  return sharp(values, { raw: { width, height, channels } });
}

const [W, H] = [53, 37];
const PNGS: readonly (readonly [what: string, make: () => Sharp, facts: Partial<Metadata>])[] = [
  ['colours', () => gradient(W, H, 3, 255).png(), { channels: 3, depth: 'uchar' }],
  ['colours and transparency', () => gradient(W, H, 4, 255).png(), { channels: 4, depth: 'uchar' }],
  ['grey', () => gradient(W, H, 1, 255).toColourspace('b-w').png(), { channels: 1, space: 'b-w' }],
  [
    'grey and transparency',
    () => gradient(W, H, 2, 255).toColourspace('b-w').png(),
    { channels: 2, space: 'b-w' },
  ],
  [
    'sixteen bits',
    () => gradient(W, H, 3, 65_535).toColourspace('rgb16').png(),
    { channels: 3, depth: 'ushort', space: 'rgb16' },
  ],
  [
    'sixteen bits and transparency',
    () => gradient(W, H, 4, 65_535).toColourspace('rgb16').png(),
    { channels: 4, depth: 'ushort', space: 'rgb16' },
  ],
  [
    'grey of sixteen bits',
    () => gradient(W, H, 1, 65_535).toColourspace('grey16').png(),
    { channels: 1, depth: 'ushort', space: 'grey16' },
  ],
  [
    'a palette',
    () => gradient(W, H, 3, 255).png({ palette: true, colours: 16, dither: 0 }),
    { isPalette: true },
  ],
  ['every other row', () => gradient(W, H, 3, 255).png({ progressive: true }), { channels: 3 }],
];

const profileOf = async (name: 'p3' | 'cmyk' | 'srgb', picture: Sharp) => {
  const tagged = await (name === 'cmyk' ? picture.toColourspace('cmyk') : picture)
    .withIccProfile(name)
    .jpeg()
    .toBuffer();
  const { icc } = await sharp(tagged).metadata();
  if (!icc) throw new Error('There is no profile.');
  return { tagged, icc };
};

describe('edited images', function () {
  this.timeout(120_000);

  for (const [what, make, facts] of PNGS)
    it(`are exact to the pixel: a png of ${what}`, async () => {
      const source = await make().toBuffer();
      expect(await sharp(source).metadata(), what).to.include(facts);
      const raster = await rasterOf(source);
      for (const operation of EXACT) {
        const created = await edit('png', source, operation);
        expect(await sharp(created).metadata(), JSON.stringify(operation)).to.include(
          facts.isPalette ? {} : facts,
        );
        expectSame(await rasterOf(created), expected(raster, operation), JSON.stringify(operation));
      }
      const half = await edit('png', source, { op: 'resize', maxSide: 27, quality: null });
      expect(await sharp(half).metadata()).to.include({ width: 27, height: 19 });
      if (!facts.isPalette) expect(await sharp(half).metadata()).to.include(facts);
    });

  it('have a palette again if they had one and it is lossless', async () => {
    for (const colours of [2, 7, 100, 256]) {
      // Each of them many times, in no order that a filter could make anything of.
      const scattered = Uint8Array.from({ length: 90 * 70 * 3 }, (_, i) => {
        const colour = (Math.imul(Math.floor(i / 3) ** 2, 2_654_435_761) >>> 16) % colours;
        return (colour * [37, 91, 211][i % 3]! + (i % 3)) & 255;
      });
      const raw = { width: 90, height: 70, channels: 3 } as const;
      const source = await sharp(scattered, { raw }).png({ palette: true }).toBuffer();
      const raster = await rasterOf(source);
      for (const operation of EXACT) {
        const created = await edit('png', source, operation);
        const what = `${colours} colours, ${JSON.stringify(operation)}`;
        expect(await sharp(created).metadata(), what).to.include({ isPalette: true });
        expectSame(await rasterOf(created), expected(raster, operation), what);
      }
    }
  });

  it('are exact to the pixel: a png of black and white', async () => {
    const source = await gradient(W, H, 1, 255)
      .threshold(128)
      .toColourspace('b-w')
      .png({ palette: true, colours: 2 })
      .toBuffer();
    const raster = await rasterOf(source);
    for (const operation of EXACT)
      expectSame(
        await rasterOf(await edit('png', source, operation)),
        expected(raster, operation),
        JSON.stringify(operation),
      );
  });

  it('have their EXIF orientation applied before any operation', async () => {
    const stored = await gradient(W, H, 3, 255).png().toBuffer();
    const raster = await rasterOf(stored);
    for (let orientation = 1; orientation <= 8; orientation++) {
      const source = await sharp(stored).withMetadata({ orientation }).png().toBuffer();
      expect((await sharp(source).metadata()).orientation).to.equal(orientation);
      for (const operation of EXACT) {
        const what = `orientation ${orientation}, ${JSON.stringify(operation)}`;
        const created = await edit('png', source, operation);
        expect((await sharp(created).metadata()).orientation, what).to.equal(undefined);
        expectSame(
          await rasterOf(created),
          expected(upright(raster, orientation), operation),
          what,
        );
      }
      const resized = await edit('png', source, { op: 'resize', maxSide: 53, quality: null });
      expectSame(await rasterOf(resized), upright(raster, orientation), `${orientation}: resize`);
    }
  });

  it('preserve their colour profile byte for byte and the colour values, and no other metadata', async () => {
    const place = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
    const about = { IFD0: { Copyright: 'A-marker-of-the-original' }, ...place };
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/">A-marker-of-the-original</x:xmpmeta>';
    const noise = await noiseOf(90, 60);
    const { icc } = await profileOf('p3', noise.clone());
    for (const [format, written] of [
      ['jpg', (it: Sharp) => it.jpeg({ quality: 95 })],
      ['png', (it: Sharp) => it.png()],
      ['webp', (it: Sharp) => it.webp({ lossless: true })],
    ] as const) {
      const source = await written(
        noise.clone().withIccProfile('p3').withExif(about).withXmp(xmp),
      ).toBuffer();
      expect((await sharp(source).metadata()).icc?.equals(icc), format).to.equal(true);
      expect(source.includes('A-marker-of-the-original'), format).to.equal(true);
      const raster = await rasterOf(source);
      for (const operation of EVERY) {
        if (operation.op === 'compress' && format === 'png') continue;
        const what = `${format}, ${operation.op}`;
        const created = Buffer.from(await edit(format, source, operation));
        const facts = await sharp(created).metadata();
        expect(facts.icc?.equals(icc), what).to.equal(true);
        expect([facts.exif, facts.xmp, facts.iptc, facts.orientation], what).to.deep.equal(
          Array.from({ length: 4 }),
        );
        expect(created.includes('A-marker-of-the-original'), what).to.equal(false);
        if (format !== 'jpg' && EXACT.includes(operation))
          expectSame(await rasterOf(created), expected(raster, operation), what);
      }
    }
  });

  it('preserve the other colour chunks of a png', async () => {
    const plain = await gradient(W, H, 3, 255).png().toBuffer();
    const gamma = Buffer.from([0, 0, 0xb1, 0x8f]);
    const withGamma = withPngChunk(plain, 'gAMA', gamma);
    const text = Buffer.from('Comment\0A-marker-of-the-original', 'latin1');
    const created = await edit('png', withPngChunk(withGamma, 'tEXt', text), {
      op: 'rotate',
      angle: 90,
    });
    const chunks = pngChunks(created);
    expect(chunks.get('gAMA')?.equals(gamma)).to.equal(true);
    expect([...chunks.keys()].indexOf('gAMA')).to.equal(1);
    expect(chunks.has('tEXt')).to.equal(false);
    expectSame(
      await rasterOf(created),
      expected(await rasterOf(plain), { op: 'rotate', angle: 90 }),
      'gamma',
    );
  });

  it('preserve a png profile that the library would drop', async () => {
    const { icc } = await profileOf('p3', gradient(W, H, 3, 255));
    const profile = Buffer.concat([Buffer.from('Display P3\0\0', 'latin1'), deflateSync(icc)]);
    // A profile of three colours on grey is not allowed (ISO 15948 §11.3.2.3), and there all the same.
    const grey = await gradient(W, H, 1, 255).toColourspace('b-w').png().toBuffer();
    const source = withPngChunk(grey, 'iCCP', profile);
    for (const operation of EXACT) {
      const created = await edit('png', source, operation);
      expect(pngChunks(created).get('iCCP')?.equals(profile), operation.op).to.equal(true);
      expectSame(await rasterOf(created), expected(await rasterOf(grey), operation), operation.op);
    }
  });

  it('preserve the encoding of a jpg: quality within limits, chroma resolution, progressive or baseline', async () => {
    const noise = await noiseOf(200, 150);
    for (const [quality, held] of [
      [20, 75],
      [80, 80],
      [100, 95],
    ] as const)
      for (const chromaSubsampling of ['4:2:0', '4:4:4'])
        for (const progressive of [false, true]) {
          const how = { chromaSubsampling, progressive };
          const source = await noise
            .clone()
            .jpeg({ quality, ...how })
            .toBuffer();
          const created = await edit('jpg', source, { op: 'flip', mode: 'h' });
          expect(await sharp(created).metadata()).to.include({
            chromaSubsampling,
            isProgressive: progressive,
          });
          const same = await sharp(source)
            .flop()
            .jpeg({ quality: held, ...how })
            .toBuffer();
          expect(Buffer.from(created).equals(same), JSON.stringify({ quality, ...how })).to.equal(
            true,
          );
        }
    const grey = await noise.clone().toColourspace('b-w').jpeg().toBuffer();
    for (const operation of EVERY)
      expect(await sharp(await edit('jpg', grey, operation)).metadata()).to.include({
        channels: 1,
        space: 'b-w',
      });
  });

  it('fail for a jpg that ends properly before its pixels do, and not for bytes that decoders skip', async () => {
    const whole = await (await noiseOf(96, 64)).jpeg().toBuffer();
    const frame = whole.indexOf(Buffer.from([0xff, 0xc0]));
    const taller = Buffer.from(whole);
    taller.writeUInt16BE(128, frame + 5);
    const shorter = Buffer.concat([whole.subarray(0, -300), Buffer.from([0xff, 0xd9])]);
    for (const bytes of [taller, shorter]) {
      const created = await editor.edit(sourceOf('jpg', bytes), { op: 'flip', mode: 'h' });
      expect(created).to.deep.equal({ outcome: 'failed', reason: 'The image is damaged.' });
    }
    const scan = whole.indexOf(Buffer.from([0xff, 0xda]));
    const padded = [whole.subarray(0, scan), Buffer.alloc(3), whole.subarray(scan)];
    const made = await edit('jpg', Buffer.concat(padded), { op: 'flip', mode: 'h' });
    expect(await sharp(made).metadata()).to.include({ width: 96, height: 64 });
  });

  it('preserve the four channels of a CMYK jpg and their profile', async () => {
    const { tagged, icc } = await profileOf('cmyk', await noiseOf(90, 60));
    for (const operation of EVERY) {
      const created = await edit('jpg', tagged, operation);
      const facts = await sharp(created).metadata();
      expect(facts, operation.op).to.include({ space: 'cmyk', channels: 4, format: 'jpeg' });
      expect(facts.icc?.equals(icc), operation.op).to.equal(true);
    }
  });

  it('remain lossless for a lossless webp, transparency included, unless a quality is given', async () => {
    const picture = gradient(W, H, 4, 255);
    const source = await picture.webp({ lossless: true, exact: true }).toBuffer();
    const raster = await rasterOf(source);
    for (const operation of EXACT)
      expectSame(
        await rasterOf(await edit('webp', source, operation)),
        expected(raster, operation),
        JSON.stringify(operation),
      );
    const noise = await (
      await noiseOf(90, 60)
    )
      .ensureAlpha(0.5)
      .webp({ lossless: true })
      .toBuffer();
    const lossy = await edit('webp', noise, { op: 'resize', maxSide: 500, quality: 50 });
    expect(lossy.length).to.be.lessThan(noise.length / 2);
    expect(await sharp(lossy).metadata()).to.include({ width: 90, height: 60, hasAlpha: true });
  });

  describe('with animation', () => {
    const delay = [100, 200, 300, 400];
    const FRAMES = ['#f00000', '#00f000', '#0000f0', '#f0f000'];
    /** Each frame of one colour, its upper left quarter white. */
    const frames = () =>
      Promise.all(
        FRAMES.map((background) =>
          sharp({ create: { width: 80, height: 60, channels: 4, background } })
            .composite([
              {
                input: { create: { width: 40, height: 30, channels: 4, background: '#ffffff' } },
                left: 0,
                top: 0,
              },
            ])
            .png()
            .toBuffer(),
        ),
      );
    const animation = async (over: (it: Sharp) => Sharp = (it) => it) =>
      over(sharp(await frames(), { join: { animated: true } }))
        .webp({ delay, loop: 3, lossless: true })
        .toBuffer();
    const frameOf = async (bytes: Uint8Array, page: number) =>
      rasterOf(await sharp(bytes, { page }).ensureAlpha().png().toBuffer());

    it('preserve every frame, in order, with its duration, and the loop count', async () => {
      const source = await animation();
      for (const operation of EVERY.filter(({ op }) => op !== 'compress')) {
        const what = JSON.stringify(operation);
        const created = await edit('webp', source, operation);
        expect(await sharp(created).metadata(), what).to.deep.include({ pages: 4, delay, loop: 3 });
        for (let page = 0; page < 4; page++)
          if (EXACT.includes(operation))
            expectSame(
              await frameOf(created, page),
              expected(await frameOf(source, page), operation),
              `${what}, frame ${page}`,
            );
      }
      const small = await edit('webp', source, { op: 'resize', maxSide: 40, quality: null });
      expect(await sharp(small, { page: 2 }).metadata()).to.include({ width: 40, height: 30 });
    });

    it('are compressed with all their frames, including similar ones', async () => {
      const like = await (await noiseOf(90, 60)).png().toBuffer();
      for (const [what, second] of [
        ['unlike', await sharp(like).negate({ alpha: false }).png().toBuffer()],
        ['nearly alike', await sharp(like).linear(1, 1).png().toBuffer()],
      ] as const) {
        const source = await sharp([like, second, like], { join: { animated: true } })
          .withIccProfile('p3')
          .webp({ delay: [90, 80, 70], loop: 0, lossless: true })
          .toBuffer();
        const { icc, pages } = await sharp(source).metadata();
        expect(pages, what).to.equal(3);
        const created = await edit('webp', source, { op: 'compress', quality: 20 });
        expect(created.length, what).to.be.lessThan(source.length);
        const facts = await sharp(created).metadata();
        expect(facts, what).to.deep.include({ pages: 3, delay: [90, 80, 70], loop: 0 });
        expect(facts.icc?.equals(icc ?? Buffer.alloc(0)), what).to.equal(true);
        if (judge) {
          const frame = await sharp(created, { page: 1 }).png().toBuffer();
          const own = await judge.convert(created, 'webp', ['-coalesce', '-delete', '0,2'], 'png');
          expect(await judge.distance(frame, own), what).to.be.lessThan(0.01);
        }
      }
    });

    it('preserve their colour profile, and have their orientation applied', async () => {
      const source = await animation((it) =>
        it.withIccProfile('p3').withMetadata({ orientation: 6 }),
      );
      const { icc, orientation } = await sharp(source).metadata();
      expect(orientation).to.equal(6);
      const created = await edit('webp', source, { op: 'flip', mode: 'v' });
      const facts = await sharp(created).metadata();
      expect(facts.icc?.equals(icc ?? Buffer.alloc(0))).to.equal(true);
      expect(facts).to.deep.include({ width: 60, height: 80, pages: 4, delay });
      for (let page = 0; page < 4; page++) {
        const stored = await frameOf(source, page);
        const requested = expected(upright(stored, 6), { op: 'flip', mode: 'v' });
        expectSame(await frameOf(created, page), requested, `frame ${page}`);
      }
    });
  });

  if (judge)
    describe('as decoded by ImageMagick', () => {
      const words = (operation: ImageOperation, width: number, height: number): string[] => {
        if (operation.op === 'rotate') return ['-rotate', String(operation.angle)];
        if (operation.op === 'flip') return [operation.mode === 'h' ? '-flop' : '-flip'];
        if (operation.op === 'resize')
          return ['-resize', `${operation.maxSide}x${operation.maxSide}`];
        if (operation.op !== 'crop') return [];
        const { left, top, ...cut } = cropRectangle(operation.box, width, height);
        return ['-crop', `${cut.width}x${cut.height}+${left}+${top}`, '+repage'];
      };
      /** The distance between the service's result and that of ImageMagick for the same operation. */
      const apart = async (format: ImageFormat, source: Uint8Array, operation: ImageOperation) => {
        const { autoOrient } = await sharp(source).metadata();
        const own = await judge.convert(
          source,
          format,
          ['-auto-orient', '+repage', ...words(operation, autoOrient.width, autoOrient.height)],
          'miff',
        );
        return judge.distance(await edit(format, source, operation), own);
      };

      it('a png is the same to the last bit, also with sixteen bits', async () => {
        for (const [what, make] of PNGS) {
          const source = await make().toBuffer();
          for (const operation of EXACT)
            expect(await apart('png', source, operation), `${what}, ${operation.op}`).to.equal(0);
        }
      });

      it('a different image has a large distance', async () => {
        const source = await (await noiseOf(160, 120)).jpeg({ quality: 92 }).toBuffer();
        const own = await judge.convert(source, 'jpg', ['-flip'], 'miff');
        const other = await edit('jpg', source, { op: 'flip', mode: 'h' });
        expect(await judge.distance(other, own)).to.be.greaterThan(0.1);
      });

      it('a jpg differs only by its encoding, in each orientation', async () => {
        const noise = await (await noiseOf(160, 120)).jpeg({ quality: 92 }).toBuffer();
        for (let orientation = 1; orientation <= 8; orientation++) {
          const source = await sharp(noise).withMetadata({ orientation }).jpeg().toBuffer();
          for (const operation of EVERY)
            expect(
              await apart('jpg', source, operation),
              `${orientation}, ${operation.op}`,
            ).to.be.lessThan(0.06);
        }
      });

      it('a webp differs only by its encoding', async () => {
        const source = await (await noiseOf(160, 120)).webp({ quality: 92 }).toBuffer();
        for (const operation of EVERY)
          expect(await apart('webp', source, operation), operation.op).to.be.lessThan(0.06);
      });

      it('a CMYK jpg has the same appearance, with inverted inks or not', async () => {
        const plain = await (await noiseOf(160, 120)).jpeg({ quality: 95 }).toBuffer();
        const created = await judge.convert(plain, 'jpg', ['-colorspace', 'CMYK'], 'jpg');
        const tagged = (await profileOf('cmyk', await noiseOf(160, 120))).tagged;
        for (const source of [created, tagged]) {
          expect((await sharp(source).metadata()).space).to.equal('cmyk');
          for (const operation of EVERY)
            expect(await apart('jpg', source, operation), operation.op).to.be.lessThan(0.06);
        }
      });
    });
});
