import type { InstallationCounts, QueueDepth } from '../../ports/installation.ts';
import type { Task } from '../../ports/tasks.ts';
import type { MemoryDatabase } from './database.ts';
import { byCodePoint } from './order.ts';

export function memoryInstallationCounts(database: MemoryDatabase): InstallationCounts {
  const tables = () => [...database.states()].map(([, state]) => state.tables);
  return {
    queues: async () => {
      const all = tables().flatMap(({ tasks, objects }) =>
        [...tasks.values()].filter(({ subject }) => !objects.get(subject)?.isHidden),
      );
      const byKind = Map.groupBy(all, ({ kind }) => kind);
      return [...byKind]
        .map(([kind, tasks]) => depthOf(kind, tasks))
        .sort((a, b) => byCodePoint(a.kind, b.kind));
    },
    visibleFiles: async () => {
      const all = tables().flatMap(({ objects }) =>
        [...objects.values()].filter(({ isHidden }) => !isHidden),
      );
      return { files: all.length, bytes: all.reduce((sum, { size }) => sum + size, 0) };
    },
  };
}

function depthOf(kind: string, tasks: readonly Task[]): QueueDepth {
  const count = (wanted: Task['state']) => tasks.filter(({ state }) => state === wanted).length;
  const due = tasks.filter(({ state }) => state === 'waiting').map(({ dueAt }) => dueAt);
  return {
    kind,
    waiting: count('waiting'),
    running: count('running'),
    failed: count('failed'),
    oldestDueAt: due.length === 0 ? null : Math.min(...due),
  };
}
