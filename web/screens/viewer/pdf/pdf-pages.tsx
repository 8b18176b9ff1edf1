import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import type { OpenPdf } from './engine.ts';
import type { PageMark } from './page-words.ts';
import { PdfPageView } from './pdf-page.tsx';
import type { Found, PdfViewProps } from './pdf-view-props.ts';
import { pageTextOf } from './page-text.ts';
import { useNearPages } from './near-pages.ts';

const NO_MARKS: readonly PageMark[] = [];
const MAX_FIT_WIDTH = 860;

interface PdfPagesProps extends PdfViewProps {
  readonly opened: OpenPdf;
  readonly ratio: number;
  readonly byPage: ReadonlyMap<number, readonly PageMark[]>;
}

/** All pages below each other. Only those near the view are drawn. */
export function PdfPages(props: PdfPagesProps) {
  const { opened, ratio, byPage, state, places, citedPage, focusKey, hit, reading } = props;
  const stage = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState(0);
  const count = opened.pdf.numPages;

  const goTo = (page: number): void => {
    const target = stage.current?.querySelector<HTMLElement>(`[data-page="${page}"]`);
    if (target && stage.current) stage.current.scrollTop = target.offsetTop - 16;
  };
  useEffect(() => {
    const { current: element } = stage;
    if (!element) return;
    const measure = () => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element);
      const room =
        element.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
      setFit(Math.max(200, Math.min(MAX_FIT_WIDTH, Math.floor(room))));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    state.goToPage.value = goTo;
    return () => {
      observer.disconnect();
      state.goToPage.value = undefined;
    };
  }, []);

  const near = useNearPages(stage, state, `${fit} ${count}`, fit > 0);

  // Each place is gone to once: later drawings of its page do not move the view.
  const shownPlace = useRef('');
  useEffect(() => {
    if (fit > 0 && citedPage !== undefined) goTo(citedPage);
  }, [fit > 0, citedPage, focusKey]);
  useEffect(() => {
    if (fit > 0 && hit) goTo(hit.page);
  }, [fit > 0, hit?.page, hit?.onPage]);

  const showRange = (range: Range, takesFocus: boolean): void => {
    const { current: element } = stage;
    if (!element) return;
    const { top, height } = range.getBoundingClientRect();
    const view = element.getBoundingClientRect();
    if (takesFocus || top < view.top || top + height > view.bottom)
      element.scrollTop += top - view.top - view.height / 3;
    const words = range.startContainer.parentElement;
    if (!takesFocus || !words) return;
    words.tabIndex = -1;
    words.focus({ preventScroll: true });
  };
  const onWords = (page: number, found: Found, range?: Range): void => {
    if (page !== citedPage) return;
    props.onWords(found);
    if (!range || shownPlace.current === focusKey) return;
    shownPlace.current = focusKey;
    showRange(range, true);
  };
  const width = Math.round(fit * state.zoom.value);
  return (
    <div
      ref={stage}
      class="stage"
      tabIndex={0}
      role="region"
      aria-label={t().viewer.pages}
      data-count={count}
    >
      {fit > 0 &&
        Array.from({ length: count }, (_, index) => index + 1).map((number) => (
          <PdfPageView
            key={number}
            opened={opened}
            number={number}
            count={count}
            width={width}
            ratio={ratio}
            isNear={near.has(number)}
            marks={byPage.get(number) ?? NO_MARKS}
            query={state.isFinding.value ? state.query.value : ''}
            currentHit={hit?.page === number ? hit.onPage : undefined}
            boxes={places.page === number ? places.boxes : []}
            pageText={near.has(number) ? pageTextOf(reading, number) : ''}
            onCitation={props.onCitation}
            onWords={onWords}
            onHit={(range) => showRange(range, false)}
          />
        ))}
    </div>
  );
}
