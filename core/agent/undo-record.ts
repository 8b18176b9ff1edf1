import type { AgentUndo, UndoEffect } from '../../ports/agent-undos.ts';
import type { CalendarEvent } from '../../ports/calendar.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { differenceOf } from '../objects/index.ts';

/** How long a step of the agent can be undone. */
export const AGENT_UNDO_MS = 24 * 3_600_000;

export interface UndoRecorderDeps {
  readonly uow: UnitOfWork;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface UndoRecorder {
  /** The unit of work for the operation of one step. */
  readonly uow: UnitOfWork;
  /** The id of the undo; undefined if nothing was changed that can be undone. */
  readonly undoId: () => string | undefined;
}

/**
 * Observes which objects and events the operation of a step changes, and stores their undo in the same transaction. So
 * every tool that changes something can be undone, and no change is without its undo, whenever the process ends.
 */
export function createUndoRecorder(
  { uow, clock, random }: UndoRecorderDeps,
  step: Pick<AgentUndo, 'sessionId' | 'tool'>,
): UndoRecorder {
  const id = random.uuid();
  // The effects of all transactions of the step that were committed.
  let committed: readonly UndoEffect[] = [];
  return {
    undoId: () => (committed.length > 0 ? id : undefined),
    uow: {
      read: (scope, work) => uow.read(scope, work),
      write: async (scope, work, size) => {
        let effects = committed;
        // The work may be run again after a conflict.
        const recorded = async (stores: Stores) => {
          const changes = new ObservedChanges();
          const result = await work(observed(stores, changes));
          effects = [...committed, ...changes.effects()];
          if (effects.length > committed.length) {
            const createdAt = clock.now();
            const expiresAt = createdAt + AGENT_UNDO_MS;
            await stores.agentUndos.save({
              ...step,
              id,
              effects,
              createdAt,
              expiresAt,
              undoneAt: null,
            });
          }
          return result;
        };
        const result = await uow.write(scope, recorded, size);
        committed = effects;
        return result;
      },
    },
  };
}

/** The objects and events of one transaction, before its first and after its last change. */
class ObservedChanges {
  readonly #objects = new Map<string, [before: StoredObject | undefined, after: StoredObject]>();
  readonly #events = new Map<string, CalendarEvent>();

  changedObject(before: StoredObject | undefined, after: StoredObject): void {
    const known = this.#objects.get(after.id);
    this.#objects.set(after.id, [known ? known[0] : before, after]);
  }

  createdEvent(event: CalendarEvent): void {
    this.#events.set(event.id, event);
  }

  effects(): readonly UndoEffect[] {
    const ofObjects = [...this.#objects.values()].flatMap(([before, after]): UndoEffect[] => {
      if (!before) return [{ kind: 'created', objectId: after.id, as: createdAs(after) }];
      const change = differenceOf(before, after);
      return change ? [{ kind: 'changed', objectId: after.id, ...change }] : [];
    });
    const ofEvents = [...this.#events.values()].map((as): UndoEffect => ({ kind: 'event', as }));
    return [...ofObjects, ...ofEvents];
  }
}

const createdAs = ({ version, filename, collectionId, categories, isHidden }: StoredObject) => ({
  version,
  filename,
  collectionId,
  categories,
  isHidden,
});

/** Stores that note what is saved. An event that exists already is not changed by any tool. */
function observed(stores: Stores, changes: ObservedChanges): Stores {
  const objects = replaced(stores.objects, 'save', async (object) => {
    const before = await stores.objects.find(object.id);
    await stores.objects.save(object);
    changes.changedObject(before, object);
  });
  const calendar = replaced(stores.calendar, 'save', async (event) => {
    const before = await stores.calendar.find(event.id);
    await stores.calendar.save(event);
    if (!before) changes.createdEvent(event);
  });
  return replaced(replaced(stores, 'objects', objects), 'calendar', calendar);
}

/** The same with one member replaced. Other methods are called on the original, as adapters may need it. */
const replaced = <T extends object, K extends keyof T>(original: T, name: K, value: T[K]): T =>
  new Proxy(original, {
    get: (target, key) => {
      if (key === name) return value;
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
