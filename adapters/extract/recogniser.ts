import type {
  ContentType,
  Extraction,
  ExtractionRequest,
  TextExtractor,
} from '../../ports/text-extraction.ts';
import type { TextRecogniser } from '../../ports/text-recognition.ts';
import { PdfDrawer, PictureDrawer, type Drawer, type GreyPage } from './ocr/drawing.ts';
import type { LanguageData } from './ocr/languages.ts';
import { bound, textsOf } from './ocr/pages.ts';
import { OcrProcess } from './ocr/processes.ts';
import { MOST_RASTER_PIXELS } from './pictures/raster-protocol.ts';
import type { Death } from './process/confined-process.ts';
import { ProcessPool } from './process/pool.ts';

export interface RecogniserOptions {
  /** For one page, each for drawing and for recognising it. Default 60 000. */
  readonly timeLimitMs?: number;
  /** For all pages of one file; those that are not reached stay without text. Default 1 800 000. */
  readonly totalLimitMs?: number;
  /** Pages of one file; the others stay without text. Default 200. */
  readonly mostPages?: number;
  /** For all bytes of one file to arrive. Default 120 000. */
  readonly transferLimitMs?: number;
  /** Resident memory of one process where /proc tells of it. Default 1 024. */
  readonly memoryLimitMiB?: number;
  /** After which a process without work ends. Default 20 000. */
  readonly idleMs?: number;
  /** Files that may wait for their turn. Default 100. */
  readonly mostWaiting?: number;
  /** Size of the largest file that is read. Default 200 MiB. */
  readonly maxFileBytes?: number;
  /** Code points after which a text is cut. Default 5 000 000. */
  readonly maxTextLength?: number;
}

const DEFAULTS: Required<RecogniserOptions> = {
  timeLimitMs: 60_000,
  totalLimitMs: 1_800_000,
  mostPages: 200,
  transferLimitMs: 120_000,
  memoryLimitMiB: 1_024,
  idleMs: 20_000,
  mostWaiting: 100,
  maxFileBytes: 200 * 1024 * 1024,
  maxTextLength: 5_000_000,
};

/** Pages that may break the programs, after which the file is given up. */
const MOST_BROKEN = 5;

const failed = (reason: string): Extraction => ({ outcome: 'failed', reason });

/**
 * Draws pages in one child process and recognises them in another, one file at a time. A page that breaks a bound is
 * left out, and the pages after it are read by new processes.
 */
export class ChildProcessRecogniser implements TextRecogniser {
  readonly languages: readonly string[];
  readonly #options: Required<RecogniserOptions>;
  readonly #extractor: TextExtractor;
  readonly #readers: ProcessPool<OcrProcess>;
  readonly #drawers: Readonly<Record<'page' | 'picture', ProcessPool<Drawer>>>;
  readonly #data: readonly LanguageData[];

