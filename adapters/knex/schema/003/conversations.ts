import type { DialectTypes } from '../migration.ts';

/** The elements of a JSON array, as rows with a column `value`. Anything else than an array has none. */
function elements({ dialect }: Pick<DialectTypes, 'dialect'>, text: string): string {
  const array = `case when ${text} like '[%' then ${text} else '[]' end`;
  return dialect === 'sqlite' ? `json_each(${array})` : `jsonb_array_elements((${array})::jsonb)`;
}

/** A field of an element, as text; null for an element that is no object. */
const fieldOf = ({ dialect }: Pick<DialectTypes, 'dialect'>, rows: string, name: string): string =>
  dialect === 'sqlite'
    ? `case ${rows}.type when 'object' then ${rows}.value->>'${name}' end`
    : `${rows}.value->>'${name}'`;

/** The ids of objects in the messages of before: in attachments, citations, objects and steps. */
function objectsOfMessages(types: DialectTypes): string {
  const ofList = (column: string) =>
    `select m.owner_id, m.session_id, ${fieldOf(types, 'e', 'objectId')} as object_id from chat_messages m,
     ${elements(types, `m.${column}`)} e`;
  const name = types.dialect === 'sqlite' ? 'i.value' : `i.value #>> '{}'`;
  const ofSteps = `select m.owner_id, m.session_id, ${name} as object_id from chat_messages m,
    ${elements(types, 'm.steps')} s, ${elements(types, fieldOf(types, 's', 'object_ids'))} i`;
  return [...['attachments', 'citations', 'objects'].map(ofList), ofSteps].join(' union ');
}

/**
 * Details of messages, and the objects that a conversation holds. Whether an object that was deleted had been hidden is
 * not known any more: its conversations count as visible.
 */
export const conversationsStatements = (types: DialectTypes): readonly string[] => {
  const { text, flag, clustered } = types;
  return [
    `alter table chat_messages add column coverage ${text}`,
    `alter table chat_messages add column engine ${text}`,
    `alter table chat_messages add column confidence ${text}`,
    `alter table chat_messages add column incomplete ${text}`,
    `alter table chat_sessions add column is_hidden ${flag} not null default 0`,
    `create table chat_objects (
      owner_id ${text} not null,
      session_id ${text} not null,
      object_id ${text} not null,
      is_hidden ${flag} not null,
      primary key (owner_id, session_id, object_id)
    )${clustered}`,
    'create index chat_objects_by_object on chat_objects (owner_id, object_id, session_id)',
    `create index chat_objects_hidden on chat_objects (owner_id, session_id) where is_hidden = 1`,
    `insert into chat_objects (owner_id, session_id, object_id, is_hidden)
      select r.owner_id, r.session_id, r.object_id, max(coalesce(o.is_hidden, 0))
      from (${objectsOfMessages(types)}) r
      left join objects o on o.owner_id = r.owner_id and o.id = r.object_id
      where r.object_id is not null group by r.owner_id, r.session_id, r.object_id`,
    `update chat_sessions set is_hidden = 1 where exists (select 1 from chat_objects c
      where c.owner_id = chat_sessions.owner_id and c.session_id = chat_sessions.id
        and c.is_hidden = 1)`,
    // Counted again, since sessions with hidden objects are counted apart.
    `delete from list_counts where list = 'chats'`,
    ...[`'*'`, 'folder'].map(
      (folder) => `insert into list_counts (owner_id, list, part, n)
        select owner_id, 'chats', ${folder} || '/' || kind || '/' || pinned ||
          case is_hidden when 1 then '/hidden' else '' end as part, count(*)
        from chat_sessions group by owner_id, ${folder === 'folder' ? 'folder, ' : ''}kind, pinned, is_hidden`,
    ),
  ];
};
