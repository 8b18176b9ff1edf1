import { expect } from 'chai';
import sharp from 'sharp';
import { UnavailableError } from '../../ports/errors.ts';
import type { Extraction, ExtractionRequest } from '../../ports/text-extraction.ts';
import type { OcrEngine } from '../../ports/ocr.ts';
import { HOSTILE } from '../samples/hostile/make.ts';
import { blackPng } from '../samples/pictures.ts';
import { pdfOfPages, scanOf, turned } from '../samples/scans.ts';
import { requestFor, sample } from './text-extractor.ts';

export interface OpenedRecogniser {
  /** With `eng`, and with `rus` if its data is installed. */
  readonly ocr: OcrEngine;
  /** A generous time limit for a file of a few pages. */
  readonly timeLimitMs: number;
  /** Running child processes of this process. */
  readonly processes: () => Promise<number>;
}

const HEDGE =
  'I agree that it has grown beyond what either of us can comfortably reach, and that the branches over the lane are a danger to the school bus.';
const QUOTATION =
  'The quotation I received from Greenacre Services comes to 640 euros for both sides, including the removal of the cuttings.';
const DEPOSIT =
  'Please let me know before the end of June, because the contractor wants a deposit four weeks ahead.';
const PIPE =
  'Труба, проложенная в 1994 году, проржавела на участке от колодца до третьей улицы, и каждую весну её приходится заваривать заново.';

