import type {
  ContentType,
  Extraction,
  ExtractionRequest,
  TextExtractor,
} from '../../ports/text-extraction.ts';
import type { OcrEngine } from '../../ports/ocr.ts';
import type { UnreadSentence } from '../../ports/reasons.ts';
import {
  PdfDrawer,
  PictureDrawer,
  type PageRasterizer,
  type GreyPage,
} from './ocr/page-rasterizer.ts';
import type { LanguageData } from './ocr/languages.ts';
import { mergePages, textsOf } from './ocr/merge-pages.ts';
import { OcrProcess } from './ocr/processes.ts';
import { MAX_RASTER_PIXELS } from './pictures/raster-protocol.ts';
import type { ExitReason } from './process/sandboxed-process.ts';
import { NOT_CONFINED, type SystemConfinement } from './process/namespaces.ts';
import { ProcessPool } from './process/process-pool.ts';

export interface RecogniserOptions {
  /** Time limit for one page, separately for rasterizing and OCR. Default 60 000. */
  readonly timeLimitMs?: number;
  /** Time limit for all pages of one file; the remaining pages have no text. Default 1 800 000. */
  readonly totalLimitMs?: number;
  /** Maximum number of pages per file; further pages have no text. Default 200. */
  readonly maxPages?: number;
  /** For all bytes of one file to arrive. Default 120 000. */
  readonly transferLimitMs?: number;
  /** Resident memory of one process as reported by /proc. Default 1 024. */
  readonly memoryLimitMiB?: number;
  /** After which an idle process ends. Default 20 000. */
  readonly idleMs?: number;
  /** Maximum number of waiting files. Default 100. */
  readonly maxWaiting?: number;
  /** Maximum size of a file. Default 200 MiB. */
  readonly maxFileBytes?: number;
  /** Code points after which a text is truncated. Default 5 000 000. */
  readonly maxTextLength?: number;
  /** How the system confines each process beyond Node's permission model. Default not at all. */
  readonly confinement?: SystemConfinement;
}

const DEFAULTS: Required<RecogniserOptions> = {
  timeLimitMs: 60_000,
  totalLimitMs: 1_800_000,
  maxPages: 200,
  transferLimitMs: 120_000,
  memoryLimitMiB: 1_024,
  idleMs: 20_000,
  maxWaiting: 100,
  maxFileBytes: 200 * 1024 * 1024,
  maxTextLength: 5_000_000,
  confinement: NOT_CONFINED,
};

/** Number of pages that may crash the processes before the file is abandoned. */
const MAX_BROKEN_PAGES = 5;

const failed = (reason: UnreadSentence): Extraction => ({ outcome: 'failed', reason });

/**
 * Rasterizes pages in one child process and runs OCR in another, one file at a time. A page that exceeds a limit is
 * skipped, and new processes continue with the next page.
 */
export class ChildProcessOcr implements OcrEngine {
  readonly languages: readonly string[];
  readonly #options: Required<RecogniserOptions>;
  readonly #extractor: TextExtractor;
  readonly #readers: ProcessPool<OcrProcess>;
  readonly #drawers: Readonly<Record<'page' | 'picture', ProcessPool<PageRasterizer>>>;
  readonly #data: readonly LanguageData[];

