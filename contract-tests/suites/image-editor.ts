import { expect } from 'chai';
import fc from 'fast-check';
import { UnavailableError } from '../../ports/errors.ts';
import {
  ANGLES,
  FLIP_MODES,
  IMAGE_FORMATS,
  cropRectangle,
  fitWithin,
  type EditResult,
  type ImageEditor,
  type ImageFormat,
  type ImageOperation,
  type ImageSource,
} from '../../ports/image-editor.ts';

/** Creates and inspects image files for an editor. Rows are strings with one letter per pixel. */
export interface Studio {
  /** A lossless file, except for JPEG. */
  file(format: ImageFormat, rows: readonly string[]): Promise<Uint8Array>;
  /** The rows of a lossless file. */
  rows(bytes: Uint8Array): Promise<readonly string[]>;
  sides(bytes: Uint8Array): Promise<{ readonly width: number; readonly height: number }>;
  /** Encoded with this quality; JPEG or WebP. */
  lossy(format: 'jpg' | 'webp', quality: number): Promise<Uint8Array>;
  /** A small file with more than a hundred megapixels. */
  huge(format: ImageFormat): Promise<Uint8Array>;
  /** Files that are no images, with various names. */
  readonly others: readonly (readonly [what: string, bytes: Uint8Array])[];
}

export interface OpenedEditor {
  readonly editor: ImageEditor;
  readonly studio: Studio;
  /** Limits of concurrent and of waiting edits. */
  readonly room: number;
}

const sourceOf = (format: ImageFormat, bytes: Uint8Array): ImageSource => ({
  format,
  size: bytes.length,
  async *open() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  },
});

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const EXAMPLE = ['abc', 'def'];

const pictures = (): fc.Arbitrary<readonly string[]> =>
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .chain(([width, height]) =>
      fc.array(
        fc
          .array(fc.constantFrom(...LETTERS), { minLength: width, maxLength: width })
          .map((row) => row.join('')),
        { minLength: height, maxLength: height },
      ),
    );

const mirrored = (rows: readonly string[]) => rows.map((row) => [...row].reverse().join(''));
const turned = (rows: readonly string[]) =>
  [...(rows[0] ?? '')].map((_, x) =>
    rows
      .map((row) => row[x])
      .reverse()
      .join(''),
  );

