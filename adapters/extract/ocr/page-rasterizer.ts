import type { ExtractionRequest } from '../../../ports/text-extraction.ts';
import { PictureProcess, RasterProcess } from '../pictures/processes.ts';
import type { ExitReason } from '../process/sandboxed-process.ts';

/** A grayscale page, one byte per pixel. */
export interface GreyPage {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The result of rasterizing a page, with the number of pages if known. */
export interface RasterizedPage {
  readonly page: GreyPage | undefined;
  readonly pages: number;
}

/** Rasterizes the pages of one file; the file is sent with the first page that a process rasterizes. */
export interface PageRasterizer {
  readonly fit: boolean;
  kill(reason: ExitReason): Promise<void>;
  draw(
    request: ExtractionRequest,
    page: number,
    held: boolean,
  ): Promise<RasterizedPage | ExitReason>;
}

/** Resolution in dpi at which small print is legible. */
const DPI = 300;

const bytesOf = (request: ExtractionRequest, held: boolean) => (held ? nothing() : request.open());

export class PdfDrawer extends RasterProcess implements PageRasterizer {
  async draw(
    request: ExtractionRequest,
    page: number,
    held: boolean,
  ): ReturnType<PageRasterizer['draw']> {
    const job = { size: held ? 0 : request.size, page, want: { dpi: DPI } };
    const done = await this.run(job, bytesOf(request, held));
    if (typeof done === 'string') return done;
    const { result, payload } = done;
    if (result.outcome !== 'bitmap') return { page: undefined, pages: result.pages ?? 0 };
    return grey(payload, result);
  }
}

export class PictureDrawer extends PictureProcess implements PageRasterizer {
  async draw(
    request: ExtractionRequest,
    page: number,
    held: boolean,
  ): ReturnType<PageRasterizer['draw']> {
    const job = { size: held ? 0 : request.size, make: { as: 'grey', page } as const };
    const done = await this.run(job, bytesOf(request, held));
    if (typeof done === 'string') return done;
    const { result, payload } = done;
    return result.outcome === 'grey' ? grey(payload, result) : { page: undefined, pages: 0 };
  }
}

function grey(
  pixels: Buffer | undefined,
  size: { readonly width: number; readonly height: number; readonly pages: number },
): RasterizedPage {
  const { width, height, pages } = size;
  const whole = pixels?.length === width * height;
  return { page: whole ? { pixels, width, height } : undefined, pages };
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // The process has the file already.
}
