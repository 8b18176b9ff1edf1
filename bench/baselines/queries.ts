import type { ParsedUrlQuery } from 'node:querystring';

/** One statement, with `?` for each of its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** The name is looked up only for the rows of the page. */
const LIST = `select o.*, (select name from collections c
  where c.owner_id = o.owner_id and c.id = o.folder) as collection_name from objects o`;

/** The facets of a list as columns of both tables. */
function conditionsOf(query: ParsedUrlQuery): Map<string, string | number> {
  const requested = (name: string) => query[name] as string | undefined;
  const conditions = new Map<string, string | number>([
    ['trashed', requested('trashed') === 'true' ? 1 : 0],
    ['is_hidden', 0],
  ]);
  const kind =
    requested('kind') ?? (requested('notes_only') ? 'note' : requested('is_link') && 'link');
  if (requested('collection_id')) conditions.set('folder', requested('collection_id') ?? '');
  if (requested('uncategorized')) conditions.set('folder', '');
  if (requested('doc_type')) conditions.set('doc_type', requested('doc_type') ?? '');
  if (kind) conditions.set('kind', kind);
  return conditions;
}

/** A page of a list, with one additional row, using the indexes of the service. */
export function pageStatement(ownerId: string, query: ParsedUrlQuery, limit: number): Statement {
  const conditions = conditionsOf(query);
  const cursor = query['cursor'] as string | undefined;
  const [at = '', id = ''] = cursor
    ? Buffer.from(cursor, 'base64url').toString('latin1').split('.').slice(-2)
    : [];
  const parts = [...conditions.keys()].map((column) => ` and o.${column} = ?`);
  const after = cursor ? ' and (o.created_at, o.id) < (?, ?)' : '';
  return {
    text: `${LIST} where o.owner_id = ?${parts.join('')}${after}
      order by o.created_at desc, o.id desc limit ? offset ?`,
    values: [
      ...[ownerId, ...conditions.values()],
      ...(cursor ? [Number(at), id] : []),
      ...[limit + 1, cursor ? 0 : Number(query['offset'] ?? 0)],
    ],
  };
}

/** The exact number of objects of a list, from the rows of counters. */
export function totalStatement(ownerId: string, query: ParsedUrlQuery): Statement {
  const conditions = conditionsOf(query);
  if (!conditions.has('folder')) conditions.set('folder', '*');
  if (!conditions.has('kind') && !conditions.has('doc_type')) conditions.set('kind', '*');
  const parts = [...conditions.keys()].map((column) => ` and ${column} = ?`);
  const all = conditions.has('kind') ? '' : " and kind <> '*'";
  return {
    text: `select coalesce(sum(n), 0) as n from object_counts where owner_id = ?${parts.join('')}${all}`,
    values: [ownerId, ...conditions.values()],
  };
}

export const ONE = `${LIST} where o.owner_id = ? and o.id = ?`;
export const VERSION = 'select updated_at from objects where owner_id = ? and id = ?';
export const TOKEN = 'select owner_id, digest from tokens where prefix = ?';
export const NOTIFICATIONS = `select * from notifications where owner_id = ? and is_hidden = 0
  order by created_at desc, id desc limit ?`;
export const STATE = 'select * from notification_states where owner_id = ?';
export const RENAME = `update objects set filename = ?, name_source = 'user', name_locked = 1,
  suggested_name = null, suggested_reason = null, updated_at = ? where owner_id = ? and id = ?
  returning *, (select name from collections c where c.owner_id = objects.owner_id and c.id = folder) as collection_name`;
