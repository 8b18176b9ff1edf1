import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import { PageDrawing } from '../../../ui/page-drawing.tsx';
import type { ViewState } from '../view-state.ts';
import type { OpenPdf } from './engine.ts';
import type { PageMark } from './page-words.ts';

const LEAF_WIDTH = 54;

interface LeavesProps {
  readonly opened: OpenPdf;
  readonly ratio: number;
  readonly state: ViewState;
  readonly marked: ReadonlyMap<number, readonly PageMark[]>;
}

/** The pages at the side. Those that are cited carry the marker. */
export function Leaves({ opened, ratio, state, marked }: LeavesProps) {
  const { viewer } = t();
  const ref = useRef<HTMLElement>(null);
  const page = state.page.value;
  useEffect(() => {
    const leaf = ref.current?.querySelector<HTMLElement>('[aria-current]');
    leaf?.scrollIntoView({ block: 'nearest' });
  }, [page]);
  return (
    <nav class="leaves" aria-label={viewer.pages} ref={ref}>
      {Array.from({ length: opened.pdf.numPages }, (_, index) => index + 1).map((number) => {
        const isCited = marked.get(number)?.some(({ kind }) => kind === 'cited' || kind === 'also');
        return (
          <a
            key={number}
            href={`#page-${number}`}
            class={isCited ? 'has' : ''}
            aria-current={number === page ? 'page' : undefined}
            aria-label={isCited ? viewer.pageCited(number) : viewer.page(number)}
            onClick={(event) => {
              event.preventDefault();
              state.goToPage.value?.(number);
            }}
          >
            <Leaf opened={opened} number={number} ratio={ratio} />
            <span aria-hidden="true">{number}</span>
          </a>
        );
      })}
    </nav>
  );
}

/** A page as small as a thumbnail, drawn when it comes into view. */
function Leaf({ opened, number, ratio }: { opened: OpenPdf; number: number; ratio: number }) {
  const ref = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const { current: element } = ref;
    if (!element) return;
    const observer = new IntersectionObserver((entries) =>
      setNear(entries.some(({ isIntersecting }) => isIntersecting)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isNear || isDrawn) return;
    const controller = new AbortController();
    drawLeaf(opened, number, canvas.current, controller.signal).then(setDrawn, () => undefined);
    return () => controller.abort();
  }, [isNear, isDrawn, opened, number]);
  return (
    <span
      ref={ref}
      class="leaf"
      style={{ inlineSize: `${LEAF_WIDTH}px`, blockSize: `${LEAF_WIDTH / ratio}px` }}
    >
      <canvas ref={canvas} class={isDrawn ? 'thumb drawn' : 'thumb'} aria-hidden="true" />
      {!isDrawn && <PageDrawing name="text" />}
    </span>
  );
}

async function drawLeaf(
  { pdf, engine }: OpenPdf,
  number: number,
  canvas: HTMLCanvasElement | null,
  signal: AbortSignal,
): Promise<boolean> {
  const page = await pdf.getPage(number);
  if (!canvas || signal.aborted) return false;
  const natural = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: (LEAF_WIDTH * 2) / natural.width });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const drawing = page.render({
    canvas,
    viewport,
    annotationMode: engine.AnnotationMode.DISABLE,
  });
  signal.addEventListener('abort', () => drawing.cancel(), { once: true });
  await drawing.promise;
  return true;
}