  /** `extractor` reads the text layers of PDFs and detects languages. */
  constructor(
    data: readonly LanguageData[],
    extractor: TextExtractor,
    options: RecogniserOptions = {},
  ) {
    const all = { ...DEFAULTS, ...options };
    const limits = { ...all, maxReplyBytes: MAX_RASTER_PIXELS * 2 };
    const pool = {
      ...all,
      concurrency: 1,
      port: 'text-recognition',
      tooMany: 'Too many files are waiting for OCR.',
      closing: CLOSING,
    };
    this.languages = data.map(({ code }) => code);
    this.#data = data;
    this.#extractor = extractor;
    this.#options = all;
    this.#readers = new ProcessPool(pool, () => new OcrProcess(data, limits));
    this.#drawers = {
      page: new ProcessPool<PageRasterizer>(pool, () => new PdfDrawer(limits)),
      picture: new ProcessPool<PageRasterizer>(pool, () => new PictureDrawer(limits)),
    };
  }

  recognise(request: ExtractionRequest): Promise<Extraction> {
    // A task from a time when OCR was configured.
    if (this.languages.length === 0) return this.#extractor.extract(request);
    const { maxFileBytes } = this.#options;
    const megabytes = Math.round(maxFileBytes / 1024 / 1024);
    if (request.size > maxFileBytes)
      return Promise.resolve(failed(`The file is larger than the limit of ${megabytes} MB.`));
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
    if (read.count === 0) return failed('The image is damaged, or of an unsupported type.');
    return this.#extraction(read, '', {
      outcome: 'none',
      expected: false,
      reason: 'No text was recognised in the image.' satisfies UnreadSentence,
    });
  }

  async #pdf(request: ExtractionRequest): Promise<Extraction> {
    const layer = await this.#extractor.extract(request);
    if (layer.outcome === 'failed' || !layer.scanned) return layer;
    const known = layer.outcome === 'text' ? layer.pages.length : 0;
    const own =
      layer.outcome === 'text' ? textsOf(layer.text, layer.pages) : new Map<never, never>();
    const read = await this.#read(request, this.#drawers.page, own, known);
    // The text layer is useful even if OCR fails.
    if (layer.outcome === 'text' && read.texts.size === own.size) return { ...layer };
    if (read.count === 0) return failed('None of the pages of the file can be rendered.');
    return this.#extraction(read, layer.outcome === 'text' ? layer.title : '', {
      outcome: 'none',
      expected: true,
      reason: 'No text was recognised on the pages of the file.' satisfies UnreadSentence,
    });
  }

  async #extraction(
    { texts, count, broken }: ReadPages,
    title: string,
    nothing: Extraction,
  ): Promise<Extraction> {
    if (texts.size === 0)
      return broken === 0 ? nothing : failed('OCR exceeded a limit of time or memory.');
    const { text, pages } = mergePages(
      count,
      (page) => texts.get(page),
      this.#options.maxTextLength,
    );
    const language = await this.#extractor.languageOf(text);
    return { outcome: 'text', source: 'ocr', text, title, language, pages };
  }

  /** Processes all pages without a text layer, one after another, until a limit is reached. */
  async #read(
    request: ExtractionRequest,
    drawers: ProcessPool<PageRasterizer>,
    own: ReadonlyMap<number, string>,
    known: number,
  ): Promise<ReadPages> {
    const { maxPages, totalLimitMs } = this.#options;
    const texts = new Map(own);
    const deadline = performance.now() + totalLimitMs;
    const open = (): boolean =>
      page <= Math.max(count, 1) &&
      drawn < maxPages &&
      broken <= MAX_BROKEN_PAGES &&
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
              ? this.#validated(ending)
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
    if (typeof done === 'string') return this.#validated(done);
    return done.payload?.toString('utf8') ?? '';
  }

  /** The reason why a page could not be read; undefined if the page is not the cause. */
  #validated(ending: ExitReason): undefined {
    if (ending === 'retired') throw this.#readers.failure(CLOSING);
    if (ending === 'start') throw this.#readers.failure('The OCR process could not be started.');
    if (ending === 'transfer')
      throw this.#readers.failure('The bytes of the file did not arrive in time.');
    return undefined;
  }
}

interface ReadPages {
  readonly texts: ReadonlyMap<number, string>;
  /** Number of pages; 0 if none could be rasterized. */
  readonly count: number;
  readonly broken: number;
}

const CLOSING = 'The service is closing.';

const isPdf = ({ kind }: ContentType): boolean => kind === 'pdf';

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
