import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import { blocksOf } from './blocks.ts';
import { MarkedTextContext, Run, type MarkedText } from './run.tsx';
import type { DocumentText } from '../document.ts';
import { hasColumns, isMarkdown, type DocumentDetail } from '../kinds.ts';
import { Markdown } from './markdown.tsx';
import { Table, tableOf } from './table.tsx';

/** Paragraphs shown at first and added by each press. */
const STEP = 300;

interface TextViewProps extends Omit<MarkedText, 'text'> {
  readonly document: DocumentDetail;
  readonly reading: DocumentText;
  /** Changes when the place to be shown does. */
  readonly focusKey: string;
  /** The unit around which paragraphs are shown. */
  readonly around: number;
  readonly takesFocus: boolean;
}

/** The text of a document, as paragraphs, a table or a rendered note. Offsets in it are exact. */
export function TextView({
  document: shown,
  reading,
  marks,
  onCitation,
  focusKey,
  around,
  takesFocus,
}: TextViewProps) {
  const { text, pages, language } = reading;
  const ref = useRef<HTMLElement>(null);
  const table = useMemo(() => tableOf(shown, text), [shown.kind, shown.mime, text]);
  const marked = useMemo(
    () => ({ text, marks, ...(onCitation && { onCitation }) }),
    [text, marks, onCitation],
  );
  useEffect(() => {
    const words = ref.current?.querySelector<HTMLElement>('.cited-words, .hit.current');
    words?.scrollIntoView({ block: 'center' });
    if (takesFocus && words?.matches('.cited-words')) words.focus({ preventScroll: true });
  }, [focusKey, takesFocus, text]);
  return (
    <article
      ref={ref}
      class={`paper text-paper${table ? ' wide-paper' : hasColumns(shown) ? ' code' : ''}`}
      lang={language || undefined}
      aria-label={t().viewer.textOf(shown.display_name)}
    >
      <MarkedTextContext.Provider value={marked}>
        {table ? (
          <Table rows={table} around={around} />
        ) : isMarkdown(shown) ? (
          <Markdown text={text} />
        ) : (
          <Paragraphs text={text} pages={pages} around={around} />
        )}
      </MarkedTextContext.Provider>
    </article>
  );
}

function Paragraphs({
  text,
  pages,
  around,
}: Pick<DocumentText, 'text' | 'pages'> & { around: number }) {
  const blocks = useMemo(() => blocksOf(text, pages), [text, pages]);
  const at = Math.max(
    0,
    blocks.findIndex(({ end }) => end > around),
  );
  const [shown, setShown] = useState({ from: 0, to: STEP });
  useEffect(() => {
    setShown(({ from, to }) =>
      at >= from && at < to
        ? { from, to }
        : { from: Math.max(0, at - STEP / 2), to: at + STEP / 2 },
    );
  }, [at]);
  const { viewer } = t();
  const from = at >= shown.from && at < shown.to ? shown.from : Math.max(0, at - STEP / 2);
  const to = at >= shown.from && at < shown.to ? shown.to : at + STEP / 2;
  return (
    <>
      {from > 0 && (
        <button
          type="button"
          class="button small"
          onClick={() => setShown({ from: Math.max(0, from - STEP), to })}
        >
          {viewer.earlier}
        </button>
      )}
      {blocks.slice(from, to).map(({ start, end, page }) => (
        <div key={start}>
          {page !== undefined && pages.size > 1 && <p class="page-mark num">{viewer.page(page)}</p>}
          <p class="block" dir="auto">
            <Run start={start} end={end} />
          </p>
        </div>
      ))}
      {to < blocks.length && (
        <button
          type="button"
          class="button small"
          onClick={() => setShown({ from, to: to + STEP })}
        >
          {viewer.later}
        </button>
      )}
    </>
  );
}
