import type { Action } from '../../keys/action.ts';
import { t } from '../../i18n/viewer.ts';
import { to } from '../../app/address.ts';
import { openViewerDialog, type Commands } from './commands.ts';
import {
  type DocumentDetail,
  hasOwnEditor,
  isEditablePicture,
  isShareable,
  picturePath,
  sharePath,
} from './kinds.ts';
import { stepZoom, type ViewState } from './view-state.ts';
import { zoneUrl } from '../../state/zone.ts';

interface ActionContext {
  readonly document: DocumentDetail;
  readonly state: ViewState;
  readonly commands: Commands;
  readonly hasText: boolean;
  readonly hasPages: boolean;
  readonly go: (address: string) => void;
  /** To the citation before or after. */
  readonly cite: ((step: 1 | -1) => void) | undefined;
}

/** Everything that the keyboard and the palette do in the viewer. */
export function viewerActions(context: ActionContext): readonly Action[] {
  const { document: shown, state, commands, hasText, hasPages, go, cite } = context;
  const { goToPage, page, pageCount, isFinding, mode } = state;
  const isTrashed = shown.deleted_at !== null;
  const hasSuggestion = shown.suggested_name !== null || shown.suggested_collection_id !== null;
  const isChangeable = () => !isTrashed;
  const turn = (step: 1 | -1) => () =>
    goToPage.value?.(Math.min(pageCount.value, Math.max(1, page.value + step)));
  const isPaged = () => pageCount.value > 1 && goToPage.value !== undefined;
  const action = (
    id: Exclude<keyof ReturnType<typeof t>['viewer']['actions'], symbol>,
    keys: readonly string[],
    run: () => void,
    isEnabled?: () => boolean,
  ): Action => ({
    id: `viewer-${id}`,
    group: 'document',
    label: () => t().viewer.actions[id],
    keys,
    run,
    ...(isEnabled && { isEnabled }),
  });
  const isCited = () => cite !== undefined;
  const canAnswer = () => !isTrashed && hasSuggestion;
  return [
    action('pageAfter', ['j', 'ArrowRight'], turn(1), isPaged),
    action('pageBefore', ['k', 'ArrowLeft'], turn(-1), isPaged),
    action('citationAfter', [']'], () => cite?.(1), isCited),
    action('citationBefore', ['['], () => cite?.(-1), isCited),
    action(
      'pageOrText',
      ['t'],
      () => void (mode.value = mode.value === 'page' ? 'text' : 'page'),
      () => hasText && hasPages,
    ),
    action(
      'find',
      ['Ctrl+F'],
      () => void (isFinding.value = true),
      () => hasText,
    ),
    action('details', ['i'], commands.toggleDetails),
    action(
      'edit',
      ['e'],
      () => go(to(`/object/${shown.id}/edit`)),
      () => !isTrashed && (hasOwnEditor(shown) || hasText),
    ),
    action(
      'editPicture',
      ['Shift+E'],
      () => go(to(picturePath(shown))),
      () => !isTrashed && isEditablePicture(shown),
    ),
    action(
      'zoomIn',
      ['+'],
      () => stepZoom(state, 1),
      () => hasPages,
    ),
    action(
      'zoomOut',
      ['-'],
      () => stepZoom(state, -1),
      () => hasPages,
    ),
    action(
      'zoomFit',
      ['0'],
      () => void (state.zoom.value = 1),
      () => hasPages,
    ),
    action('take', ['y'], () => commands.answerSuggestion(true), canAnswer),
    action('keepMine', ['Shift+Y'], () => commands.answerSuggestion(false), canAnswer),
    action('move', ['v'], () => openViewerDialog('move'), isChangeable),
    action('label', ['l'], () => openViewerDialog('label'), isChangeable),
    action('rename', ['r'], () => openViewerDialog('rename'), isChangeable),
    action('ask', ['c'], commands.ask, isChangeable),
    ...(isShareable(shown) ? [action('share', ['s'], () => go(sharePath(shown)))] : []),
    action(
      'give',
      ['Shift+C'],
      () => commands.give?.(),
      () => isChangeable() && commands.give !== undefined,
    ),
    action('trash', ['#', 'Delete'], commands.trash, isChangeable),
    action('restore', [], commands.restore, () => isTrashed),
    action('back', ['Escape'], () => {
      if (isFinding.value) isFinding.value = false;
      else if (zoneUrl.value !== undefined) zoneUrl.value = undefined;
      else history.back();
    }),
  ];
}
