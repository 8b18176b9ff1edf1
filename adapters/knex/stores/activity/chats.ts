import type {
  RecentQuery,
  ChatFilter,
  ChatKind,
  ChatMessage,
  ChatSession,
  ChatStore,
} from '../../../../ports/conversations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { listCounts } from '../../counters.ts';
import { flag, json, emptyAsNull, plain, recordMap, saveText } from '../../record-mapper.ts';
import { indexedBy, placeholders, type Sql, type Value } from '../../sql.ts';

const SESSION = recordMap<ChatSession>({
  id: plain('id'),
  title: plain('title'),
  kind: plain('kind'),
  collectionId: emptyAsNull('folder'),
  pinned: flag('pinned'),
  hasDocumentText: flag('has_document_text'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const MESSAGE = recordMap<ChatMessage>({
  id: plain('id'),
  sessionId: plain('session_id'),
  role: plain('role'),
  content: plain('content'),
  createdAt: plain('created_at'),
  attachments: json('attachments'),
  citations: json('citations'),
  objects: json('objects'),
  steps: json('steps'),
});
const ASKED = recordMap<RecentQuery>({
  query: plain('content'),
  sessionId: plain('session_id'),
  createdAt: plain('created_at'),
  title: plain('title'),
});
const SESSION_COLUMNS = SESSION.columns.join(', ');
const MESSAGE_COLUMNS = MESSAGE.columns.join(', ');
const SAVE = saveText('chat_sessions', SESSION, ['id']);
// Messages with the same timestamp are ordered by the number that is assigned on insertion.
const ADD = `insert into chat_messages (owner_id, ${MESSAGE_COLUMNS}, seq)
  values (${placeholders(MESSAGE.columns.length + 1)}, (select coalesce(max(seq), 0) + 1
    from chat_messages where owner_id = ? and session_id = ?))`;

type Row = Record<string, Value>;

export function knexChats(sql: Sql, { ownerId }: OwnerScope): ChatStore {
  const counts = listCounts(sql, ownerId, 'chats');
  const sessions = async (condition: string, values: readonly Value[]) =>
    (await sql.all<Row>(`select ${SESSION_COLUMNS} from chat_sessions${condition}`, values)).map(
      SESSION.from,
    );
  const find = async (id: string) =>
    (await sessions(' where owner_id = ? and id = ?', [ownerId, id]))[0];
  const save = async (session: ChatSession) => {
    const before = await find(session.id);
    await sql.enqueueChange(SAVE, [ownerId, ...SESSION.values(session)]);
    await counts.move(before ? partsOf(before) : [], partsOf(session));
  };

  return {
    find,
    page: async (filter, { limit, offset }) => {
      const { index, condition, values } = conditionOf(filter);
      const items = await sessions(
        `${indexedBy(sql, index)} where owner_id = ?${condition}
         order by pinned desc, updated_at desc, id desc limit ? offset ?`,
        [ownerId, ...values, limit, offset],
      );
      return { items, total: await counts.total(countedIn(filter)) };
    },
    save,
    remove: async (id) => {
      const before = await find(id);
      if (!before) return;
      await sql.enqueueChange('delete from chat_messages where owner_id = ? and session_id = ?', [
        ownerId,
        id,
      ]);
      await sql.enqueueChange('delete from chat_sessions where owner_id = ? and id = ?', [
        ownerId,
        id,
      ]);
      await counts.move(partsOf(before), []);
    },
    addMessage: (message) =>
      sql.enqueueChange(ADD, [ownerId, ...MESSAGE.values(message), ownerId, message.sessionId]),
    messages: async (sessionId, limit) => {
      const rows = await sql.all<Row>(
        `select ${MESSAGE_COLUMNS} from chat_messages where owner_id = ? and session_id = ?
         order by seq desc limit ?`,
        [ownerId, sessionId, limit],
      );
      return rows.reverse().map(MESSAGE.from);
    },
    messagesFrom: async (sessionId, { limit, offset }) => {
      const rows = await sql.all<Row>(
        `select ${MESSAGE_COLUMNS} from chat_messages where owner_id = ? and session_id = ?
         order by seq limit ? offset ?`,
        [ownerId, sessionId, limit, offset],
      );
      return rows.map(MESSAGE.from);
    },
    recentQueries: async (since, { limit, offset }) => {
      const questions =
        "from chat_messages m where m.owner_id = ? and m.role = 'user' and m.created_at >= ?";
      const rows = await sql.all<Row>(
        `select m.content, m.session_id, m.created_at, coalesce((select s.title from chat_sessions s
           where s.owner_id = m.owner_id and s.id = m.session_id), '') as title
         ${questions} order by m.created_at desc, m.id desc limit ? offset ?`,
        [ownerId, since, limit, offset],
      );
      // Counted on demand: a time bound limits the rows, and no counter can know that bound in advance.
      const counted = await sql.get<{ n: number }>(`select count(*) as n ${questions}`, [
        ownerId,
        since,
      ]);
      return { items: rows.map(ASKED.from), total: counted?.n ?? 0 };
    },
    leaveCollection: async (collectionId) => {
      const left = await sessions(' where owner_id = ? and folder = ?', [ownerId, collectionId]);
      for (const session of left) await save({ ...session, collectionId: null });
    },
  };
}

const KINDS: readonly ChatKind[] = ['ask', 'chat', 'agent'];

const part = (folder: string, kind: ChatKind, pinned: boolean) =>
  `${folder}/${kind}/${pinned ? 1 : 0}`;

/** A session counts in the total and in that of its folder, by its kind and whether it is pinned. */
const partsOf = ({ collectionId, kind, pinned }: ChatSession) => [
  part('*', kind, pinned),
  part(collectionId ?? '', kind, pinned),
];

const countedIn = ({ kind, pinned, collectionId }: ChatFilter) =>
  (kind ? [kind] : KINDS).flatMap((each) =>
    (pinned === undefined ? [false, true] : [pinned]).map((pin) =>
      part(collectionId ?? '*', each, pin),
    ),
  );

function conditionOf({ kind, pinned, collectionId }: ChatFilter) {
  const values: Value[] = [];
  let condition = '';
  const add = (text: string, value: Value) => {
    condition += ` and ${text}`;
    values.push(value);
  };
  if (collectionId !== undefined) add('folder = ?', collectionId);
  if (kind !== undefined) add('kind = ?', kind);
  if (pinned !== undefined) add('pinned = ?', pinned ? 1 : 0);
  const index =
    collectionId !== undefined ? 'chats_by_folder' : kind ? 'chats_by_kind' : 'chats_by_time';
  return { index, condition, values };
}
