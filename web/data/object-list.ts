import { signal, type ReadonlySignal } from '@preact/signals';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import { listingKey, type Listing } from './object-filters.ts';
import {
  noRows,
  firstMissing,
  withChanged,
  withPage,
  withoutRows,
  type LoadedPage,
  type SparseRows,
} from './sparse-rows.ts';

export type ObjectItem = components['schemas']['ObjectListItem'];

const PAGE = 100;
/** Scrolling passes over pages that are gone from view before this has passed. */
const REST_MS = 60;

/** A list of documents of any length, of which the rows around the window are in memory. */
export interface ObjectList {
  readonly state: ReadonlySignal<SparseRows<ObjectItem>>;
  /** Why the last page could not be loaded. */
  readonly error: ReadonlySignal<unknown>;
  /** Loads what is missing of these rows, and stops loading others. */
  readonly show: (from: number, to: number) => void;
  /** Loads the rows of the window again. They stay until the new ones have come. */
  readonly refresh: () => void;
  readonly change: (change: (item: ObjectItem) => ObjectItem) => void;
  readonly remove: (ids: ReadonlySet<string>) => void;
  readonly indexOf: (id: string) => number | undefined;
  readonly close: () => void;
}

type Page = LoadedPage<ObjectItem>;
type Part = { readonly offset: number } | { readonly cursor: string };

interface Preloaded {
  readonly key: string;
  readonly page: Promise<Page>;
  /** The page, when it has come. */
  loaded?: Page;
}

let preloaded: Preloaded | undefined;

/** Requests the first page of a list that is about to be opened. The next list to be opened takes it, or drops it. */
export function preloadObjects(listing: Listing): void {
  const page = readPage(listing, { offset: 0 });
  const begun: Preloaded = { key: listingKey(listing), page };
  preloaded = begun;
  page.then(
    (loaded) => void (begun.loaded = loaded),
    () => {
      // The list asks again, when it is opened: the owner may have signed in meanwhile.
      if (preloaded === begun) preloaded = undefined;
    },
  );
}

function takePreloaded(listing: Listing): Preloaded | undefined {
  const taken = preloaded;
  preloaded = undefined;
  return taken?.key === listingKey(listing) ? taken : undefined;
}

const readPage = ({ filters, order }: Listing, part: Part, signal?: AbortSignal): Promise<Page> =>
  reply(
    api.GET('/v1/objects', {
      params: { query: { ...filters, order, limit: PAGE, ...part } },
      ...(signal && { signal }),
    }),
  );

export function openObjectList(listing: Listing): ObjectList {
  const early = takePreloaded(listing);
  // A page that has come is part of the first rendering.
  const state = signal<SparseRows<ObjectItem>>(
    early?.loaded ? withPage(noRows<ObjectItem>(), 0, early.loaded) : noRows(),
  );
  const error = signal<unknown>(undefined);
  let wanted = { from: 0, to: PAGE };
  let running: { readonly from: number; readonly controller: AbortController } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  /** Something has changed while a page was on its way. */
  let isStale = false;

  async function load(from: number, isFresh: boolean, coming?: Promise<Page>): Promise<void> {
    running?.controller.abort();
    const controller = new AbortController();
    running = { from, controller };
    const { signal } = controller;
    try {
      const cursor = isFresh ? undefined : state.value.cursors.get(from);
      const part = cursor === undefined ? { offset: from } : { cursor };
      const page = await (coming ?? readPage(listing, part, signal));
      if (signal.aborted) return;
      state.value = withPage(isFresh ? noRows() : state.value, from, page);
      error.value = undefined;
      running = undefined;
      if (isStale) refresh();
      else next();
    } catch (cause) {
      if (signal.aborted) return;
      running = undefined;
      isStale = false;
      error.value = cause;
    }
  }

  /** A page that is on its way comes first: it may wait for the service, and many changes would put it off for ever. */
  function refresh(): void {
    isStale = running !== undefined;
    if (isStale || isClosed) return;
    const total = state.value.total ?? 0;
    void load(Math.max(0, Math.min(wanted.from, total - PAGE)), true);
  }

  function next(): void {
    if (isClosed) return;
    const from = firstMissing(state.value, wanted.from, wanted.to);
    if (from === undefined) return;
    const isComing = running && running.from <= from && from < running.from + PAGE;
    if (!isComing) void load(from, false);
  }

  if (!early?.loaded) void load(0, true, early?.page);
  return {
    state,
    error,
    show(from, to) {
      wanted = { from, to };
      clearTimeout(timer);
      if (state.value.total !== undefined) timer = setTimeout(next, REST_MS);
    },
    refresh,
    change(change) {
      state.value = withChanged(state.value, change);
    },
    remove(ids) {
      // A page that is on its way may still have them.
      running?.controller.abort();
      running = undefined;
      state.value = withoutRows(state.value, ({ id }) => ids.has(id));
      next();
    },
    indexOf(id) {
      for (const [index, item] of state.value.rows) if (item.id === id) return index;
      return undefined;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      running?.controller.abort();
    },
  };
}
