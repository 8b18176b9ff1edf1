import type * as PdfJs from 'pdfjs-dist';
import type { PdfPage } from './engine.ts';

const MAX_CANVAS_PIXELS = 16_000_000;

/** Draws a page, and lays its words over it. Resolves to false if the page itself could not be drawn. */
export async function drawPage(
  { TextLayer, AnnotationMode }: typeof PdfJs,
  page: PdfPage,
  { canvas, layer }: { canvas: HTMLCanvasElement; layer: HTMLElement },
  width: number,
  signal: AbortSignal,
): Promise<boolean> {
  const natural = page.getViewport({ scale: 1 });
  const scale = width / natural.width;
  const viewport = page.getViewport({ scale });
  const wanted = Math.min(globalThis.devicePixelRatio || 1, 2);
  const limit = Math.sqrt(MAX_CANVAS_PIXELS / (viewport.width * viewport.height));
  const density = Math.min(wanted, limit);
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  const drawing = page.render({
    canvas,
    viewport,
    transform: [density, 0, 0, density, 0, 0],
    annotationMode: AnnotationMode.ENABLE,
  });
  layer.replaceChildren();
  layer.style.setProperty('--total-scale-factor', String(scale));
  const words = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: layer,
    viewport,
  });
  signal.addEventListener(
    'abort',
    () => {
      drawing.cancel();
      words.cancel();
    },
    { once: true },
  );
  const [drawn] = await Promise.allSettled([drawing.promise, words.render()]);
  signal.throwIfAborted();
  return drawn.status === 'fulfilled';
}

export interface PdfLink {
  readonly href: string;
  /** Left, top, width, height in fractions of the page. */
  readonly box: readonly [number, number, number, number];
}

/** Links of a page to the web. Actions of any other sort are left out. */
export async function linksOf(page: PdfPage): Promise<readonly PdfLink[]> {
  const viewport = page.getViewport({ scale: 1 });
  const annotations = (await page.getAnnotations()) as readonly {
    readonly subtype?: string;
    readonly url?: string;
    /** As it is written in the file: the engine completes relative ones with an address of this app. */
    readonly unsafeUrl?: string;
    readonly rect?: readonly [number, number, number, number];
  }[];
  return annotations.flatMap(({ subtype, url, unsafeUrl = '', rect }) => {
    if (subtype !== 'Link' || !url || !rect || !/^https?:\/\//i.test(unsafeUrl)) return [];
    const [x1, y1] = viewport.convertToViewportPoint(rect[0], rect[1]) as [number, number];
    const [x2, y2] = viewport.convertToViewportPoint(rect[2], rect[3]) as [number, number];
    const { width, height } = viewport;
    return [
      {
        href: url,
        box: [
          Math.min(x1, x2) / width,
          Math.min(y1, y2) / height,
          Math.abs(x2 - x1) / width,
          Math.abs(y2 - y1) / height,
        ],
      } as const,
    ];
  });
}
