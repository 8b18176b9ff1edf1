import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../i18n/picture.ts';
import { CropFrame } from './crop-frame.tsx';
import { EMPTY, croppedSize, type Box, type Draft } from './draft.ts';
import { clearCanvas, drawDraft, encoded, type Source } from './draw.ts';

/** Of the longest side of what is drawn on the screen, in pixels. */
const PREVIEW_PIXELS = 1_400;
/** Larger results are not encoded in advance: it takes the browser too long. */
const MAX_ENCODED_PIXELS = 16_000_000;
const ENCODE_DELAY_MS = 200;

interface StageProps {
  readonly source: Source;
  readonly mime: string;
  readonly draft: Draft;
  readonly isBefore: boolean;
  readonly isCropping: boolean;
  readonly onCrop: (box: Box) => void;
  /** The size of the result in bytes, as the browser makes it; undefined while it is not known. */
  readonly onEncoded: (bytes: number | undefined) => void;
}

const WHOLE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/** The picture as it would become, or as it is. */
export function Stage(props: StageProps) {
  const { source, mime, draft, isBefore, isCropping, onCrop, onEncoded } = props;
  const ref = useRef<HTMLCanvasElement>(null);
  const shown = isBefore ? EMPTY : draft;
  useLayoutEffect(() => {
    if (ref.current)
      drawDraft(ref.current, source, shown, { limit: PREVIEW_PIXELS, isCropped: !isCropping });
  }, [source, shown, isCropping]);
  useEffect(() => () => clearCanvas(ref.current), []);
  useEffect(() => {
    const { quality } = draft;
    onEncoded(undefined);
    const { width, height } = croppedSize(source, draft);
    if (quality === undefined || width * height > MAX_ENCODED_PIXELS) return;
    let isWanted = true;
    const work = document.createElement('canvas');
    const encode = async () => {
      drawDraft(work, source, draft, { limit: Infinity, isCropped: true });
      const blob = await encoded(work, mime, quality);
      if (!isWanted || blob?.type !== mime) return;
      onEncoded(blob.size);
      const bitmap = await createImageBitmap(blob);
      const { current: canvas } = ref;
      if (isWanted && canvas && !isBefore && !isCropping)
        canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      bitmap.close();
    };
    // A picture that the browser can not encode is shown as it would be without loss.
    const timer = setTimeout(() => void encode().catch(() => undefined), ENCODE_DELAY_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
      clearCanvas(work);
    };
  }, [source, draft, mime, isBefore, isCropping]);
  const hasFrame = isCropping && !isBefore;
  return (
    <div class="picture-stage" dir="ltr">
      <div class="picture-edited">
        <canvas ref={ref} role="img" aria-label={t().picture.stage} />
        {hasFrame && <CropFrame box={draft.crop ?? WHOLE} onChange={onCrop} />}
      </div>
    </div>
  );
}
