import type { ObjectPage, ObjectPosition, StoredObject } from '../../ports/objects.ts';
import type { Scheduler, Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

const AT_ONCE = 500;
/** An upper bound of all ids. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The visible objects that an import may match with its records, by time and content. Each is returned once, so that
 * two records of one content do not become one object. Objects whose id is in the archive are reserved for the record
 * with that id.
 */
export class VisibleTwins {
  readonly #archived: ReadonlySet<string>;
  readonly #scheduler: Scheduler;
  readonly #byTime = new Map<Instant, Map<string, string[]>>();

  constructor(archived: ReadonlySet<string>, scheduler: Scheduler) {
    this.#archived = archived;
    this.#scheduler = scheduler;
  }

  async claim(
    stores: Pick<Stores, 'objects'>,
    { createdAt, contentHash }: Pick<StoredObject, 'createdAt' | 'contentHash'>,
  ): Promise<string | undefined> {
    let ids = this.#byTime.get(createdAt);
    if (!ids) this.#byTime.set(createdAt, (ids = await this.#madeAt(stores, createdAt)));
    return ids.get(contentHash)?.shift();
  }

  /** Ids by content, those outside the trash first. */
  async #madeAt(
    { objects }: Pick<Stores, 'objects'>,
    createdAt: Instant,
  ): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const trashed of [false, true]) {
      let after: ObjectPosition | null = { key: createdAt, id: LAST_ID };
      while (after) {
        const page: ObjectPage = await objects.page(
          { visibility: 'visible', trashed },
          { limit: AT_ONCE, after },
        );
        const same = page.items.filter((each) => each.createdAt === createdAt);
        for (const { id, contentHash } of same) {
          if (this.#archived.has(id)) continue;
          const ids = found.get(contentHash);
          if (ids) ids.push(id);
          else found.set(contentHash, [id]);
        }
        after = same.length === page.items.length ? page.next : null;
        await this.#scheduler.yield();
      }
    }
    return found;
  }
}