/** The contract of every ImageEditor. */
export function imageEditorContract(open: () => Promise<OpenedEditor>): void {
  let opened: OpenedEditor;
  let editor: ImageEditor;
  let studio: Studio;
  before(async () => {
    opened = await open();
    ({ editor, studio } = opened);
  });
  after(() => editor.close());

  const edit = (format: ImageFormat, bytes: Uint8Array, operation: ImageOperation) =>
    editor.edit(sourceOf(format, bytes), operation);
  const bytesOf = (edited: EditResult): Uint8Array => {
    if (edited.outcome !== 'edited') throw new Error(edited.reason);
    return edited.bytes;
  };
  const created = async (
    rows: readonly string[],
    operation: ImageOperation,
    format: 'png' | 'webp',
  ) => studio.rows(bytesOf(await edit(format, await studio.file(format, rows), operation)));
  const editsOn = async (): Promise<void> => {
    expect(await created(EXAMPLE, { op: 'rotate', angle: 90 }, 'png')).to.deep.equal([
      'da',
      'eb',
      'fc',
    ]);
  };
  /** Expects that a file is rejected by the inspection, and fails when it is edited nevertheless. */
  const refuses = async (what: string, format: ImageFormat, bytes: Uint8Array) => {
    const verdict = await editor.inspect(sourceOf(format, bytes));
    if (verdict.outcome !== 'refused') throw new Error(`${what} was not refused.`);
    expect(verdict.reason, what).to.match(/^[A-Z][^/\\{}\n]{10,200}\.$/);
    const edited = await edit(format, bytes, { op: 'flip', mode: 'h' });
    expect(edited, what).to.deep.equal({ outcome: 'failed', reason: verdict.reason });
  };

  it('A rotation is clockwise, a flip mirrors, and both preserve every pixel of a lossless image', async () => {
    for (const format of ['png', 'webp'] as const) {
      expect(await created(EXAMPLE, { op: 'flip', mode: 'h' }, format)).to.deep.equal([
        'cba',
        'fed',
      ]);
      expect(await created(EXAMPLE, { op: 'flip', mode: 'v' }, format)).to.deep.equal([
        'def',
        'abc',
      ]);
      const turns = new Map(
        await Promise.all(
          ANGLES.map(
            async (angle) =>
              [angle, await created(EXAMPLE, { op: 'rotate', angle }, format)] as const,
          ),
        ),
      );
      expect(turns.get(90)).to.deep.equal(['da', 'eb', 'fc']);
      expect(turns.get(180)).to.deep.equal(['fed', 'cba']);
      expect(turns.get(270)).to.deep.equal(['cf', 'be', 'ad']);
    }
    await fc.assert(
      fc.asyncProperty(
        pictures(),
        fc.constantFrom(...ANGLES),
        fc.constantFrom(...FLIP_MODES),
        async (rows, angle, mode) => {
          let expected = rows;
          for (let turn = 0; turn < angle; turn += 90) expected = turned(expected);
          expect(await created(rows, { op: 'rotate', angle }, 'png')).to.deep.equal(expected);
          expect(await created(rows, { op: 'flip', mode }, 'png')).to.deep.equal(
            mode === 'h' ? mirrored(rows) : [...rows].reverse(),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  it('A crop contains the pixels of `cropRectangle`', async () => {
    expect(await created(EXAMPLE, { op: 'crop', box: [0, 0, 1, 1] }, 'png')).to.deep.equal(EXAMPLE);
    expect(await created(EXAMPLE, { op: 'crop', box: [1 / 3, 0, 1, 0.5] }, 'png')).to.deep.equal([
      'bc',
    ]);
    // A crop of less than half a pixel still has one.
    expect(await created(EXAMPLE, { op: 'crop', box: [0.99, 0.99, 1, 1] }, 'png')).to.deep.equal([
      'f',
    ]);
    expect(await created(EXAMPLE, { op: 'crop', box: [0, 0, 0.001, 0.001] }, 'png')).to.deep.equal([
      'a',
    ]);
    const edges = fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    await fc.assert(
      fc.asyncProperty(pictures(), edges, edges, async (rows, [left, right], [top, bottom]) => {
        const box = [left, top, right, bottom] as const;
        const [width, height] = [rows[0]?.length ?? 0, rows.length];
        const cut = cropRectangle(box, width, height);
        expect(cut.width).to.be.at.least(1);
        expect(cut.left + cut.width).to.be.at.most(width);
        expect(cut.top + cut.height).to.be.at.most(height);
        expect(Math.abs(cut.left - left * width)).to.be.at.most(left * width > width - 1 ? 1 : 0.5);
        const expected = rows
          .slice(cut.top, cut.top + cut.height)
          .map((row) => row.slice(cut.left, cut.left + cut.width));
        expect(await created(rows, { op: 'crop', box }, 'png')).to.deep.equal(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('A resize has the dimensions of `fitWithin`, and never enlarges', async () => {
    const sides = async (width: number, height: number, maxSide: number, format: ImageFormat) => {
      const rows = Array.from({ length: height }, () => 'a'.repeat(width));
      const operation = { op: 'resize', maxSide, quality: null } as const;
      return studio.sides(bytesOf(await edit(format, await studio.file(format, rows), operation)));
    };
    for (const format of IMAGE_FORMATS) {
      expect(await sides(60, 40, 30, format)).to.deep.equal({ width: 30, height: 20 });
      expect(await sides(40, 60, 30, format)).to.deep.equal({ width: 20, height: 30 });
      expect(await sides(60, 1, 16, format)).to.deep.equal({ width: 16, height: 1 });
      for (const side of [60, 61, 10_000])
        expect(await sides(60, 40, side, format)).to.deep.equal({ width: 60, height: 40 });
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 16, max: 100 }),
        async (width, height, maxSide) => {
          const fitted = fitWithin(maxSide, width, height);
          expect(Math.max(fitted.width, fitted.height)).to.equal(
            Math.min(maxSide, Math.max(width, height)),
          );
          const [long, short] = [Math.max(width, height), Math.min(width, height)];
          const exact = (short * Math.min(maxSide, long)) / long;
          expect(Math.abs(Math.min(fitted.width, fitted.height) - exact)).to.be.lessThan(1);
          expect(await sides(width, height, maxSide, 'png')).to.deep.equal(fitted);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('A compressed image is smaller than its source, or unchanged with the reason', async () => {
    for (const format of ['jpg', 'webp'] as const) {
      const source = await studio.lossy(format, 90);
      const smaller = bytesOf(await edit(format, source, { op: 'compress', quality: 40 }));
      expect(smaller.length, format).to.be.lessThan(source.length);
      expect(await studio.sides(smaller)).to.deep.equal(await studio.sides(source));
      const again = await edit(format, smaller, { op: 'compress', quality: 100 });
      expect(again.outcome, format).to.equal('unchanged');
      if (again.outcome === 'unchanged')
        expect(again.reason).to.match(/^At this quality .*smaller/);
    }
  });

  it('The bytes decide the format. A file of another format than declared, or of none, is rejected and fails', async () => {
    for (const format of IMAGE_FORMATS) {
      const bytes = await studio.file(format, EXAMPLE);
      expect(await editor.inspect(sourceOf(format, bytes))).to.deep.equal({ outcome: 'editable' });
      for (const other of IMAGE_FORMATS)
        if (other !== format) await refuses(`${format} called ${other}`, other, bytes);
      for (const [what, none] of studio.others)
        await refuses(`${what} called ${format}`, format, none);
    }
    await editsOn();
  });

  it('An image of more than `MAX_IMAGE_PIXELS` is rejected and fails, decoded or not', async () => {
    for (const format of IMAGE_FORMATS) {
      const bytes = await studio.huge(format);
      await refuses(`a huge ${format}`, format, bytes);
      // The header is sufficient.
      const head = bytes.subarray(0, Math.min(bytes.length, 2_000));
      await refuses(`the head of a huge ${format}`, format, head);
    }
    await editsOn();
  });

  it('A truncated file fails, and the next one is not affected', async () => {
    const noise = Array.from({ length: 60 }, (_, y) =>
      Array.from({ length: 60 }, (__, x) => LETTERS[(x * 7 + y * y * 3 + x * y) % 26]).join(''),
    );
    for (const format of IMAGE_FORMATS) {
      const whole = await studio.file(format, noise);
      for (const share of [0.5, 0.9]) {
        const half = whole.subarray(0, Math.floor(whole.length * share));
        const edited = await edit(format, half, { op: 'flip', mode: 'v' });
        expect(edited.outcome, `${share} of a ${format}`).to.equal('failed');
        if (edited.outcome === 'failed') expect(edited.reason).to.match(/^[A-Z][^/\\{}\n]+\.$/);
      }
      await refuses(`three bytes of a ${format}`, format, whole.subarray(0, 3));
      await refuses(`an empty ${format}`, format, new Uint8Array(0));
      await editsOn();
    }
  });

  it('An error of `open` is rethrown, and the next file is not affected', async () => {
    const away = new UnavailableError('storage', 'away');
    const bytes = await studio.lossy('jpg', 90);
    const failing: ImageSource = {
      ...sourceOf('jpg', bytes),
      async *open() {
        yield bytes.subarray(0, 100);
        throw away;
      },
    };
    const late: ImageSource = {
      ...sourceOf('jpg', bytes),
      async *open() {
        yield bytes.subarray(0, bytes.length - 10);
        throw away;
      },
    };
    const flip = { op: 'flip', mode: 'h' } as const;
    expect(await editor.inspect(failing).catch((e: unknown) => e)).to.equal(away);
    expect(await editor.edit(failing, flip).catch((e: unknown) => e)).to.equal(away);
    expect(await editor.edit(late, flip).catch((e: unknown) => e)).to.equal(away);
    await editsOn();
  });

  it('If too many files wait, `edit` rejects with UnavailableError', async () => {
    const bytes = await studio.file('png', EXAMPLE);
    const endings = await Promise.all(
      Array.from({ length: opened.room + 5 }, () =>
        edit('png', bytes, { op: 'flip', mode: 'h' }).then(
          ({ outcome }) => outcome,
          (error: unknown) => (error instanceof UnavailableError ? 'turned away' : String(error)),
        ),
      ),
    );
    expect(endings.filter((ending) => ending === 'edited')).to.have.length(opened.room);
    expect(endings.filter((ending) => ending === 'turned away')).to.have.length(5);
    await editsOn();
  });

  it('After `close` both reject with UnavailableError', async () => {
    const second = await open();
    const bytes = await second.studio.file('png', EXAMPLE);
    const flip = { op: 'flip', mode: 'h' } as const;
    await second.editor.edit(sourceOf('png', bytes), flip);
    const cut = second.editor.edit(sourceOf('png', bytes), flip).then(
      ({ outcome }) => outcome,
      (error: unknown) => error,
    );
    await second.editor.close();
    await second.editor.close();
    const ended = await cut;
    if (ended !== 'edited') expect(ended).to.be.instanceOf(UnavailableError);
    const refusals = await Promise.all([
      second.editor.inspect(sourceOf('png', bytes)).catch((e: unknown) => e),
      second.editor.edit(sourceOf('png', bytes), flip).catch((e: unknown) => e),
    ]);
    for (const error of refusals) expect(error).to.be.instanceOf(UnavailableError);
  });
}
