import type { Stores } from '../../ports/unit-of-work.ts';
import type { Zone } from '../hidden-zone/index.ts';

const AT_ONCE = 500;

/**
 * Held by a session that is hidden itself, with any other objects it holds. No object has this id. A hidden object that
 * does not exist is never shown again, so that the session stays hidden, and it is exported and imported like others.
 */
export const HIDDEN_ITSELF = '00000000-0000-0000-0000-000000000000';

/**
 * Records that a session holds content of these objects. Objects that were deleted since the caller read them are
 * recorded as hidden if the zone was open for the caller, since they may have been hidden; else they are left out.
 */
export async function holdObjects(
  { chats, objects }: Pick<Stores, 'chats' | 'objects'>,
  sessionId: string,
  objectIds: readonly string[],
  zone: Zone,
): Promise<void> {
  const ids = [...new Set(objectIds)].filter((id) => id !== '');
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const found = new Map((await objects.findMany(some)).map((object) => [object.id, object]));
    await chats.addObjects(
      sessionId,
      some.flatMap((objectId) => {
        const object = found.get(objectId);
        if (!object && zone !== 'open') return [];
        return [{ objectId, isHidden: object?.isHidden ?? true }];
      }),
    );
  }
}
