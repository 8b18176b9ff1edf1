import { AsyncLocalStorage } from 'node:async_hooks';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';

const current = new AsyncLocalStorage<{ open: boolean }>();

/**
 * True while a unit of work is open in this async context. Work that a unit started without awaiting it is free after
 * its end.
 */
export const insideUnitOfWork = (): boolean => current.getStore()?.open ?? false;

/** A nested unit would wait for the connection that its caller holds, so it is rejected immediately. */
export function rejectNested(inner: UnitOfWork): UnitOfWork {
  const run =
    (how: 'read' | 'write'): UnitOfWork['write'] =>
    async (scope, work, size) => {
      if (insideUnitOfWork()) throw new Error('A unit of work was opened inside another.');
      const unit = { open: true };
      try {
        return await current.run(unit, () =>
          inner[how](scope, (stores: Stores) => work(stores), size),
        );
      } finally {
        unit.open = false;
      }
    };
  return { read: run('read'), write: run('write') };
}

/** Makes every method of a slow port (blobs, passwords, extraction, models) reject inside a unit of work. */
export function outsideUnitOfWork<Port extends object>(name: string, port: Port): Port {
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (insideUnitOfWork())
          throw new Error(`${name}.${String(key)} was called inside a unit of work.`);
        return (member as (...a: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
