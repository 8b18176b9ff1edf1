import {
  computed,
  effect,
  signal,
  untracked,
  type ReadonlySignal,
  type Signal,
} from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Selected } from '../../data/bulk.ts';
import { revisionOf } from '../../data/live.ts';
import { openObjectList, type ObjectItem, type ObjectList } from '../../data/object-list.ts';
import { listingKey, type Listing } from '../../data/object-filters.ts';
import {
  ALL_SELECTED,
  NONE_SELECTED,
  countSelected,
  isSelected,
  toSelected,
  withTicked,
  type Selection,
} from './selection.ts';

/** Of a bulk change. */
const MAX_EXCEPTIONS = 500;

/** A list of documents on the screen: its rows, the current row, and what is selected. */
export interface ListModel {
  readonly listing: Listing;
  readonly list: ObjectList;
  readonly total: ReadonlySignal<number>;
  /** Index of the row that the keys act on; undefined until one was chosen. */
  readonly cursor: ReadonlySignal<number | undefined>;
  readonly current: ReadonlySignal<ObjectItem | undefined>;
  readonly selection: Signal<Selection>;
  readonly selectedCount: ReadonlySignal<number>;
  readonly isSelected: (id: string) => boolean;
  readonly setCursor: (index: number | undefined) => void;
  readonly tick: (ids: readonly string[], isTicked: boolean) => void;
  /** Ticks the rows from the last one that was ticked up to this one. */
  readonly tickTo: (index: number) => void;
  readonly selectAll: () => void;
  readonly selectNone: () => void;
  /** What the keys and the bar act on: the selection, or else the current row. */
  readonly target: () => Selected | undefined;
  /** The rows of it that are in memory. */
  readonly targetItems: () => readonly ObjectItem[];
  readonly open: (item: ObjectItem) => void;
}

export function createListModel(
  listing: Listing,
  open: ListModel['open'],
  list: ObjectList = openObjectList(listing),
): ListModel {
  const place = signal<{ readonly index: number; readonly id: string | undefined } | undefined>(
    undefined,
  );
  const selection = signal<Selection>(NONE_SELECTED);
  const total = computed(() => list.state.value.total ?? 0);
  const cursor = computed(() => {
    if (!place.value || total.value === 0) return undefined;
    const { index, id } = place.value;
    const { rows } = list.state.value;
    const isThere = id === undefined || rows.get(index)?.id === id;
    return Math.min((isThere ? undefined : list.indexOf(id)) ?? index, total.value - 1);
  });
  const rowAt = (index: number | undefined) =>
    index === undefined ? undefined : list.state.value.rows.get(index);
  const current = computed(() => rowAt(cursor.value));
  let anchor = 0;
  const tick = (ids: readonly string[], isTicked: boolean): void => {
    const changed = withTicked(selection.value, ids, isTicked);
    if (changed.isAll && changed.except.size > MAX_EXCEPTIONS) return;
    selection.value = changed;
    anchor = list.indexOf(ids.at(-1) ?? '') ?? anchor;
  };
  const selectedCount = computed(() => countSelected(selection.value, total.value));
  return {
    listing,
    list,
    total,
    cursor,
    current,
    selection,
    selectedCount,
    isSelected: (id) => isSelected(selection.value, id),
    setCursor(index) {
      place.value = index === undefined ? undefined : { index, id: rowAt(index)?.id };
    },
    tick,
    tickTo(index) {
      const [from, to] = anchor < index ? [anchor, index] : [index, anchor];
      const items = Array.from({ length: to - from + 1 }, (_, n) => rowAt(from + n));
      tick(
        items.flatMap((item) => (item ? [item.id] : [])),
        true,
      );
    },
    selectAll: () => void (selection.value = ALL_SELECTED),
    selectNone: () => void (selection.value = NONE_SELECTED),
    target() {
      if (selectedCount.value > 0) return toSelected(selection.value, listing.filters);
      return current.value && { ids: [current.value.id] };
    },
    targetItems() {
      if (selectedCount.value === 0) return current.value ? [current.value] : [];
      return [...list.state.value.rows.values()].filter(({ id }) =>
        isSelected(selection.value, id),
      );
    },
    open,
  };
}

/** The list on the screen, for what is dropped onto folders and for the palette. */
export const shownList = signal<ListModel | undefined>(undefined);

/** A list that is loaded anew for other filters, and refreshed when the service reports a change. */
export const useListModel = (listing: Listing, open: ListModel['open']): ListModel =>
  useModel(listingKey(listing), () => createListModel(listing, open));

/** The model that `make` makes, anew for another key. */
export function useModel<M extends ListModel>(key: string, make: () => M): M {
  const model = useMemo(make, [key]);
  useEffect(() => {
    shownList.value = model;
    let isFirst = true;
    const stop = effect(() => {
      // Read, so that a change of it runs this again.
      const revision = revisionOf('objects').value;
      if (!isFirst && revision > 0) untracked(() => model.list.refresh());
      isFirst = false;
    });
    return () => {
      stop();
      model.list.close();
      if (shownList.peek() === model) shownList.value = undefined;
    };
  }, [model]);
  return model;
}
