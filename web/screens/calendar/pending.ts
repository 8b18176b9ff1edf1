import { signal } from '@preact/signals';
import type { Wall } from './days.ts';
import { placed, type Item } from './item.ts';

/** What becomes of an occurrence, shown before the service has done it. */
export type Expected = 'gone' | { readonly start: Wall; readonly end: Wall };

interface Pending {
  readonly expected: Expected;
  /** It is done: the next answer of the service has it. */
  readonly isSettled: boolean;
}

const pending = signal<ReadonlyMap<string, Pending>>(new Map());

export function expect(key: string, expected: Expected): void {
  pending.value = new Map(pending.peek()).set(key, { expected, isSettled: false });
}

/** The service has refused it. */
export function forget(key: string): void {
  pending.value = new Map([...pending.peek()].filter(([each]) => each !== key));
}

/** A later change of the same occurrence may still be on its way. */
export function settle(key: string, expected: Expected): void {
  const found = pending.peek().get(key);
  if (found?.expected === expected)
    pending.value = new Map(pending.peek()).set(key, { ...found, isSettled: true });
}

/**
 * What is done is in data that is requested from now on. Returns a function that drops it, for when that data is shown. What
 * was done since may be missing in it.
 */
export function markSettled(): () => void {
  const settled = new Set([...pending.peek().values()].filter(({ isSettled }) => isSettled));
  return () => {
    const open = [...pending.peek()].filter(([, each]) => !settled.has(each));
    if (open.length < pending.peek().size) pending.value = new Map(open);
  };
}

export const withPending = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => {
    const expected = pending.value.get(item.key)?.expected;
    if (expected === undefined) return [item];
    if (expected === 'gone') return [];
    const { key } = item;
    return [{ ...placed(item.data, expected.start, expected.end), key }];
  });
