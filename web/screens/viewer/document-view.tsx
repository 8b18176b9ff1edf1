import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { isUnreadable } from '../../data/unreadable.ts';
import { t } from '../../i18n/viewer.ts';
import { Working } from '../../ui/notice.tsx';
import type { DocumentText } from './document.ts';
import { pageKindOf, type DocumentDetail } from './kinds.ts';
import { MediaView } from './media-view.tsx';
import { NoView } from './no-view.tsx';
import type { Found } from './pdf/pdf-view-props.ts';
import { PictureView } from './picture-view.tsx';
import { readPlaces, type Places } from './places.ts';
import type { ReadingMarks } from './reading-marks.ts';
import { codePointsBefore } from './text/range.ts';
import { TextView } from './text/text-view.tsx';
import type { ViewState } from './view-state.ts';
import { lazily } from '../../ui/lazily.tsx';

const PdfView = lazily(() => import('./pdf/pdf-view.tsx'));

interface DocumentViewProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
  readonly isTextLoading: boolean;
  readonly state: ViewState;
  readonly marked: ReadingMarks;
  /** Changes when the place to be shown does. */
  readonly focusKey: string;
  readonly onCitation: (index: number) => void;
}

const NO_PLACES: Places = { page: undefined, boxes: [] };

/** The document as it is, its text, or both beside each other. */
export function DocumentView(props: DocumentViewProps) {
  const { document: shown, reading, isTextLoading, state, marked, focusKey, onCitation } = props;
  const { viewer } = t();
  const kind = pageKindOf(shown);
  const [places, setPlaces] = useState(NO_PLACES);
  const [needsPlaces, setNeedsPlaces] = useState(false);
  const [unreadable, setUnreadable] = useState<string>();
  const words = marked.cited && marked.cited !== 'gone' ? marked.cited.words : undefined;
  useEffect(() => setUnreadable(undefined), [shown.id, shown.version]);
  // Before the effects of the pages, which report anew what they do not have.
  useLayoutEffect(() => {
    setPlaces(NO_PLACES);
    setNeedsPlaces(kind === 'picture' && words !== undefined);
    state.isBeside.value = false;
  }, [focusKey, words, kind]);
  useEffect(() => {
    if (!needsPlaces || !words || !reading) return;
    const controller = new AbortController();
    const from = codePointsBefore(reading.text, words.start);
    const range = {
      start: from,
      end: from + [...reading.text.slice(words.start, words.end)].length,
    };
    readPlaces(shown.id, range, controller.signal).then(
      (found) => {
        if (controller.signal.aborted) return;
        setPlaces(found);
        if (found.boxes.length === 0) state.isBeside.value = true;
      },
      () => void (controller.signal.aborted || (state.isBeside.value = true)),
    );
    return () => controller.abort();
  }, [needsPlaces, words, reading, shown.id]);

  const showsText = state.mode.value === 'text' || kind === 'none' || unreadable !== undefined;
  const isBeside = !showsText && state.isBeside.value && reading !== undefined;
  const around = marked.hit?.start ?? words?.start ?? 0;
  const text = (isBesidePage: boolean) =>
    reading ? (
      <div class="scroll desk text-desk" tabIndex={0} role="region" aria-label={viewer.text}>
        {isBesidePage && <p class="note plain">{viewer.notOnPage}</p>}
        <TextView
          document={shown}
          reading={reading}
          marks={marked.marks}
          onCitation={onCitation}
          focusKey={`${focusKey} ${marked.hit?.start ?? ''}`}
          around={around}
          takesFocus={marked.hit === undefined}
        />
      </div>
    ) : isTextLoading ? (
      <div class="scroll desk text-desk">
        <Working>{viewer.loadingText}</Working>
      </div>
    ) : (
      <NoView
        document={shown}
        reason={unreadable ?? (isUnreadable(shown) ? viewer.noPages : undefined)}
      />
    );
  if (showsText)
    return (
      <>
        {unreadable !== undefined && reading && <p class="note bad page-note">{unreadable}</p>}
        {text(false)}
      </>
    );
  const lookElsewhere = (found: Found): void => {
    if (found === 'missing') setNeedsPlaces(true);
    if (found === 'damaged') state.isBeside.value = true;
  };
  const page =
    kind === 'pdf' ? (
      <PdfView
        document={shown}
        reading={reading}
        marks={marked.marks}
        state={state}
        places={places}
        citedPage={marked.citedPage}
        focusKey={focusKey}
        hit={marked.hit}
        onCitation={onCitation}
        onWords={lookElsewhere}
        onUnreadable={setUnreadable}
      />
    ) : kind === 'picture' ? (
      <PictureView document={shown} state={state} boxes={places.boxes} focusKey={focusKey} />
    ) : (
      <MediaView document={shown} />
    );
  if (!isBeside) return page;
  return (
    <div class="beside">
      {page}
      {text(true)}
    </div>
  );
}
