import { to } from '../../app/address.ts';
import { t } from '../../i18n/viewer.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ScreenHeading } from '../../ui/screen.tsx';
import { downloadContent } from './content.ts';
import {
  correctPath,
  hasOwnEditor,
  isEditable,
  isEditablePicture,
  pageKindOf,
  picturePath,
  isShareable,
  sharePath,
  type DocumentDetail,
} from './kinds.ts';
import { openViewerDialog, type Commands } from './commands.ts';
import { stepZoom, type ViewState } from './view-state.ts';

interface DocumentBarProps {
  readonly document: DocumentDetail;
  readonly state: ViewState;
  readonly hasText: boolean;
  readonly commands: Commands;
}

/** The way back, the name, pages, page or text, and what can be done. */
export function DocumentBar({ document: shown, state, hasText, commands }: DocumentBarProps) {
  const { viewer } = t();
  const folder = shown.collection_name ?? t().shell.places.library;
  const back = shown.collection_id ? to(`/folder/${shown.collection_id}`) : to('/library');
  const kind = pageKindOf(shown);
  return (
    <div class="bar">
      <a class="crumb" href={back} aria-label={viewer.backTo(folder)}>
        <Icon name="back" flip />
        <span class="cut">{folder}</span>
      </a>
      <div class="grow bar-title">
        <ScreenHeading>
          <bdi class="cut">{shown.display_name}</bdi>
        </ScreenHeading>
      </div>
      {state.pageCount.value > 0 && state.mode.value === 'page' && <Pager state={state} />}
      {kind !== 'none' && hasText && (
        <div class="segmented" role="group" aria-label={viewer.show}>
          {(['page', 'text'] as const).map((mode) => (
            <button
              key={mode}
              type="button"
              aria-pressed={state.mode.value === mode}
              onClick={() => void (state.mode.value = mode)}
            >
              {mode === 'page' ? viewer.modePage[kind] : viewer.modeText}
            </button>
          ))}
        </div>
      )}
      {hasText && (
        <button
          type="button"
          class="tool only-wide"
          aria-label={viewer.find}
          onClick={() => void (state.isFinding.value = true)}
        >
          <Icon name="search" />
        </button>
      )}
      {shown.size > 0 && (
        <button
          type="button"
          class="tool only-wide"
          aria-label={viewer.download}
          onClick={() => void downloadContent(shown)}
        >
          <Icon name="download" />
        </button>
      )}
      <MoreMenu document={shown} state={state} hasText={hasText} commands={commands} />
    </div>
  );
}

function Pager({ state }: { state: ViewState }) {
  const { viewer } = t();
  const { page, pageCount, goToPage } = state;
  const go = (to: number) =>
    goToPage.value?.(Math.min(pageCount.value, Math.max(1, Math.round(to) || 1)));
  return (
    <span class="pager only-wide num">
      <button
        type="button"
        class="tool small"
        aria-label={viewer.actions.pageBefore}
        onClick={() => go(page.value - 1)}
      >
        <Icon name="up" small />
      </button>
      <input
        inputmode="numeric"
        aria-label={viewer.pageField}
        value={page.value}
        onChange={({ currentTarget }) => {
          go(Number(currentTarget.value));
          currentTarget.value = String(page.value);
        }}
      />
      {viewer.ofPages(pageCount.value)}
      <button
        type="button"
        class="tool small"
        aria-label={viewer.actions.pageAfter}
        onClick={() => go(page.value + 1)}
      >
        <Icon name="down" small />
      </button>
    </span>
  );
}

function MoreMenu({ document: shown, state, hasText, commands }: DocumentBarProps) {
  const { viewer } = t();
  const isTrashed = shown.deleted_at !== null;
  const kind = pageKindOf(shown);
  const item = (label: string, run: () => void) => (
    <button type="button" onClick={run}>
      {label}
    </button>
  );
  return (
    <Menu button={<Icon name="more" />} label={viewer.more}>
      {item(viewer.actions.details, commands.toggleDetails)}
      {hasText && item(viewer.find, () => void (state.isFinding.value = true))}
      {(kind === 'pdf' || kind === 'picture') && (
        <>
          {item(viewer.actions.zoomIn, () => stepZoom(state, 1))}
          {item(viewer.actions.zoomOut, () => stepZoom(state, -1))}
          {item(viewer.actions.zoomFit, () => void (state.zoom.value = 1))}
        </>
      )}
      {shown.size > 0 && item(viewer.download, () => void downloadContent(shown))}
      {!isTrashed && (
        <>
          {hasOwnEditor(shown) && (
            <a href={to(`/object/${shown.id}/edit`)}>{viewer.actions.edit}</a>
          )}
          {isEditablePicture(shown) && (
            <a href={to(picturePath(shown))}>{viewer.actions.editPicture}</a>
          )}
          {hasText && !isEditable(shown) && <a href={to(correctPath(shown))}>{viewer.correct}</a>}
          {item(viewer.actions.rename, () => openViewerDialog('rename'))}
          {item(viewer.actions.move, () => openViewerDialog('move'))}
          {item(viewer.actions.label, () => openViewerDialog('label'))}
          {item(viewer.actions.ask, commands.ask)}
          {isShareable(shown) && <a href={sharePath(shown)}>{viewer.actions.share}</a>}
          {commands.give && item(viewer.actions.give, commands.give)}
          {item(viewer.actions.trash, commands.trash)}
        </>
      )}
      {isTrashed && item(viewer.restore, commands.restore)}
    </Menu>
  );
}
