import { useMemo } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/shares.ts';
import { useActions, type Action } from '../../keys/action.ts';

const hasNoMenu = (): boolean => document.querySelector(':popover-open') === null;

const names = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('.shares-table .share-name'),
];

/** The id of the link whose row has the focus. */
const focusedShare = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-share]')?.dataset['share'];

/** Gives the focus to the name of another row. */
export function focusRow(index: number): void {
  const all = names();
  const row = all[Math.max(0, Math.min(index, all.length - 1))];
  if (row) row.focus();
  else document.querySelector<HTMLElement>('.screen-title')?.focus();
}

export const rowOf = (id: string): number =>
  names().findIndex((name) => name.closest<HTMLElement>('tr')?.dataset['share'] === id);

/** Before a row goes: the focus moves to the row after it, or else to the one before. */
export function focusBeside(id: string): void {
  // When the dialog has given the focus back.
  requestAnimationFrame(() => {
    const index = rowOf(id);
    const last = names().length - 1;
    if (last < 1) document.querySelector<HTMLElement>('.screen-title')?.focus();
    else focusRow(index < last ? index + 1 : index - 1);
  });
}

function step(by: 1 | -1): void {
  const id = focusedShare();
  focusRow(id === undefined ? 0 : rowOf(id) + by);
}

interface Context {
  readonly isPanelOpen: boolean;
  readonly go: (address: string) => void;
  readonly close: () => void;
  readonly end: (id: string) => void;
}

/** The keys of the list of links. */
export function useShareActions({ isPanelOpen, go, close, end }: Context): void {
  useActions(
    useMemo(() => shareActions({ isPanelOpen, go, close, end }), [isPanelOpen, go, close, end]),
  );
}

export function shareActions({ isPanelOpen, go, close, end }: Context): readonly Action[] {
  const action = (
    id: 'next' | 'previous' | 'newLink' | 'end' | 'close',
    keys: readonly string[],
    run: () => void,
    isEnabled: () => boolean = () => true,
  ): Action => ({
    id: `shares-${id}`,
    group: 'list',
    label: () => t().shares.actionNames[id],
    keys,
    isEnabled,
    run,
  });
  const isRow = () => focusedShare() !== undefined;
  return [
    action('newLink', ['s'], () => go(to('/shares/new'))),
    { ...action('next', ['j'], () => step(1), hasNoMenu), notInPalette: true },
    { ...action('previous', ['k'], () => step(-1), hasNoMenu), notInPalette: true },
    {
      ...action('end', ['#', 'Delete'], () => end(focusedShare() ?? ''), isRow),
      notInPalette: true,
    },
    action('close', ['Escape'], close, () => isPanelOpen && hasNoMenu()),
  ];
}
