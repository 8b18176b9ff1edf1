import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import { revisionOf, type ChangeKind } from './live.ts';

export interface Resource<T> {
  /** What was loaded last; it stays while it is loaded again. */
  readonly data: T | undefined;
  /** Why the last attempt failed. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<T> {
  readonly key: string;
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
}

/**
 * Loads data for a component: anew when `key` changes, when `reload` is called, and when the service reports a change of
 * one of `kinds`. `load` is aborted when its result is not needed any more. Nothing is cached beyond the component.
 */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  kinds: readonly ChangeKind[] = [],
): Resource<T> {
  const state = useSignal<State<T>>({ key, data: undefined, error: undefined, isLoading: true });
  const attempt = useSignal(0);
  const revision = kinds.map((kind) => revisionOf(kind).value).join();
  useEffect(() => {
    const controller = new AbortController();
    const previous = state.peek();
    const data = previous.key === key ? previous.data : undefined;
    state.value = { key, data, error: undefined, isLoading: true };
    load(controller.signal).then(
      (loaded) => {
        if (controller.signal.aborted) return;
        state.value = { key, data: loaded, error: undefined, isLoading: false };
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        state.value = { key, data, error, isLoading: false };
      },
    );
    return () => controller.abort();
    // `load` is made anew on every render; `key` says what it depends on.
  }, [key, attempt.value, revision]);
  const reload = useCallback(() => void attempt.value++, [attempt]);
  const { value } = state as ReadonlySignal<State<T>>;
  const isCurrent = value.key === key;
  return {
    data: isCurrent ? value.data : undefined,
    error: isCurrent ? value.error : undefined,
    isLoading: isCurrent ? value.isLoading : true,
    reload,
  };
}
