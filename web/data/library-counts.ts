import { effect, signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { isDrawn } from '../state/drawn.ts';
import { isSignedIn } from '../state/session-state.ts';
import { revisionOf } from './live.ts';

export interface LibraryCounts {
  readonly all: number;
  readonly unfiled: number;
}

/** Numbers of documents for the rail; undefined until they are known. */
export const libraryCounts = signal<LibraryCounts | undefined>(undefined);

let controller = new AbortController();

const count = async (query: { uncategorized?: boolean }): Promise<number | undefined> => {
  const { signal } = controller;
  const { data } = await api.GET('/v1/objects', {
    params: { query: { ...query, limit: 1 } },
    signal,
  });
  return data?.total;
};

/** Numbers that can not be had are left out: the list itself says why. */
async function load(): Promise<void> {
  controller.abort();
  controller = new AbortController();
  const { signal } = controller;
  const counted = await Promise.allSettled([count({}), count({ uncategorized: true })]);
  if (signal.aborted) return;
  const [all, unfiled] = counted.map((each) =>
    each.status === 'fulfilled' ? each.value : undefined,
  );
  libraryCounts.value = all === undefined || unfiled === undefined ? undefined : { all, unfiled };
}

effect(() => {
  // Read, so that every change of documents counts them again.
  const revision = revisionOf('objects').value;
  if (isSignedIn.value && isDrawn.value && revision >= 0) void load();
});
