import { useMemo } from 'preact/hooks';
import { citedAnswer } from '../../state/cited.ts';
import { citationAt } from './cited-strip.tsx';
import type { DocumentText } from './document.ts';
import { pageAt } from './pdf/page-text.ts';
import { findPlace, type Citation, type CitedPlace } from './text/cited-place.ts';
import { findAll, fold } from './text/fold.ts';
import type { Mark } from './text/marks.ts';
import type { TextRange } from './text/range.ts';
import type { ViewState } from './view-state.ts';

export interface ReadingMarks {
  readonly citation: Citation | undefined;
  readonly cited: CitedPlace | 'gone' | undefined;
  readonly citedPage: number | undefined;
  readonly marks: readonly Mark[];
  readonly hitCount: number;
  /** Of the hit that is looked at. */
  readonly hit:
    { readonly start: number; readonly page: number; readonly onPage: number } | undefined;
}

/** What is marked in the text: the cited words, other citations of the answer, and what is searched for. */
export function useMarks(
  id: string,
  reading: DocumentText | undefined,
  place: TextRange | undefined,
  state: ViewState,
): ReadingMarks {
  const { value: answer } = citedAnswer;
  const citation = citationAt(answer, id, place);
  const cited = useMemo(
    () => (reading && place ? findPlace(reading.text, place, citation) : undefined),
    [reading, place, citation],
  );
  const citedMarks = useMemo(() => {
    if (!reading) return [];
    const marks: Mark[] = [];
    if (cited && cited !== 'gone') {
      const index = cited.index === undefined ? {} : { index: cited.index };
      marks.push(
        { ...cited.passage, kind: 'passage' },
        { ...cited.words, kind: 'cited', ...index },
      );
    }
    for (const other of citation ? (answer?.citations ?? []) : []) {
      if (other.object_id !== id || other.index === citation?.index) continue;
      const where = { start: other.char_start, end: other.char_end };
      const found = findPlace(reading.text, where, other);
      if (found !== 'gone') marks.push({ ...found.words, kind: 'also', index: other.index });
    }
    return marks;
  }, [reading, cited, citation, answer, id]);
  const query = state.isFinding.value ? state.query.value : '';
  const folded = useMemo(
    () => fold(query === '' || !reading ? '' : reading.text),
    [reading, query === ''],
  );
  const hits = useMemo(
    () => (reading && query !== '' ? findAll(reading.text, folded, query) : []),
    [reading, folded, query],
  );
  const at = Math.min(state.hit.value, Math.max(0, hits.length - 1));
  const marks = useMemo(
    () => [
      ...citedMarks,
      ...hits.map((hit, index): Mark => ({ ...hit, kind: index === at ? 'current' : 'found' })),
    ],
    [citedMarks, hits, at],
  );
  const words = cited && cited !== 'gone' ? cited.words : undefined;
  return {
    citation,
    cited,
    citedPage: reading && words ? (pageAt(reading, words.start) ?? 1) : undefined,
    marks,
    hitCount: hits.length,
    hit: useMemo(() => reading && placeOfHit(reading, hits, at), [reading, hits, at]),
  };
}

function placeOfHit(
  reading: DocumentText,
  hits: readonly TextRange[],
  at: number,
): ReadingMarks['hit'] {
  const hit = hits[at];
  if (!hit) return undefined;
  const page = pageAt(reading, hit.start) ?? 1;
  const before = hits.slice(0, at).filter(({ start }) => (pageAt(reading, start) ?? 1) === page);
  return { start: hit.start, page, onPage: before.length };
}
