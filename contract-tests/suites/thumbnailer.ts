import { expect } from 'chai';
import sharp from 'sharp';
import { UnavailableError } from '../../ports/errors.ts';
import type { Thumbnailer, ThumbnailRequest } from '../../ports/thumbnails.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';
import { HOSTILE } from '../samples/hostile/make.ts';
import { blackPng, coloursOf, heldOnItsSide, twoColours } from '../samples/pictures.ts';
import { sample } from './text-extractor.ts';

export interface OpenedThumbnailer {
  readonly thumbnailer: Thumbnailer;
  /** A generous time limit per file. */
  readonly timeLimitMs: number;
  /** Limits of concurrent and of waiting files. */
  readonly room: number;
  /** Running child processes of this process. */
  readonly processes: () => Promise<number>;
}

const requestFor = (
  kind: ObjectKind,
  format: string,
  bytes: Uint8Array,
  maxSidePixels = 128,
): ThumbnailRequest => ({
  type: { kind, format, mime: 'application/octet-stream' },
  size: bytes.length,
  maxSidePixels,
  async *open() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  },
});

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="red"/></svg>';

/** The contract of every Thumbnailer. */
export function thumbnailerContract(open: () => Promise<OpenedThumbnailer>): void {
  let opened: OpenedThumbnailer;
  let thumbnailer: Thumbnailer;
  before(async () => {
    opened = await open();
    thumbnailer = opened.thumbnailer;
  });
  after(() => thumbnailer.close());

  const created = async (request: ThumbnailRequest): Promise<Uint8Array> => {
    const rendering = await thumbnailer.render(request);
    if (rendering.outcome === 'none') throw new Error(rendering.reason);
    return rendering.webp;
  };
  const measured = async (webp: Uint8Array) => {
    const { format, width, height } = await sharp(webp).metadata();
    return { format, width, height };
  };
  const rendersOn = async (): Promise<void> => {
    const png = await twoColours(400).png().toBuffer();
    expect(await coloursOf(await created(requestFor('image', 'png', png)))).to.deep.equal([
      'red',
      'blue',
    ]);
  };

  it('JPEG, PNG, WebP, GIF, TIFF, AVIF and the first page of a PDF become a WebP with the requested longest side', async () => {
    const picture = twoColours(600);
    for (const [format, bytes] of [
      ['jpg', await picture.clone().jpeg().toBuffer()],
      ['png', await picture.clone().png().toBuffer()],
      ['webp', await picture.clone().webp().toBuffer()],
      ['gif', await picture.clone().gif().toBuffer()],
      ['tiff', await picture.clone().tiff().toBuffer()],
      ['avif', await picture.clone().avif({ effort: 0 }).toBuffer()],
    ] as const)
      for (const side of [64, 256]) {
        const webp = await created(requestFor('image', format, bytes, side));
        expect(await measured(webp), format).to.deep.equal({
          format: 'webp',
          width: side,
          height: side / 2,
        });
        expect(await coloursOf(webp), format).to.deep.equal(['red', 'blue']);
      }
    for (const file of ['lighthouse.pdf', 'orchard.pdf', 'letter.pdf', 'protocol-ru.pdf']) {
      const webp = await created(requestFor('pdf', 'pdf', sample(file), 512));
      expect(await measured(webp), file).to.include({ format: 'webp', height: 512 });
      const { channels } = await sharp(webp).stats();
      // A page of writing is mostly white, with some black.
      expect(channels[0]?.mean, file).to.be.within(180, 254);
      expect(channels[0]?.min, file).to.be.lessThan(120);
    }
  });

  it('An image is never enlarged, is rotated according to its EXIF orientation, and carries no metadata of the original', async () => {
    const small = await twoColours(100).png().toBuffer();
    expect(await measured(await created(requestFor('image', 'png', small, 1024)))).to.deep.equal({
      format: 'webp',
      width: 100,
      height: 50,
    });
    const hundred = await created(requestFor('image', 'png', await blackPng(10_000)));
    expect(await measured(hundred)).to.include({ width: 128, height: 128 });
    const turned = await created(requestFor('image', 'jpg', await heldOnItsSide(600), 128));
    expect(await measured(turned)).to.include({ width: 128, height: 64 });
    expect(await coloursOf(turned)).to.deep.equal(['red', 'blue']);
    const { exif, xmp, orientation } = await sharp(turned).metadata();
    expect([exif, xmp, orientation]).to.deep.equal([undefined, undefined, undefined]);
  });

  it('A kind without an image, SVG, and a file that is broken, encrypted, hostile or over 100 megapixels is `none` within the time limit. The next file is not affected', async function () {
    this.timeout(30 * (opened.timeLimitMs + 2_000));
    const png = await twoColours(900).png().toBuffer();
    const jpg = await heldOnItsSide(900);
    const cut = (bytes: Buffer, share: number) =>
      bytes.subarray(0, Math.floor(bytes.length * share));
    const files: (readonly [what: string, ThumbnailRequest])[] = [
      ['text', requestFor('text', 'txt', Buffer.from('hello'))],
      ['archive', requestFor('archive', 'zip', Buffer.from('hello'))],
      ['svg', requestFor('image', 'svg', Buffer.from(SVG))],
      ['psd', requestFor('image', 'psd', Buffer.from('8BPS'))],
      ['an empty png', requestFor('image', 'png', new Uint8Array(0))],
      ['a truncated png', requestFor('image', 'png', cut(png, 0.5))],
      ['a truncated jpg', requestFor('image', 'jpg', cut(jpg, 0.5))],
      ['a heic that is none', requestFor('image', 'heic', Buffer.from('\0\0\0\x18ftypheic'))],
      ['256 megapixels', requestFor('image', 'png', await blackPng(16_000))],
      ...HOSTILE.filter(
        ({ filename }) => filename.endsWith('.pdf') && !/promises|bomb|endless/.test(filename),
      ).map(({ what, make }) => [what, requestFor('pdf', 'pdf', make())] as const),
    ];
    for (const [what, request] of files) {
      const rendering = await thumbnailer.render(request);
      if (what === 'a truncated PDF' && rendering.outcome === 'picture') continue;
      if (rendering.outcome !== 'none') throw new Error(`${what} was rendered.`);
      expect(rendering.reason, what).to.match(/^[A-Z][^/\\{}\n]{10,200}\.$/);
      if (what === '256 megapixels') expect(rendering.reason).to.include('100 megapixels');
      if (what === 'an encrypted PDF') expect(rendering.reason).to.include('password');
    }
    // These may be rendered or not, and other files are not affected.
    for (const { make } of HOSTILE.filter(({ filename }) =>
      /^(promises|bomb|endless)\.pdf$/.test(filename),
    )) {
      await thumbnailer.render(requestFor('pdf', 'pdf', make()));
    }
    await rendersOn();
  });

  it('The bytes decide whether an image can be decoded: an SVG with another extension is `none`', async () => {
    for (const format of ['png', 'jpg', 'webp', 'tiff', 'avif'])
      expect(
        (await thumbnailer.render(requestFor('image', format, Buffer.from(SVG)))).outcome,
      ).to.equal('none');
    const pdf = requestFor('image', 'png', sample('letter.pdf'));
    expect((await thumbnailer.render(pdf)).outcome).to.equal('none');
    const png = await twoColours(200).png().toBuffer();
    const polyglot = Buffer.concat([png, Buffer.from(SVG), sample('letter.pdf')]);
    expect(await coloursOf(await created(requestFor('image', 'png', polyglot)))).to.deep.equal([
      'red',
      'blue',
    ]);
  });

  it('An error of `open` is rethrown, and the next file is not affected', async () => {
    const away = new UnavailableError('storage', 'away');
    for (const [kind, format] of [
      ['image', 'png'],
      ['pdf', 'pdf'],
    ] as const) {
      const failing: ThumbnailRequest = {
        ...requestFor(kind, format, Buffer.alloc(300_000, 'a')),
        async *open() {
          yield Buffer.alloc(100_000, 'a');
          throw away;
        },
      };
      expect(await thumbnailer.render(failing).catch((e: unknown) => e)).to.equal(away);
    }
    await rendersOn();
  });

  it('If too many files wait, `render` rejects with UnavailableError', async () => {
    const png = await twoColours(200).png().toBuffer();
    const endings = await Promise.all(
      Array.from({ length: opened.room + 5 }, () =>
        thumbnailer.render(requestFor('image', 'png', png)).then(
          ({ outcome }) => outcome,
          (error: unknown) => (error instanceof UnavailableError ? 'refused' : String(error)),
        ),
      ),
    );
    expect(endings.filter((ending) => ending === 'picture')).to.have.length(opened.room);
    expect(endings.filter((ending) => ending === 'refused')).to.have.length(5);
    await rendersOn();
  });

  it('`close` ends every child process. Afterwards `render` rejects with UnavailableError', async () => {
    const second = await open();
    const request = requestFor('pdf', 'pdf', sample('letter.pdf'));
    const before = await second.processes();
    await second.thumbnailer.render(request);
    const cut = second.thumbnailer.render(request).then(
      ({ outcome }) => outcome,
      (error: unknown) => error,
    );
    await second.thumbnailer.close();
    await second.thumbnailer.close();
    const ended = await cut;
    if (ended !== 'picture') expect(ended).to.be.instanceOf(UnavailableError);
    expect(await second.processes()).to.be.at.most(before);
    const error = await second.thumbnailer.render(request).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(UnavailableError);
  });
}
