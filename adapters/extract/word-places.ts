import type { ExtractionRequest } from '../../ports/text-extraction.ts';
import type { PlacedWord, WordPlaces } from '../../ports/word-places.ts';
import type { LanguageData } from './ocr/languages.ts';
import { PdfDrawer, PictureDrawer, type PageRasterizer } from './ocr/page-rasterizer.ts';
import { OcrProcess } from './ocr/processes.ts';
import { MAX_RASTER_PIXELS } from './pictures/raster-protocol.ts';
import { parseWords } from './places/places-protocol.ts';
import { PlacesProcess } from './places/processes.ts';
import type { ExitReason } from './process/sandboxed-process.ts';
import { NOT_CONFINED, type SystemConfinement } from './process/namespaces.ts';
import { ProcessPool } from './process/process-pool.ts';

const LIMITS = {
  /** For each step of one page. A client waits for the words. */
  timeLimitMs: 20_000,
  transferLimitMs: 20_000,
  memoryLimitMiB: 768,
  maxReplyBytes: MAX_RASTER_PIXELS * 2,
};
const OCR_MEMORY_LIMIT_MIB = 1_024;
const POOL = { concurrency: 1, maxWaiting: 20, idleMs: 20_000, port: 'word-places' };
const MAX_FILE_BYTES = 200 * 1024 * 1024;
const CLOSING = 'The service is closing.';

/** Locates words in child processes of its own, so that it does not wait for files that are read in the background. */
export class ChildProcessWordPlaces implements WordPlaces {
  readonly #data: readonly LanguageData[];
  readonly #layers: ProcessPool<PlacesProcess>;
  readonly #readers: ProcessPool<OcrProcess>;
  readonly #drawers: Readonly<Record<'page' | 'picture', ProcessPool<PageRasterizer>>>;

  /** Without language data nothing is recognised. */
  constructor(data: readonly LanguageData[], confinement: SystemConfinement = NOT_CONFINED) {
    const limits = { ...LIMITS, confinement };
    const ocrLimits = { ...limits, memoryLimitMiB: OCR_MEMORY_LIMIT_MIB };
    const pool = { ...POOL, tooMany: 'Too many pages are waiting.', closing: CLOSING };
    this.#data = data;
    this.#layers = new ProcessPool(pool, () => new PlacesProcess(limits));
    this.#readers = new ProcessPool(pool, () => new OcrProcess(data, ocrLimits));
    this.#drawers = {
      page: new ProcessPool<PageRasterizer>(pool, () => new PdfDrawer(limits)),
      picture: new ProcessPool<PageRasterizer>(pool, () => new PictureDrawer(limits)),
    };
  }

  wordsOn(
    request: ExtractionRequest,
    page: number,
    isRecognised: boolean,
  ): Promise<readonly PlacedWord[]> {
    if (request.size > MAX_FILE_BYTES) return Promise.resolve([]);
    return this.#layers.inTurn(async () => {
      const layer = request.type.kind === 'pdf' ? await this.#ofLayer(request, page) : [];
      return layer.length === 0 && isRecognised && this.#data.length > 0
        ? this.#recognised(request, page)
        : layer;
    });
  }

  async close(): Promise<void> {
    const pools = [this.#layers, this.#readers, this.#drawers.page, this.#drawers.picture];
    await Promise.all(pools.map((pool) => pool.close()));
  }

  async #ofLayer(request: ExtractionRequest, page: number): Promise<readonly PlacedWord[]> {
    const done = await this.#layers.lend((process) =>
      process.run({ size: request.size, page }, request.open()),
    );
    return typeof done === 'string' ? this.#none(done) : parseWords(done.payload);
  }

  async #recognised(request: ExtractionRequest, page: number): Promise<readonly PlacedWord[]> {
    const drawers = this.#drawers[request.type.kind === 'pdf' ? 'page' : 'picture'];
    const drawn = await drawers.lend((drawer) => drawer.draw(request, page, false));
    if (typeof drawn === 'string') return this.#none(drawn);
    if (!drawn.page) return [];
    const { pixels, width, height } = drawn.page;
    const job = {
      size: pixels.length,
      width,
      height,
      languages: this.#data,
      want: 'words' as const,
    };
    const done = await this.#readers.lend((process) => process.run(job, once(pixels)));
    return typeof done === 'string' ? this.#none(done) : parseWords(done.payload);
  }

  /** A page that crashes its process or needs too much memory has no words. */
  #none(ending: ExitReason): readonly PlacedWord[] {
    if (ending === 'retired') throw this.#layers.failure(CLOSING);
    if (ending === 'start') throw this.#layers.failure('The process could not be started.');
    if (ending === 'transfer')
      throw this.#layers.failure('The bytes of the file did not arrive in time.');
    if (ending === 'time') throw this.#layers.failure('The page took too long.');
    return [];
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
