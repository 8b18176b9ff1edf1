import { fitWithin, regionOf, turnedSize, type Draft, type Pixels } from './draft.ts';

/** A picture that has been decoded, upright. */
export interface Source extends Pixels {
  readonly image: HTMLImageElement;
}

/** Draws a picture as a draft makes it. `limit`: of the longest side, in pixels. Without `isCropped` all of it is drawn. */
export function drawDraft(
  canvas: HTMLCanvasElement,
  source: Source,
  draft: Draft,
  { limit, isCropped }: { readonly limit: number; readonly isCropped: boolean },
): void {
  const whole = turnedSize(source, draft);
  const region = regionOf(whole, isCropped ? draft.crop : undefined);
  const result = fitWithin(region, Math.min(limit, isCropped ? (draft.maxSide ?? limit) : limit));
  canvas.width = result.width;
  canvas.height = result.height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.scale(result.width / region.width, result.height / region.height);
  context.translate(-region.left, -region.top);
  if (draft.isMirrored) {
    context.translate(whole.width, 0);
    context.scale(-1, 1);
  }
  if (draft.angle === 90) context.translate(whole.width, 0);
  if (draft.angle === 180) context.translate(whole.width, whole.height);
  if (draft.angle === 270) context.translate(0, whole.height);
  context.rotate((draft.angle * Math.PI) / 180);
  context.drawImage(source.image, 0, 0, source.width, source.height);
}

/** Frees the memory of a canvas, and what is to be seen in it. */
export function clearCanvas(canvas: HTMLCanvasElement | null): void {
  if (!canvas) return;
  canvas.width = 0;
  canvas.height = 0;
}

export const encoded = (
  canvas: HTMLCanvasElement,
  mime: string,
  quality: number,
): Promise<Blob | null> => new Promise((resolve) => canvas.toBlob(resolve, mime, quality / 100));
