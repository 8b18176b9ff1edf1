import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import type { Box } from '../places.ts';
import { Boxes } from '../boxes.tsx';
import { OutLink } from '../text/inline.tsx';
import type { MarkKind } from '../text/marks.ts';
import { drawPage, linksOf, type PdfLink } from './draw-page.ts';
import type { OpenPdf, PdfPage } from './engine.ts';
import { canHighlight, highlight } from './highlights.ts';
import type { Found } from './pdf-view-props.ts';
import { Pin } from './pin.tsx';
import {
  rangeOfMark,
  rangesOfQuery,
  wordsOf,
  type PageMark,
  type PageWords,
} from './page-words.ts';

export interface PdfPageProps {
  readonly opened: OpenPdf;
  readonly number: number;
  readonly count: number;
  readonly width: number;
  /** Width to height, until the page is known. */
  readonly ratio: number;
  readonly isNear: boolean;
  readonly marks: readonly PageMark[];
  readonly query: string;
  /** Of the hits on this page, the one that is looked at. */
  readonly currentHit: number | undefined;
  readonly boxes: readonly Box[];
  readonly pageText: string;
  readonly onCitation: (index: number) => void;
  readonly onWords: (page: number, found: Found, first?: Range) => void;
  readonly onHit: (range: Range) => void;
}

interface Placed {
  readonly index: number;
  readonly top: number;
  readonly isCited: boolean;
}

const foundOn = (range: Range | undefined, isDamaged: boolean): Found =>
  range ? 'found' : isDamaged ? 'damaged' : 'missing';

/**
 * One page: its picture, its words over it, and what is marked in them. Drawn while it is near the view. A damaged page has
 * no words: those that are cited are reported missing, so that they are shown in the text.
 */
export function PdfPageView(props: PdfPageProps) {
  const { opened, number, count, width, isNear, marks, query, currentHit, boxes } = props;
  const article = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PdfPage>();
  const [words, setWords] = useState<PageWords>();
  const [links, setLinks] = useState<readonly PdfLink[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [pins, setPins] = useState<readonly Placed[]>([]);

  useEffect(() => {
    if (!isNear) return;
    const controller = new AbortController();
    const draw = async () => {
      const loaded = await opened.pdf.getPage(number);
      const { current: onto } = canvas;
      if (controller.signal.aborted || !onto || !layer.current) return;
      setPage(loaded);
      const into = { canvas: onto, layer: layer.current };
      const isDrawn = await drawPage(opened.engine, loaded, into, width, controller.signal);
      setFailed(!isDrawn);
      setWords(wordsOf(layer.current));
      setLinks(await linksOf(loaded));
    };
    draw().catch(() => {
      if (controller.signal.aborted) return;
      setFailed(true);
      if (layer.current) setWords(wordsOf(layer.current));
    });
    return () => {
      controller.abort();
      setWords(undefined);
    };
  }, [opened, number, isNear, width]);

  useEffect(() => {
    const { current: key } = article;
    if (!key || !words) return;
    const found = new Map<MarkKind, readonly Range[]>();
    const placed: Placed[] = [];
    const bounds = key.getBoundingClientRect();
    for (const mark of marks) {
      const range = canHighlight ? rangeOfMark(words, mark) : undefined;
      if (range) {
        found.set(mark.kind, [...(found.get(mark.kind) ?? []), range]);
        const isCited = mark.kind === 'cited';
        if (mark.index !== undefined && (isCited || mark.kind === 'also'))
          placed.push({
            index: mark.index,
            top: (range.getBoundingClientRect().top - bounds.top) / bounds.height,
            isCited,
          });
      }
      if (mark.kind === 'cited') props.onWords(number, foundOn(range, hasFailed), range);
    }
    // A passage without its words would point at the wrong place.
    if (marks.some(({ kind }) => kind === 'cited') && !found.has('cited')) found.delete('passage');
    if (query !== '') {
      const hits = rangesOfQuery(words, query);
      found.set('found', hits);
      const hit = currentHit === undefined ? undefined : hits[currentHit];
      if (hit) {
        found.set('current', [hit]);
        props.onHit(hit);
      }
    }
    highlight(key, found);
    setPins(placed);
    return () => highlight(key, new Map());
  }, [words, marks, query, currentHit]);

  const natural = page?.getViewport({ scale: 1 });
  const ratio = natural ? natural.width / natural.height : props.ratio;
  const { viewer } = t();
  return (
    <article
      ref={article}
      class="pdf-page"
      id={`page-${number}`}
      data-page={number}
      tabIndex={-1}
      aria-label={viewer.pageOf(number, count)}
      style={{ inlineSize: `${width}px`, blockSize: `${width / ratio}px` }}
    >
      {isNear && (
        <>
          <canvas ref={canvas} aria-hidden="true" />
          <div ref={layer} class="textLayer" />
          <Boxes boxes={boxes} />
          {links.map(({ href, box: [x, y, w, h] }) => (
            <span
              key={`${href} ${x} ${y}`}
              class="pdf-link"
              style={{
                left: `${x * 100}%`,
                insetBlockStart: `${y * 100}%`,
                inlineSize: `${w * 100}%`,
                blockSize: `${h * 100}%`,
              }}
            >
              <OutLink href={href}>
                <span class="vh">{href}</span>
              </OutLink>
            </span>
          ))}
          {pins.map((pin) => (
            <Pin key={`${pin.index} ${pin.isCited}`} {...pin} onPress={props.onCitation} />
          ))}
          {hasFailed && <DamagedPage text={props.pageText} />}
        </>
      )}
    </article>
  );
}

const DamagedPage = ({ text }: { text: string }) => (
  <div class="page-text">
    <p class="note bad">{text.trim() ? t().viewer.pageDamaged : t().viewer.pageUnread}</p>
    <p dir="auto">{text}</p>
  </div>
);