  /** `extractor` reads the text layers of PDFs and tells languages. */
  constructor(
    data: readonly LanguageData[],
    extractor: TextExtractor,
    options: RecogniserOptions = {},
  ) {
    const all = { ...DEFAULTS, ...options };
    const limits = { ...all, longestReply: MOST_RASTER_PIXELS * 2 };
    const pool = {
      ...all,
      concurrency: 1,
      port: 'text-recognition',
      tooMany: 'Too many files wait for their text to be recognised.',
      closing: CLOSING,
    };
    this.languages = data.map(({ code }) => code);
    this.#data = data;
    this.#extractor = extractor;
    this.#options = all;
    this.#readers = new ProcessPool(pool, () => new OcrProcess(data, limits));
    this.#drawers = {
      page: new ProcessPool<Drawer>(pool, () => new PdfDrawer(limits)),
      picture: new ProcessPool<Drawer>(pool, () => new PictureDrawer(limits)),
    };
  }

  recognise(request: ExtractionRequest): Promise<Extraction> {
    // Left over from a time when there was recognition.
    if (this.languages.length === 0) return this.#extractor.extract(request);
    const { maxFileBytes } = this.#options;
    const megabytes = Math.round(maxFileBytes / 1024 / 1024);
    if (request.size > maxFileBytes)
      return Promise.resolve(
        failed(`The file is larger than ${megabytes} MB, the most that is read.`),
      );
    return this.#readers.inTurn(() =>
      isPdf(request.type) ? this.#pdf(request) : this.#picture(request),
    );
  }

  async close(): Promise<void> {
    const pools = [this.#readers, this.#drawers.page, this.#drawers.picture];
    await Promise.all(pools.map((pool) => pool.close()));
  }

  async #picture(request: ExtractionRequest): Promise<Extraction> {
    const read = await this.#read(request, this.#drawers.picture, new Map(), 0);
    if (read.count === 0)
      return failed('The picture is damaged, or of a type that is not decoded.');
    return this.#extraction(read, '', {
      outcome: 'none',
      expected: false,
      reason: 'No text was recognised in the picture.',
    });
  }

  async #pdf(request: ExtractionRequest): Promise<Extraction> {
    const layer = await this.#extractor.extract(request);
    if (layer.outcome === 'failed' || !layer.scanned) return layer;
    const known = layer.outcome === 'text' ? layer.pages.length : 0;
    const own =
      layer.outcome === 'text' ? textsOf(layer.text, layer.pages) : new Map<never, never>();
    const read = await this.#read(request, this.#drawers.page, own, known);
    // What it says of itself is worth more than nothing, whatever became of its pictures.
    if (layer.outcome === 'text' && read.texts.size === own.size) return { ...layer };
    if (read.count === 0) return failed('No page of the file can be drawn.');
    return this.#extraction(read, layer.outcome === 'text' ? layer.title : '', {
      outcome: 'none',
      expected: true,
      reason: 'No text was recognised on the pages of the file.',
    });
  }

  async #extraction(
    { texts, count, broken }: ReadPages,
    title: string,
    nothing: Extraction,
  ): Promise<Extraction> {
    if (texts.size === 0)
      return broken === 0
        ? nothing
        : failed('Recognising the text broke a limit of time or memory.');
    const { text, pages } = bound(count, (page) => texts.get(page), this.#options.maxTextLength);
    const language = await this.#extractor.languageOf(text);
    return { outcome: 'text', source: 'ocr', text, title, language, pages };
  }

  /** Every page that has no text of its own, one after another, until a bound is met. */
  async #read(
    request: ExtractionRequest,
    drawers: ProcessPool<Drawer>,
    own: ReadonlyMap<number, string>,
    known: number,
  ): Promise<ReadPages> {
    const { mostPages, totalLimitMs } = this.#options;
    const texts = new Map(own);
    const deadline = performance.now() + totalLimitMs;
    const open = (): boolean =>
      page <= Math.max(count, 1) &&
      drawn < mostPages &&
      broken <= MOST_BROKEN &&
      performance.now() < deadline;
    let [page, count, drawn, broken] = [1, known, 0, 0];
    while (open())
      await drawers.lend(async (drawer) => {
        for (let held = false; open() && drawer.fit; page++) {
          if (own.has(page)) continue;
          const ending = await drawer.draw(request, page, held);
          drawn++;
          held = typeof ending !== 'string';
          if (typeof ending !== 'string') count = Math.max(count, ending.pages);
          const text =
            typeof ending === 'string'
              ? this.#judged(ending)
              : ending.page && (await this.#recognised(ending.page));
          if (text === undefined) broken++;
          else if (text !== '') texts.set(page, text);
        }
      });
    return { texts, count, broken };
  }

  async #recognised({ pixels, width, height }: GreyPage): Promise<string | undefined> {
    const job = { size: pixels.length, width, height, languages: this.#data };
    const done = await this.#readers.lend((process) => process.run(job, once(pixels)));
    if (typeof done === 'string') return this.#judged(done);
    return done.payload?.toString('utf8') ?? '';
  }

  /** A page that could not be read; nothing is said of it when it is not the page's doing. */
  #judged(ending: Death): undefined {
    if (ending === 'retired') throw this.#readers.failure(CLOSING);
    if (ending === 'start')
      throw this.#readers.failure('The process that recognises text did not start.');
    if (ending === 'transfer')
      throw this.#readers.failure('The bytes of the file did not arrive in time.');
    return undefined;
  }
}

interface ReadPages {
  readonly texts: ReadonlyMap<number, string>;
  /** Pages of the file; 0 when none could be drawn. */
  readonly count: number;
  readonly broken: number;
}

const CLOSING = 'The service is closing and recognises no more files.';

const isPdf = ({ kind }: ContentType): boolean => kind === 'pdf';

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
