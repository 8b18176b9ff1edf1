import type { ChatObject, ChatSession, ChatStore } from '../../../../ports/conversations.ts';
import { upsertMany } from '../../bulk-rows.ts';
import type { ListCounts } from '../../counters.ts';
import { emptyAsNull, flag, plain, recordMap } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';
import { partsOf } from './chat-counts.ts';

const OBJECT = recordMap<ChatObject>({ objectId: plain('object_id'), isHidden: flag('is_hidden') });
const COUNTED = recordMap<Pick<ChatSession, 'collectionId' | 'kind' | 'pinned'>>({
  collectionId: emptyAsNull('folder'),
  kind: plain('kind'),
  pinned: flag('pinned'),
});
const KEY = ['owner_id', 'session_id', 'object_id'] as const;

type Row = Record<string, Value>;

interface ChatObjects {
  readonly add: ChatStore['addObjects'];
  readonly page: ChatStore['objects'];
  readonly setVisibility: ChatStore['setObjectVisibility'];
  readonly holdsHidden: ChatStore['holdsHidden'];
}

/** The objects of sessions. A session's own row repeats whether one of them is hidden, for lists. */
export function createChatObjects(sql: Sql, ownerId: string, counts: ListCounts): ChatObjects {
  /** Corrects the rows of these sessions and their counters. */
  const refresh = async (sessions: string, values: readonly Value[]): Promise<void> => {
    for (const isHidden of [true, false]) {
      const rows = await sql.all<Row>(
        `update chat_sessions set is_hidden = ? where owner_id = ? and is_hidden = ?
           and id in (${sessions}) and ${isHidden ? '' : 'not '}exists (select 1 from chat_objects c
             where c.owner_id = chat_sessions.owner_id and c.session_id = chat_sessions.id
               and c.is_hidden = 1)
         returning ${COUNTED.columns.join(', ')}`,
        [isHidden ? 1 : 0, ownerId, isHidden ? 0 : 1, ...values],
      );
      const changed = rows.map(COUNTED.from);
      await counts.move(
        changed.flatMap((session) => partsOf(session, !isHidden)),
        changed.flatMap((session) => partsOf(session, isHidden)),
      );
    }
  };

  return {
    add: async (sessionId, objects) => {
      if (objects.length === 0) return;
      // The last one counts where an object is named twice.
      const distinct = new Map(objects.map((object) => [object.objectId, object]));
      await upsertMany(
        sql,
        'chat_objects',
        [...KEY.map((name) => [name, 'text'] as const), ['is_hidden', 'smallint']],
        KEY,
        [...distinct.values()].map((object) => [ownerId, sessionId, ...OBJECT.values(object)]),
      );
      await refresh('?', [sessionId]);
    },
    page: async (sessionId, { limit, offset }) => {
      const rows = await sql.all<Row>(
        `select ${OBJECT.columns.join(', ')} from chat_objects where owner_id = ? and session_id = ?
         order by object_id limit ? offset ?`,
        [ownerId, sessionId, limit, offset],
      );
      return rows.map(OBJECT.from);
    },
    setVisibility: async (objectId, isHidden) => {
      await sql.enqueueChange(
        'update chat_objects set is_hidden = ? where owner_id = ? and object_id = ?',
        [isHidden ? 1 : 0, ownerId, objectId],
      );
      await refresh('select session_id from chat_objects where owner_id = ? and object_id = ?', [
        ownerId,
        objectId,
      ]);
    },
    holdsHidden: async (sessionId) =>
      (await sql.get(
        `select 1 as found from chat_objects
         where owner_id = ? and session_id = ? and is_hidden = 1 limit 1`,
        [ownerId, sessionId],
      )) !== undefined,
  };
}
