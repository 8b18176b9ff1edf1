import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../../i18n/viewer.ts';
import { useActions } from '../../keys/action.ts';
import { citedAnswer } from '../../state/cited.ts';
import { Failed } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CitedStrip, neighbour, placeAddress } from './cited-strip.tsx';
import { commandsFor, failure, viewerDialog, type Commands } from './commands.ts';
import { DetailsPanel } from './details/details-panel.tsx';
import { DocumentBar } from './document-bar.tsx';
import type { DocumentText } from './document.ts';
import { DocumentView } from './document-view.tsx';
import { useEarlier } from './earlier/use-earlier.ts';
import { FindBar } from './find-bar.tsx';
import { pageKindOf, type DocumentDetail } from './kinds.ts';
import { usePlace } from './place-hash.ts';
import { useMarks, type ReadingMarks } from './reading-marks.ts';
import { StateNotes } from './state-notes.tsx';
import { areDetailsOpen, createViewState, isSheetOpen, type ViewState } from './view-state.ts';
import { viewerActions } from './viewer-actions.ts';
import { lazily } from '../../ui/lazily.tsx';

const EarlierVersion = lazily(() => import('./earlier/earlier-version.tsx'));
const NewerVersion = lazily(() => import('./newer-version.tsx'));
const ViewerDialogs = lazily(() => import('./viewer-dialogs.tsx'));

interface ViewerProps {
  readonly document: DocumentDetail;
  /** A version that was made elsewhere since. */
  readonly newer: number | undefined;
  readonly showNewest: () => void;
  readonly reading: DocumentText | undefined;
  readonly isTextLoading: boolean;
  readonly textError: unknown;
  readonly reloadText: () => void;
  readonly go: (address: string, replace?: boolean) => void;
  readonly identity: object;
}

/** The sheet of a document, with its details. */
export function Viewer(props: ViewerProps) {
  const { document: shown, reading, go } = props;
  const state = useMemo(createViewState, [props.identity]);
  const place = usePlace();
  const marked = useMarks(shown.id, reading, place, state);
  const { citation, cited } = marked;
  const commands = useMemo(() => commandsFor(shown, go), [shown, go]);
  const hasText = reading !== undefined;
  const kind = pageKindOf(shown);
  const { viewer } = t();
  const focusKey = place ? `${place.start}-${place.end}` : '';
  const [earlier, showEarlier] = useEarlier(state, focusKey);
  const current = useRef(citation);
  current.current = citation;
  const isCited = citation !== undefined;
  const cite = useMemo(() => {
    if (!isCited) return undefined;
    return (step: 1 | -1) => {
      const from = current.current;
      const next = from && neighbour(from, step);
      if (next) go(placeAddress(next), next.object_id === from.object_id);
    };
  }, [isCited, go]);
  useActions(
    useMemo(
      () =>
        viewerActions({
          document: shown,
          state,
          commands,
          hasText,
          hasPages: kind !== 'none',
          go,
          cite,
        }),
      [shown, state, commands, hasText, kind, go, cite],
    ),
  );
  useEffect(() => {
    state.mode.value = 'page';
  }, [focusKey]);
  useEffect(
    () => () => {
      viewerDialog.value = undefined;
      failure.value = undefined;
      isSheetOpen.value = false;
    },
    [],
  );
  const words = cited && cited !== 'gone' && reading ? cited.words : undefined;
  const quoted = words && reading?.text.slice(words.start, words.end);
  const openCitation = (index: number) => {
    const next = citedAnswer.value?.citations.find((each) => each.index === index);
    if (next) go(placeAddress(next), true);
  };
  const find = (query: string) => {
    state.isFinding.value = true;
    state.query.value = query;
    state.hit.value = 0;
  };
  const closeDetails = () => {
    areDetailsOpen.value = false;
    isSheetOpen.value = false;
  };
  return (
    <Screen
      title={shown.is_hidden ? '' : shown.display_name}
      sheet={isSheetOpen.value ? 'sheet-open' : ''}
      head={<DocumentBar document={shown} state={state} hasText={hasText} commands={commands} />}
      panel={
        (areDetailsOpen.value || isSheetOpen.value) && (
          <DetailsPanel
            document={shown}
            reading={reading}
            commands={commands}
            onFind={find}
            onClose={closeDetails}
          />
        )
      }
    >
      <Notices
        {...props}
        state={state}
        marked={marked}
        commands={commands}
        onEarlier={earlier === undefined ? showEarlier : undefined}
      />
      {citation && earlier !== undefined ? (
        <EarlierVersion
          document={shown}
          citation={citation}
          version={earlier}
          onBack={showEarlier}
        />
      ) : (
        <DocumentView
          document={shown}
          reading={reading}
          isTextLoading={props.isTextLoading}
          state={state}
          marked={marked}
          focusKey={focusKey}
          onCitation={openCitation}
        />
      )}
      <button type="button" class="peek" onClick={() => void (isSheetOpen.value = true)}>
        <b>{viewer.peek}</b>
        {shown.suggested_name !== null && (
          <span class="soft cut">{viewer.nameSuggested(shown.suggested_name)}</span>
        )}
      </button>
      <p class="vh" role="status">
        {quoted && viewer.announce(quoted, marked.citedPage)}
      </p>
      {viewerDialog.value && <ViewerDialogs document={shown} commands={commands} />}
    </Screen>
  );
}

interface NoticesProps extends ViewerProps {
  readonly state: ViewState;
  readonly marked: ReadingMarks;
  readonly commands: Commands;
  readonly onEarlier: ((version: number) => void) | undefined;
}

/** What stands above the document: the citation, the field to search in it, and what is so with it. */
function Notices({ document: shown, state, marked, commands, onEarlier, ...rest }: NoticesProps) {
  const { citation, cited } = marked;
  return (
    <>
      {citation && (
        <CitedStrip
          citation={citation}
          place={cited}
          version={shown.version}
          onEarlier={onEarlier}
        />
      )}
      {!citation && cited === 'gone' && <p class="note page-note">{t().viewer.gone(undefined)}</p>}
      {state.isFinding.value && <FindBar state={state} count={marked.hitCount} />}
      <StateNotes document={shown} commands={commands} />
      {rest.newer !== undefined && <NewerVersion version={rest.newer} onShow={rest.showNewest} />}
      {rest.textError !== undefined && <Failed error={rest.textError} retry={rest.reloadText} />}
    </>
  );
}
