import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext, useEffect } from 'preact/hooks';
import { t } from '../../i18n/language.ts';
import { IsBehind } from '../../keys/action.ts';
import { Failed } from '../../ui/notice.tsx';
import { openDialog } from './dialog-state.ts';
import { DocumentList } from './document-list.tsx';
import { DocumentRow } from './document-row.tsx';
import { DocumentTile } from './document-tile.tsx';
import { useListActions } from './list-actions.ts';
import type { ListModel } from './list-model.ts';
import { Problems } from './problems.tsx';
import { problem } from './problem.ts';
import { SelectionBar } from './selection-bar.tsx';
import { lazily } from '../../ui/lazily.tsx';

const Dialogs = lazily(() => import('./list-dialogs.tsx'));

/** The dialog that is open. The list of a screen behind another one has none. */
export function ListDialogs({ model }: { model: ListModel }) {
  const isBehind = useContext(IsBehind);
  return openDialog.value && !isBehind ? <Dialogs model={model} /> : null;
}

const TILE_REM = 10.5;
/** Rows of a page when the page keys are used. */
const LINES = 10;
/** Rows that are being read are asked for at this interval while they are in memory. */
const READING_POLL_MS = 4_000;

export interface DocumentPaneProps {
  readonly model: ListModel;
  readonly label: string;
  readonly isPictures?: boolean;
  readonly isTrash?: boolean;
  /** Shown in place of an empty list. */
  readonly empty: ComponentChildren;
}

/** A list of documents with everything that can be done in it. */
export function DocumentPane(props: DocumentPaneProps) {
  const { model, label, isPictures = false, isTrash = false, empty } = props;
  const { route } = useLocation();
  useListActions(model, {
    isTrash,
    columns: columnsShown,
    lines: () => LINES,
    go: route,
  });
  useReadingPoll(model);
  useEffect(() => () => void (problem.value = undefined), [model]);
  const { total } = model.list.state.value;
  const { value: error } = model.list.error;
  return (
    <>
      <SelectionBar model={model} isTrash={isTrash} />
      <Problems />
      {error !== undefined && (
        <div class="list-note">
          <Failed error={error} retry={model.list.refresh} />
        </div>
      )}
      {total === 0 ? (
        <div class="scroll">{empty}</div>
      ) : total === undefined && error !== undefined ? null : (
        <DocumentList
          key={isPictures}
          model={model}
          label={label}
          {...(isPictures && { tileRem: TILE_REM })}
          cell={isPictures ? DocumentTile : DocumentRow}
        />
      )}
      <ListDialogs model={model} />
      <p class="vh" role="status">
        {total === 0 ? t().library.documents(0) : ''}
      </p>
    </>
  );
}

/** Pictures in one line of the page. */
function columnsShown(): number {
  const [first] = document.querySelectorAll<HTMLElement>('.documents .placed');
  const width = first?.parentElement?.clientWidth ?? 0;
  return first ? Math.max(1, Math.round(width / first.offsetWidth)) : 1;
}

/** The state of documents that are being read changes without the owner. */
function useReadingPoll(model: ListModel): void {
  const { rows } = model.list.state.value;
  const isReading = [...rows.values()].some(
    ({ status, deleted_at: trashedAt }) =>
      trashedAt === null && (status === 'pending' || status === 'processing'),
  );
  useEffect(() => {
    if (!isReading) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') model.list.refresh();
    }, READING_POLL_MS);
    return () => clearInterval(timer);
  }, [model, isReading]);
}
