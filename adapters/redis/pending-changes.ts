import { CHANGE_KINDS, type OwnerChange } from '../../ports/changes.ts';

/** Above it changes of further owners are dropped: an outage of hours with this many active owners. */
const MAX_OWNERS = 100_000;

/** Changes that are not published yet, merged by owner, oldest owner first. */
export class PendingChanges {
  readonly #byOwner = new Map<string, OwnerChange>();

  get size(): number {
    return this.#byOwner.size;
  }

  add(ownerId: string, change: OwnerChange): void {
    const earlier = this.#byOwner.get(ownerId);
    if (earlier) this.#byOwner.set(ownerId, merge(earlier, change));
    else if (this.#byOwner.size < MAX_OWNERS) this.#byOwner.set(ownerId, change);
  }

  /** Removes and returns up to so many. */
  take(limit: number): readonly (readonly [ownerId: string, change: OwnerChange])[] {
    const taken: (readonly [string, OwnerChange])[] = [];
    for (const entry of this.#byOwner) {
      if (taken.length === limit) break;
      taken.push(entry);
      this.#byOwner.delete(entry[0]);
    }
    return taken;
  }
}

function merge(one: OwnerChange, other: OwnerChange): OwnerChange {
  const isIn = (of: 'visible' | 'hidden') =>
    CHANGE_KINDS.filter((kind) => one[of].includes(kind) || other[of].includes(kind));
  return {
    visible: isIn('visible'),
    hidden: isIn('hidden'),
    access: one.access || other.access,
  };
}