/** The contract of every OcrEngine. */
export function ocrEngineContract(open: () => Promise<OpenedRecogniser>): void {
  let opened: OpenedRecogniser;
  let ocr: OcrEngine;
  let letter: Buffer;
  before(async () => {
    opened = await open();
    ocr = opened.ocr;
    letter = await (await scanOf('letter.pdf', 2, 150)).jpeg({ quality: 80 }).toBuffer();
  });
  after(() => ocr.close());

  const image = (filename: string, bytes: Uint8Array): ExtractionRequest =>
    requestFor(filename, 'image', bytes);
  const read = async (request: ExtractionRequest) => {
    const extraction = await ocr.recognise(request);
    if (extraction.outcome !== 'text') throw new Error(`${request.filename}: ${extraction.reason}`);
    return extraction;
  };
  const within = <T>(work: Promise<T>): Promise<T | 'late'> =>
    Promise.race([
      work,
      new Promise<'late'>((resolve) => setTimeout(resolve, opened.timeLimitMs, 'late').unref()),
    ]);
  const readsOn = async (): Promise<void> =>
    void expect((await read(image('letter.jpg', letter))).text).to.include(DEPOSIT);

  it('An image of writing gives its text as `ocr`. An image with an EXIF rotation is read upright', async function () {
    this.timeout(8 * opened.timeLimitMs);
    const scan = await scanOf('letter.pdf');
    const found = await read(image('scan.png', await scan.clone().png().toBuffer()));
    expect(found).to.include({ source: 'ocr', language: 'en' });
    for (const sentence of [HEDGE, QUOTATION]) expect(found.text).to.include(sentence);
    expect(found.pages).to.deep.equal([{ page: 1, charStart: 0, charEnd: [...found.text].length }]);
    const side = await read(image('side.jpg', await turned(await scanOf('letter.pdf', 2, 150))));
    expect(side.text).to.include(DEPOSIT);
    const small = await (await scanOf('letter.pdf', 2, 75)).webp({ lossless: true }).toBuffer();
    expect((await read(image('small.webp', small))).text).to.match(/contractor wants a deposit/);
    if (!ocr.languages.includes('rus')) return;
    const russian = await (await scanOf('protocol-ru.pdf')).png().toBuffer();
    const protocol = await read(image('protocol.png', russian));
    expect(protocol.language).to.equal('ru');
    expect(protocol.text).to.include(PIPE);
  });

  it('PDF pages with a text layer keep it and the others are recognised. The page map has the range of each page', async function () {
    this.timeout(4 * opened.timeLimitMs);
    const line = 'This page has a text layer of its own.';
    const last = 'And so has this one.';
    const pdf = await pdfOfPages([
      { line },
      { jpg: letter },
      'blank',
      { line: last },
      { jpg: letter },
    ]);
    const { text, pages, source } = await read(requestFor('mixed.pdf', 'pdf', pdf));
    expect(source).to.equal('ocr');
    const points = [...text];
    const own = pages.map(({ charStart, charEnd }) => points.slice(charStart, charEnd).join(''));
    expect(pages.map(({ page }) => page)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(own.map((page) => page.trim())).to.deep.equal([
      line,
      own[1]?.trim(),
      '',
      last,
      own[1]?.trim(),
    ]);
    expect(own[1]).to.include(DEPOSIT);
    expect(pages.at(-1)?.charEnd).to.equal(points.length);

    const printed = await read(requestFor('letter.pdf', 'pdf', sample('letter.pdf')));
    expect(printed).to.include({ source: 'extracted' });
  });

  it('An image without writing is `none` and not expected. A PDF without recognised text is `none` and expected', async function () {
    this.timeout(8 * opened.timeLimitMs);
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const clouds = sharp({
      create: { width: 900, height: 700, channels: 3, background: '#808080', noise },
    });
    for (const [name, bytes] of [
      ['noise.png', await clouds.clone().png().toBuffer()],
      [
        'clouds.jpg',
        await sharp(await clouds.png().toBuffer())
          .blur(12)
          .jpeg()
          .toBuffer(),
      ],
      ['black.png', await blackPng(300)],
    ] as const)
      expect(await ocr.recognise(image(name, bytes)), name).to.include({
        outcome: 'none',
        expected: false,
      });
    const blank = requestFor('blank.pdf', 'pdf', await pdfOfPages(['blank', 'blank']));
    expect(await ocr.recognise(blank)).to.include({ outcome: 'none', expected: true });
  });

  it('A broken, encrypted or hostile file ends as `failed` or `none` within the time limit. The next file is not affected', async function () {
    this.timeout(20 * opened.timeLimitMs);
    const png = await (await scanOf('letter.pdf', 2, 100)).png().toBuffer();
    const files = [
      image('half.png', png.subarray(0, png.length / 2)),
      image('bomb.png', await blackPng(16_000)),
      image('svg.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      image('empty.png', new Uint8Array(0)),
      ...HOSTILE.filter(({ filename }) =>
        /^(loop|noise|encrypted|endless)\.pdf$/.test(filename),
      ).map(({ filename, make }) => requestFor(filename, 'pdf', make())),
    ];
    for (const request of files) {
      const ended = await within<Extraction>(ocr.recognise(request));
      if (ended === 'late' || ended.outcome === 'text')
        expect.fail(`${request.filename}: ${JSON.stringify(ended)}`);
      expect(ended.reason, request.filename).to.match(/^[A-Z][^/\\{}\n]{10,200}\.$/);
    }
    await readsOn();
  });

  it('An error of `open` is rethrown, and the next file is not affected', async function () {
    this.timeout(4 * opened.timeLimitMs);
    const away = new UnavailableError('storage', 'away');
    const failing: ExtractionRequest = {
      ...image('a.png', Buffer.alloc(300_000, 'a')),
      async *open() {
        yield Buffer.alloc(100_000, 'a');
        throw away;
      },
    };
    expect(await ocr.recognise(failing).catch((e: unknown) => e)).to.equal(away);
    await readsOn();
  });

  it('`close` ends every child process. Afterwards `recognise` rejects with UnavailableError', async function () {
    this.timeout(4 * opened.timeLimitMs);
    const second = await open();
    const before = await second.processes();
    const cut = second.ocr.recognise(image('letter.jpg', letter)).catch((e: unknown) => e);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await second.ocr.close();
    const ended = await cut;
    if (ended instanceof Error) expect(ended).to.be.instanceOf(UnavailableError);
    expect(await second.processes()).to.be.at.most(before);
    const error = await second.ocr.recognise(image('letter.jpg', letter)).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(UnavailableError);
  });
}
