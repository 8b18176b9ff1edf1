import type {
  RecentQuery,
  RecentQueryFilter,
  ChatFilter,
  ChatMessage,
  ChatSession,
  ChatStore,
} from '../../../../ports/conversations.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { listCounts } from '../../counters.ts';
import {
  flag,
  json,
  emptyAsNull,
  plain,
  recordMap,
  saveText,
  type Field,
} from '../../record-mapper.ts';
import { indexedBy, placeholders, type Sql, type Value } from '../../sql.ts';
import { createChatObjects } from './chat-objects.ts';
import { countedIn, partsOf } from './chat-counts.ts';

const SESSION = recordMap<ChatSession>({
  id: plain('id'),
  title: plain('title'),
  kind: plain('kind'),
  collectionId: emptyAsNull('folder'),
  pinned: flag('pinned'),
  hasDocumentText: flag('has_document_text'),
  boundTo: json('bound_to'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
/** Citations of before schema 3 have neither version nor page. */
const CITATIONS: Field<ChatMessage['citations']> = {
  ...json('citations'),
  take: (value) => {
    const stored = json<ChatMessage['citations']>('citations').take(value);
    return stored.map((citation) => ({ ...NO_DETAILS, ...citation }));
  },
};
const NO_DETAILS = { version: null, page: null };
const MESSAGE = recordMap<ChatMessage>({
  id: plain('id'),
  sessionId: plain('session_id'),
  role: plain('role'),
  content: plain('content'),
  createdAt: plain('created_at'),
  attachments: json('attachments'),
  citations: CITATIONS,
  objects: json('objects'),
  steps: json('steps'),
  coverage: json('coverage'),
  engine: plain('engine'),
  confidence: json('confidence'),
  incomplete: json('incomplete'),
  incompleteReason: plain('incomplete_reason'),
  agentRole: json('agent_role'),
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
  const hidden = createChatObjects(sql, ownerId, counts);
  const save = async (session: ChatSession) => {
    const before = await find(session.id);
    const isHidden = before !== undefined && (await hidden.holdsHidden(session.id));
    await sql.enqueueChange(SAVE, [ownerId, ...SESSION.values(session)]);
    await counts.move(before ? partsOf(before, isHidden) : [], partsOf(session, isHidden));
  };

  return {
    find,
    page: async (filter, { limit, offset }) => {
      const { index, condition, values } = conditionOf(sql, ownerId, filter);
      const items = await sessions(
        `${indexedBy(sql, index)} where owner_id = ?${condition}
         order by pinned desc, updated_at desc, id desc limit ? offset ?`,
        [ownerId, ...values, limit, offset],
      );
      if (!filter.boundWithin && filter.holding === undefined)
        return { items, total: await counts.total(countedIn(filter)) };
      const counted = await sql.get<{ n: number }>(
        `select count(*) as n from chat_sessions where owner_id = ?${condition}`,
        [ownerId, ...values],
      );
      return { items, total: counted?.n ?? 0 };
    },
    save,
    remove: async (id) => {
      const before = await find(id);
      if (!before) return;
      const isHidden = await hidden.holdsHidden(id);
      await sql.enqueueChange('delete from chat_objects where owner_id = ? and session_id = ?', [
        ownerId,
        id,
      ]);
      await sql.enqueueChange('delete from chat_messages where owner_id = ? and session_id = ?', [
        ownerId,
        id,
      ]);
      await sql.enqueueChange('delete from chat_sessions where owner_id = ? and id = ?', [
        ownerId,
        id,
      ]);
      await counts.move(partsOf(before, isHidden), []);
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
    recentQueries: async (since, { limit, offset }, filter = {}) => {
      const listed = sessionCondition(sql, ownerId, filter);
      const questions = `from chat_messages m
        where m.owner_id = ? and m.role = 'user' and m.created_at >= ?${listed.text}`;
      const wanted = [ownerId, since, ...listed.values];
      const rows = await sql.all<Row>(
        `select m.content, m.session_id, m.created_at, coalesce((select s.title from chat_sessions s
           where s.owner_id = m.owner_id and s.id = m.session_id), '') as title
         ${questions} order by m.created_at desc, m.id desc limit ? offset ?`,
        [...wanted, limit, offset],
      );
      // Counted on demand: a time bound limits the rows, and no counter can know that bound in advance.
      const counted = await sql.get<{ n: number }>(`select count(*) as n ${questions}`, wanted);
      return { items: rows.map(ASKED.from), total: counted?.n ?? 0 };
    },
    addObjects: hidden.add,
    objects: hidden.page,
    setObjectVisibility: hidden.setVisibility,
    holdsHidden: hidden.holdsHidden,
    leaveCollection: async (collectionId) => {
      const left = await sessions(' where owner_id = ? and folder = ?', [ownerId, collectionId]);
      for (const session of left) await save({ ...session, collectionId: null });
    },
  };
}

/** Whether a session is bound within these folders. The few bound sessions of an owner have an index. */
function boundCondition(sql: Sql, folders: readonly string[]) {
  const list = JSON.stringify(folders);
  const among =
    sql.dialect === 'sqlite'
      ? 'not exists (select 1 from json_each(bound_to) where value not in (select value from json_each(?)))'
      : 'bound_to::jsonb <@ ?::jsonb';
  const inside = `folder in (${placeholders(folders.length + 1)})`;
  return {
    text: `bound_to is not null and ${among} and ${inside}`,
    values: [list, '', ...folders] as readonly Value[],
  };
}

/** Restricts messages to those of certain sessions. */
function sessionCondition(
  sql: Sql,
  ownerId: string,
  { boundWithin, visibleOnly = false }: RecentQueryFilter,
): { readonly text: string; readonly values: readonly Value[] } {
  const bound = boundWithin && boundCondition(sql, boundWithin);
  const inBound = bound
    ? ` and m.session_id in (select id from chat_sessions where owner_id = ? and ${bound.text})`
    : '';
  const notHidden = visibleOnly
    ? ` and not exists (select 1 from chat_objects c
        where c.owner_id = m.owner_id and c.session_id = m.session_id and c.is_hidden = 1)`
    : '';
  return { text: inBound + notHidden, values: bound ? [ownerId, ...bound.values] : [] };
}

function conditionOf(
  sql: Sql,
  ownerId: string,
  { kind, pinned, collectionId, holding, boundWithin, visibleOnly = false }: ChatFilter,
) {
  const values: Value[] = [];
  let condition = '';
  const add = (text: string, value: Value) => {
    condition += ` and ${text}`;
    values.push(value);
  };
  if (collectionId !== undefined) add('folder = ?', collectionId);
  if (kind !== undefined) add('kind = ?', kind);
  if (pinned !== undefined) add('pinned = ?', pinned ? 1 : 0);
  if (visibleOnly) add('is_hidden = ?', 0);
  if (holding !== undefined) {
    condition +=
      ' and id in (select session_id from chat_objects where owner_id = ? and object_id = ?)';
    values.push(ownerId, holding);
  }
  if (boundWithin) {
    const { text, values: more } = boundCondition(sql, boundWithin);
    return {
      index: 'bound_chats',
      condition: `${condition} and ${text}`,
      values: [...values, ...more],
    };
  }
  const index =
    collectionId !== undefined ? 'chats_by_folder' : kind ? 'chats_by_kind' : 'chats_by_time';
  return { index, condition, values };
}
