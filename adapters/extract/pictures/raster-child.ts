import type { PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { disableNetwork } from '../process/disable-network.ts';
import { runChildLoop } from '../process/child-loop.ts';
import { MAX_RASTER_PIXELS, type RasterJob, type RasterResult } from './raster-protocol.ts';

disableNetwork();

const POINTS_PER_INCH = 72;
/** Higher page counts are not reported. */
const MAX_PAGES = 20_000;
/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY, as reported by the library. */
const PROTECTED = /password|security/i;

let library: PDFiumLibrary;
let held: PDFiumDocument | undefined;

interface Drawn {
  readonly result: RasterResult;
  readonly payload?: Uint8Array;
}

/** The document of the last file remains open, since its pages are requested one by one. */
async function draw(job: RasterJob, bytes: Uint8Array): Promise<Drawn> {
  let pages: number | undefined;
  try {
    if (job.size > 0) {
      held?.destroy();
      held = undefined;
      held = await library.loadDocument(bytes);
    }
    if (!held) return { result: { outcome: 'broken' } };
    pages = Math.min(held.getPageCount(), MAX_PAGES);
    return await drawPage(held, pages, job);
  } catch (error) {
    const guarded = error instanceof Error && PROTECTED.test(error.message);
    const outcome = guarded ? 'protected' : 'broken';
    return { result: pages === undefined ? { outcome } : { outcome, pages } };
  }
}

async function drawPage(pdf: PDFiumDocument, pages: number, job: RasterJob): Promise<Drawn> {
  const page = pdf.getPage(job.page - 1);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = scaleOf(originalWidth, originalHeight, job.want);
  if (!Number.isFinite(scale) || scale <= 0) throw new RangeError('A page without a size.');
  const grey = 'dpi' in job.want;
  const { width, height, data } = await page.render({
    scale: 1,
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
    colorSpace: grey ? 'Gray' : 'BGRA',
    renderFormFields: true,
    render: 'bitmap',
  });
  const channels = grey ? 1 : 4;
  return { result: { outcome: 'bitmap', width, height, channels, pages }, payload: data };
}

function scaleOf(width: number, height: number, want: RasterJob['want']): number {
  if ('maxSidePixels' in want) return want.maxSidePixels / Math.max(width, height);
  const requested = want.dpi / POINTS_PER_INCH;
  return Math.min(requested, Math.sqrt(MAX_RASTER_PIXELS / (width * height)));
}

await runChildLoop<RasterJob>(async () => {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  library = await PDFiumLibrary.init();
  return draw;
});
