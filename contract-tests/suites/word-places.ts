import { expect } from 'chai';
import sharp from 'sharp';
import { UnavailableError } from '../../ports/errors.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';
import type { PlacedWord, WordPlaces } from '../../ports/word-places.ts';
import { pdfOf, streamOf } from '../samples/hostile/pdf.ts';
import { blackPng } from '../samples/pictures.ts';
import { pdfOfPages, scanOf, turned } from '../samples/scans.ts';
import { requestFor, sample } from './text-extractor.ts';

/** Words of 12 points at a position of an A4 page, in points from its lower left. */
const drawn = (x: number, y: number, text: string): string =>
  `BT /F 12 Tf ${x} ${y} Td (${text}) Tj ET`;

/** A PDF with a page for each content; `rotate` is how they are displayed. */
const pdfWith = (contents: readonly string[], rotate = 0): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${contents.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /Rotate ${rotate} /MediaBox [0 0 595 842] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      streamOf('', content),
    ]),
  ]);

/** Tolerance, as a fraction of the page: letters reach above and below their baseline. */
const NEAR = 0.02;

/** The contract of every WordPlaces, with `eng` and, if its data is installed, `rus`. */
export function wordPlacesContract(open: () => WordPlaces): void {
  let places: WordPlaces;
  before(() => {
    places = open();
  });
  after(() => places.close());

  const on = (kind: ObjectKind, name: string, bytes: Uint8Array, page: number, ocr = false) =>
    places.wordsOn(requestFor(name, kind, bytes), page, ocr);
  const find = (words: readonly PlacedWord[], text: string): PlacedWord => {
    const found = words.find((word) => word.text.includes(text));
    if (!found) throw new Error(`${text} is not among ${words.map((word) => word.text).join(' ')}`);
    return found;
  };
  const isInside = ({ left, top, width, height }: PlacedWord) =>
    left >= 0 && top >= 0 && left + width <= 1 && top + height <= 1 && width > 0 && height > 0;

  it('The words of a text layer are located where they are drawn, in drawing order, on any page', async () => {
    const pages = [
      [drawn(72, 720, 'harbour lantern'), drawn(300, 400, 'meadow')].join(' '),
      drawn(100, 100, 'copper'),
    ];
    const first = await on('pdf', 'a.pdf', pdfWith(pages), 1);
    expect(first.map(({ text }) => text)).to.deep.equal(['harbour', 'lantern', 'meadow']);
    const [harbour, lantern, meadow] = first as [PlacedWord, PlacedWord, PlacedWord];
    expect(harbour.left).to.be.closeTo(72 / 595, NEAR);
    expect(harbour.top + harbour.height).to.be.closeTo((842 - 720) / 842, NEAR);
    expect(harbour.height).to.be.within(10 / 842, 16 / 842);
    expect(lantern.left).to.be.greaterThan(harbour.left + harbour.width);
    expect(meadow.left).to.be.closeTo(300 / 595, NEAR);
    expect(meadow.top + meadow.height).to.be.closeTo((842 - 400) / 842, NEAR);
    const [copper] = await on('pdf', 'a.pdf', pdfWith(pages), 2);
    expect(copper?.text).to.equal('copper');
    expect(copper?.left).to.be.closeTo(100 / 595, NEAR);
    // Displayed a quarter turn clockwise: the lower left becomes the upper left.
    const [turnedWord] = await on('pdf', 'a.pdf', pdfWith(pages, 90), 2);
    expect(turnedWord?.left).to.be.closeTo(100 / 842, NEAR);
    expect(turnedWord?.top).to.be.closeTo(100 / 595, NEAR);
    expect(turnedWord?.height).to.be.greaterThan(turnedWord?.width ?? 1);
    const russian = await on('pdf', 'p.pdf', sample('protocol-ru.pdf'), 1);
    expect(russian.some(({ text }) => /\p{Script=Cyrillic}{4}/u.test(text))).to.equal(true);
    expect(russian.every(isInside)).to.equal(true);
  });

  it('Words of a scanned page and of an image are located where they are recognised, an EXIF rotation applied', async () => {
    const layer = await on('pdf', 'letter.pdf', sample('letter.pdf'), 2);
    const scan = await scanOf('letter.pdf', 2, 150);
    const upright = await scan.clone().jpeg({ quality: 80 }).toBuffer();
    const scanned = await pdfOfPages(['blank', { jpg: upright }]);
    const found = [
      await on('image', 'a.jpg', upright, 1, true),
      await on('image', 'b.jpg', await turned(scan.clone()), 1, true),
      await on('pdf', 'c.pdf', scanned, 2, true),
    ];
    for (const words of found)
      for (const text of ['yourself', 'contractor', 'Margarethe']) {
        const [drawnAt, foundAt] = [find(layer, text), find(words, text)];
        expect(foundAt.left, text).to.be.closeTo(drawnAt.left, NEAR);
        expect(foundAt.top, text).to.be.closeTo(drawnAt.top, NEAR);
        expect(foundAt.width, text).to.be.closeTo(drawnAt.width, NEAR * 2);
      }
  });

  it('A missing page, a page without words and a damaged file have none', async () => {
    const pdf = pdfWith([drawn(72, 720, 'harbour'), '']);
    const white = await sharp({
      create: { width: 200, height: 200, channels: 3, background: '#ffffff' },
    })
      .png()
      .toBuffer();
    const all = [
      await on('pdf', 'a.pdf', pdf, 3),
      await on('pdf', 'a.pdf', pdf, 2),
      await on('pdf', 'a.pdf', pdf.subarray(0, 60), 1, true),
      await on('pdf', 'a.pdf', Buffer.alloc(0), 1),
      await on('image', 'a.png', white, 1, true),
      await on('image', 'a.png', await blackPng(300), 1, true),
      await on('image', 'a.png', Buffer.from('not a picture'), 1, true),
    ];
    expect(all).to.deep.equal(all.map(() => []));
  });

  it('An error of `open` is rethrown, and the next file is not affected', async () => {
    const pdf = pdfWith([drawn(72, 720, 'harbour')]);
    const broken = new Error('The bytes are gone.');
    const request = {
      ...requestFor('a.pdf', 'pdf', pdf),
      async *open(): AsyncIterable<Uint8Array> {
        yield await Promise.resolve(pdf.subarray(0, 10));
        throw broken;
      },
    };
    const error = await places.wordsOn(request, 1, false).catch((reason: unknown) => reason);
    expect(error).to.equal(broken);
    expect(await on('pdf', 'a.pdf', pdf, 1)).to.have.length(1);
  });

  it('After `close` `wordsOn` rejects with UnavailableError', async () => {
    const closed = open();
    await closed.close();
    const error = await closed
      .wordsOn(requestFor('a.pdf', 'pdf', pdfWith([''])), 1, false)
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnavailableError);
  });
}
