import type { IdempotencyStore } from '../../ports/idempotency.ts';
import type { TaskStore } from '../../ports/tasks.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

export function memoryTasks({ objects, tasks }: Tables): TaskStore {
  const waiting = (kind: string) =>
    tasks.values().filter((task) => task.kind === kind && task.state === 'waiting');
  return {
    find: async (id) => tasks.get(id),
    findFor: async (subject, kind) =>
      tasks
        .values()
        .filter((task) => task.subject === subject && task.kind === kind)
        .sort((a, b) => a.createdAt - b.createdAt || byCodePoint(a.id, b.id)),
    save: async (task) => tasks.set(task.id, Object.freeze({ ...task })),
    remove: async (id) => tasks.delete(id),
    removeFor: async (subject) => {
      for (const task of tasks.values()) if (task.subject === subject) tasks.delete(task.id);
    },
    nextWaiting: async (kind) =>
      waiting(kind).sort(
        (a, b) => a.dueAt - b.dueAt || a.createdAt - b.createdAt || byCodePoint(a.id, b.id),
      )[0],
    expedite: async (kind, dueAt) => {
      for (const task of waiting(kind))
        if (task.dueAt > dueAt) tasks.set(task.id, Object.freeze({ ...task, dueAt }));
    },
    countDelayed: async (kind) => {
      const delayed = tasks
        .values()
        .filter((task) => task.kind === kind && task.state !== 'failed' && task.error !== null);
      const subjects = new Set(delayed.map(({ subject }) => subject));
      return [...subjects].filter((id) => {
        const object = objects.get(id);
        return object && !object.isHidden && object.deletedAt === null;
      }).length;
    },
  };
}

export function memoryIdempotency({ receipts }: Tables): IdempotencyStore {
  return {
    find: async (key) => receipts.get(key),
    save: async (receipt) => receipts.set(receipt.key, Object.freeze({ ...receipt })),
    remove: async (key) => receipts.delete(key),
    removeExpired: async (before, limit) => {
      const expired = receipts
        .values()
        .filter((receipt) => receipt.expiresAt < before)
        .sort((a, b) => a.expiresAt - b.expiresAt)
        .slice(0, limit);
      for (const { key } of expired) receipts.delete(key);
      return expired.length;
    },
  };
}
