import { useMemo } from 'preact/hooks';
import { useActions, type Action } from '../../keys/action.ts';
import { t } from '../../i18n/language.ts';
import { askAboutDocuments } from './ask-about-documents.ts';
import { canGiveToAgent, giveToAgent } from './give-to-agent.ts';
import { changeDocuments } from './changes.ts';
import { openDialog, openDialogFor } from './dialog-state.ts';
import type { ListModel } from './list-model.ts';
import { openPreview, togglePreview } from './preview-state.ts';
import { hasSuggestion } from './suggestion-offer.tsx';
import { shareAddress } from './share-address.ts';
import { answerSuggestion } from './suggestions.ts';

type Go = (address: string) => void;

const hasNoMenu = (): boolean => document.querySelector(':popover-open') === null;

/** What has the focus needs the arrow keys itself: a region that is scrolled, or a field. The help names all keys. */
function ownsArrows(): boolean {
  const { activeElement: active } = document;
  if (!active || active === document.body || active.closest('dialog')) return false;
  return !active.matches('.screen-title, #main, .documents *, a, button');
}

/** The keys move the focus into the list. */
function leaveControl(): void {
  const { activeElement: active } = document;
  if (active instanceof HTMLElement && !active.matches('.documents *, .hits *')) active.blur();
}

/** Where the keys go in the list. */
function movements(
  model: ListModel,
  columns: () => number,
  lines: () => number,
): readonly Action[] {
  const go = (index: number) => {
    leaveControl();
    model.setCursor(Math.max(0, Math.min(index, model.total.value - 1)));
  };
  const by = (step: number) => {
    const { value: from } = model.cursor;
    go(from === undefined ? 0 : from + step);
  };
  const extend = (step: number) => {
    const { current } = model;
    if (current.value) model.tick([current.value.id], true);
    by(step);
    if (current.value) model.tick([current.value.id], true);
  };
  const isEnabled = () => model.total.value > 0 && hasNoMenu();
  const action = (
    id: keyof ReturnType<typeof t>['library']['actions'],
    keys: readonly string[],
    run: () => void,
  ): Action => ({
    id: `list-${id}`,
    group: 'list',
    label: () => t().library.actions[id],
    notInPalette: true,
    isEnabled,
    get keys() {
      return ownsArrows() ? keys.filter((key) => /^(Shift\+)?\w$/.test(key)) : keys;
    },
    run,
  });
  return [
    action('next', ['j', 'ArrowDown'], () => by(columns())),
    action('previous', ['k', 'ArrowUp'], () => by(-columns())),
    action('right', ['ArrowRight'], () => by(columns() > 1 ? 1 : 0)),
    action('left', ['ArrowLeft'], () => by(columns() > 1 ? -1 : 0)),
    action('pageDown', ['PageDown'], () => by(lines() * columns())),
    action('pageUp', ['PageUp'], () => by(-lines() * columns())),
    action('first', ['Home'], () => go(0)),
    action('last', ['End'], () => go(model.total.value - 1)),
    action('extendDown', ['Shift+J', 'Shift+ArrowDown'], () => extend(columns())),
    action('extendUp', ['Shift+K', 'Shift+ArrowUp'], () => extend(-columns())),
    action('select', ['x'], () => {
      const { value: item } = model.current;
      if (item) model.tick([item.id], !model.isSelected(item.id));
    }),
    action('open', ['o', 'Enter'], () => {
      if (model.current.value) model.open(model.current.value);
    }),
    action('preview', ['Space'], () => {
      if (model.cursor.value === undefined) go(0);
      openPreview();
    }),
  ];
}

/** Actions on what is selected, or on the current row. */
function changes(model: ListModel, isTrash: boolean, go: Go): readonly Action[] {
  const hasTarget = () => model.target() !== undefined;
  const hasOffer = () => model.current.value !== undefined && hasSuggestion(model.current.value);
  const change = (action: 'trash' | 'restore') => () => {
    const selected = model.target();
    if (selected) void changeDocuments(model, selected, { action });
  };
  const answer = (accept: boolean) => () => {
    if (model.current.value) void answerSuggestion(model, model.current.value, accept);
  };
  const action = (
    id: keyof ReturnType<typeof t>['library']['actions'],
    keys: readonly string[],
    run: () => void,
    isEnabled = hasTarget,
  ): Action => ({
    id: `list-${id}`,
    group: 'list',
    label: () => t().library.actions[id],
    keys,
    isEnabled,
    run,
  });
  const rename = () => {
    if (model.current.value) openDialog.value = { kind: 'rename', item: model.current.value };
  };
  const share = action(
    'share',
    ['s'],
    () => go(shareAddress(model) ?? ''),
    () => shareAddress(model) !== undefined,
  );
  if (isTrash)
    return [
      action('restore', ['e'], change('restore')),
      action('erase', ['#', 'Delete'], () => openDialogFor(model, 'erase')),
    ];
  return [
    action('trash', ['#', 'Delete'], change('trash')),
    action('move', ['v'], () => openDialogFor(model, 'move')),
    action('label', ['l'], () => openDialogFor(model, 'label')),
    action('rename', ['r'], rename, () => model.current.value !== undefined),
    action(
      'ask',
      ['c'],
      () => askAboutDocuments(model, go),
      () => model.targetItems().length > 0,
    ),
    // Nothing hidden is shared.
    ...(model.listing.filters.hidden_only ? [] : [share]),
    action(
      'give',
      ['Shift+C'],
      () => giveToAgent(model, go),
      () => canGiveToAgent(model),
    ),
    action('take', ['y'], answer(true), hasOffer),
    action('keepMine', ['Shift+Y'], answer(false), hasOffer),
  ];
}

interface ListMeans {
  readonly isTrash: boolean;
  readonly columns: () => number;
  readonly lines: () => number;
  readonly go: Go;
}

/** The keys of a list of documents. */
export function useListActions(model: ListModel, means: ListMeans): void {
  useActions(useMemo(() => listActions(model, means), [model, means.isTrash]));
}

export const listActions = (
  model: ListModel,
  { isTrash, columns, lines, go }: ListMeans,
): readonly Action[] => [
  ...movements(model, columns, lines),
  ...changes(model, isTrash, go),
  {
    id: 'list-all',
    group: 'list',
    label: () => t().library.actions.all,
    keys: ['Ctrl+A'],
    isEnabled: () => model.total.value > 0,
    run: model.selectAll,
  },
  {
    id: 'list-none',
    group: 'list',
    label: () => t().library.actions.none,
    keys: ['Escape'],
    isEnabled: () => model.selectedCount.value > 0 && hasNoMenu(),
    run: model.selectNone,
  },
  {
    id: 'list-details',
    group: 'list',
    label: () => t().library.actions.details,
    keys: ['i'],
    run: togglePreview,
  },
];
