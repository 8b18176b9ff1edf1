import type {
  ChangeCursors,
  ChangeFeed,
  ChangeListener,
  ChangeSubscription,
  OwnerChange,
} from '../../ports/changes.ts';
import { UnavailableError } from '../../ports/errors.ts';

interface OwnerState {
  visible: number;
  any: number;
  readonly listeners: Set<ChangeListener>;
}

/**
 * Changes of a single process. Cursors are counters by visibility, behind a name of this process: after a restart no
 * earlier cursor is known. An owner with changes uses about 200 bytes until the process ends.
 */
export class InProcessChangeFeed implements ChangeFeed {
  readonly #name: string;
  readonly #owners = new Map<string, OwnerState>();
  #status: 'open' | 'ending' | 'closed' = 'open';

  /** @param name unique for each start of the process */
  constructor(name: string) {
    this.#name = name;
  }

  publish(ownerId: string, change: OwnerChange): void {
    if (this.#status === 'closed') return;
    const state = this.#state(ownerId);
    if (change.visible.length > 0) state.visible++;
    if (change.visible.length > 0 || change.hidden.length > 0) state.any++;
    if (state.listeners.size === 0) return;
    const published = { ...change, cursors: this.#cursors(state) };
    for (const listener of [...state.listeners]) listener.changed(published);
  }

  subscribe(ownerId: string, listener: ChangeListener): Promise<ChangeSubscription> {
    if (this.#status !== 'open')
      return Promise.reject(new UnavailableError('changes', 'The process is shutting down.'));
    const state = this.#state(ownerId);
    // One listener may be subscribed twice.
    const entry: ChangeListener = {
      changed: (change) => listener.changed(change),
      ended: () => listener.ended(),
    };
    state.listeners.add(entry);
    return Promise.resolve({
      start: this.#cursors(state),
      close: () => void state.listeners.delete(entry),
    });
  }

  endSubscriptions(): void {
    if (this.#status === 'open') this.#status = 'ending';
    for (const { listeners } of this.#owners.values()) {
      const ended = [...listeners];
      listeners.clear();
      for (const listener of ended) listener.ended();
    }
  }

  close(): Promise<void> {
    this.endSubscriptions();
    this.#status = 'closed';
    return Promise.resolve();
  }

  #state(ownerId: string): OwnerState {
    const known = this.#owners.get(ownerId);
    if (known) return known;
    const state: OwnerState = { visible: 0, any: 0, listeners: new Set() };
    this.#owners.set(ownerId, state);
    return state;
  }

  #cursors({ visible, any }: OwnerState): ChangeCursors {
    return { visible: `${this.#name}v${visible}`, any: `${this.#name}a${any}` };
  }
}
