import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ObjectFilters } from '../../data/object-filters.ts';
import type { ObjectItem, ObjectList } from '../../data/object-list.ts';
import type { SparseRows } from '../../data/sparse-rows.ts';
import { createListModel, type ListModel } from '../library/list-model.ts';
import { search, type SearchHit } from './search-query.ts';

const PAGE = 30;
/** Of one request. */
const MAX_PAGE = 100;
/** A list that is longer is not read: a search with more words finds better. */
const MAX_SHOWN = 300;

/** What a search finds, best first. All that is shown is in memory. */
export interface HitList extends ObjectList {
  readonly hits: ReadonlySignal<readonly SearchHit[]>;
  /** How many there are, shown or not. */
  readonly found: ReadonlySignal<number | undefined>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly hasMore: ReadonlySignal<boolean>;
  readonly loadMore: () => void;
}

export function openHitList(query: string, filters: ObjectFilters): HitList {
  const hits = signal<readonly SearchHit[]>([]);
  const found = signal<number | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const isLoading = signal(true);
  let controller = new AbortController();

  /** Reads the hits from `from` to before `until`. Those that are shown stay until then. */
  async function load(from: number, until: number): Promise<void> {
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    isLoading.value = true;
    const read = hits.peek().slice(0, from);
    try {
      for (let isEnd = false; !isEnd && read.length < until;) {
        const page = { offset: read.length, limit: Math.min(MAX_PAGE, until - read.length) };
        const { items, total } = await search(query, filters, page, signal);
        if (signal.aborted) return;
        read.push(...items);
        isEnd = items.length === 0 || read.length >= total;
        found.value = total;
      }
      hits.value = [...new Map(read.map((hit) => [hit.object.id, hit])).values()];
      error.value = undefined;
    } catch (cause) {
      if (signal.aborted) return;
      error.value = cause;
    }
    isLoading.value = false;
  }

  const change = (changed: (item: ObjectItem) => ObjectItem): void => {
    hits.value = hits.peek().map((hit) => ({ ...hit, object: changed(hit.object) }));
  };
  void load(0, PAGE);
  return {
    hits,
    found,
    isLoading,
    error,
    hasMore: computed(() => hits.value.length < Math.min(found.value ?? 0, MAX_SHOWN)),
    state: computed<SparseRows<ObjectItem>>(() => ({
      rows: new Map(hits.value.map(({ object }, index) => [index, object])),
      cursors: new Map(),
      total: found.value === undefined ? undefined : hits.value.length,
    })),
    show: () => undefined,
    loadMore: () => void load(hits.peek().length, Math.min(hits.peek().length + PAGE, MAX_SHOWN)),
    refresh: () => void load(0, Math.max(PAGE, hits.peek().length)),
    change,
    remove(ids) {
      // A page that is on its way may still have them.
      controller.abort();
      isLoading.value = false;
      const left = hits.peek().filter(({ object }) => !ids.has(object.id));
      found.value = (found.peek() ?? 0) - (hits.peek().length - left.length);
      hits.value = left;
    },
    indexOf(id) {
      const index = hits.peek().findIndex(({ object }) => object.id === id);
      return index === -1 ? undefined : index;
    },
    close: () => controller.abort(),
  };
}

export interface HitModel extends ListModel {
  readonly list: HitList;
}

/**
 * A list of hits with everything that can be done in a list of documents. "All" are those that are shown: bulk changes
 * know filters, but no words.
 */
export function createHitModel(
  query: string,
  filters: ObjectFilters,
  open: ListModel['open'],
): HitModel {
  const list = openHitList(query, filters);
  const model = createListModel({ filters, order: 'newest' }, open, list);
  return {
    ...model,
    list,
    selectAll: () =>
      model.tick(
        list.hits.peek().map(({ object }) => object.id),
        true,
      ),
  };
}
