import { useEffect, useRef, useState } from 'preact/hooks';
import { statusOf, type StepStatus } from './steps.ts';

const POLL_MS = 600;

export interface Progress {
  readonly statuses: readonly StepStatus[];
  /** Why the progress is not known. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** Follows operations by their ids until the last one has ended. `onEnd` is called once, with how each has ended. */
export function useProgress(
  id: string,
  tasks: readonly string[],
  onEnd: (statuses: readonly StepStatus[]) => void,
): Progress {
  const [statuses, setStatuses] = useState<readonly StepStatus[]>([]);
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(onEnd);
  latest.current = onEnd;
  const key = tasks.join();
  useEffect(() => {
    setStatuses([]);
    setError(undefined);
    if (tasks.length === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        const found = await Promise.all(tasks.map((task) => statusOf(id, task, signal)));
        if (signal.aborted) return;
        setStatuses(found);
        if (found.every(({ done }) => done)) latest.current(found);
        else timer = setTimeout(() => void look(), POLL_MS);
      } catch (cause) {
        if (!signal.aborted) setError(cause);
      }
    };
    void look();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id, key, attempt]);
  return { statuses, error, retry: () => setAttempt((before) => before + 1) };
}
