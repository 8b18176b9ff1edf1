import type { ChangeFeed } from '../../ports/changes.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { ChangeMarks } from './marks.ts';
import { CHANGE_RULES } from './rules.ts';

/** A unit of work whose committed writes are published. Reads are untouched. */
export function recordChanges(uow: UnitOfWork, feed: Pick<ChangeFeed, 'publish'>): UnitOfWork {
  return {
    read: (scope, work) => uow.read(scope, work),
    write: async (scope, work, size) => {
      // The work may be run again after a conflict.
      let marks = new ChangeMarks();
      const publish = () => {
        const change = marks.toChange();
        if (change) feed.publish(scope.ownerId, change);
      };
      const recorded = async (stores: Stores) => {
        marks = new ChangeMarks();
        const result = await work(new RecordedStores(stores, marks) as unknown as Stores);
        await marks.resolve(stores);
        return result;
      };
      try {
        const result = await uow.write(scope, recorded, size);
        publish();
        return result;
      } catch (error) {
        // The connection may have been lost after the commit.
        if (error instanceof UnavailableError) publish();
        throw error;
      }
    },
  };
}

/** Stores are wrapped on first use: a write needs a few of them. */
class RecordedStores {
  readonly stores: Stores;
  readonly marks: ChangeMarks;
  readonly wrapped = new Map<string, unknown>();
  constructor(stores: Stores, marks: ChangeMarks) {
    this.stores = stores;
    this.marks = marks;
  }
}

const RULES = new Map<string, object | null>(Object.entries(CHANGE_RULES));

for (const name of Object.keys(CHANGE_RULES) as (keyof Stores)[])
  Object.defineProperty(RecordedStores.prototype, name, {
    get(this: RecordedStores) {
      const known = this.wrapped.get(name);
      if (known) return known;
      const store = Reflect.get(this.stores, name) as object;
      const rules = RULES.get(name);
      const wrapped = rules ? wrap(store, rules, this.marks) : store;
      this.wrapped.set(name, wrapped);
      return wrapped;
    },
  });

type Method = (...args: unknown[]) => unknown;
type AnyRule = (
  marks: ChangeMarks,
  store: object,
  run: () => unknown,
  ...args: unknown[]
) => unknown;

/** The store with its ruled methods replaced. */
function wrap(store: object, rules: object, marks: ChangeMarks): object {
  const replaced: PropertyDescriptorMap = {};
  for (const [name, rule] of Object.entries(rules as Readonly<Record<string, AnyRule>>)) {
    const method = Object.hasOwn(store, name) ? (Reflect.get(store, name) as Method) : undefined;
    if (!method) throw new Error(`There is no method ${name}.`);
    const value = (...args: unknown[]) =>
      rule(marks, store, () => Reflect.apply(method, store, args), ...args);
    // Configurable: a proxy of a bound caller may replace it.
    const descriptor = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(replaced, name, { value: descriptor, enumerable: true });
  }
  return Object.create(store, replaced) as object;
}
