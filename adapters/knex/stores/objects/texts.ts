import type { ObjectText, TextCorrection, TextPages, TextStore } from '../../../../ports/texts.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap, saveText } from '../../record-mapper.ts';
import { selectByIds, type Sql, type Value } from '../../sql.ts';

const TEXT = recordMap<ObjectText>({
  objectId: plain('object_id'),
  version: plain('version'),
  source: plain('source'),
  language: plain('language'),
  text: plain('text'),
  pages: json('pages'),
});
const CORRECTION = recordMap<TextCorrection>({
  objectId: plain('object_id'),
  text: plain('text'),
  language: plain('language'),
  savedAt: plain('saved_at'),
});
const PAGES = recordMap<TextPages>({
  objectId: plain('object_id'),
  version: plain('version'),
  pages: json('pages'),
});
const PUT = saveText('object_texts', TEXT, ['object_id']);
const PUT_CORRECTION = saveText('text_corrections', CORRECTION, ['object_id']);

export function knexTexts(sql: Sql, { ownerId }: OwnerScope): TextStore {
  const find = (table: string, columns: readonly string[], objectId: string) =>
    sql.get<Record<string, Value>>(
      `select ${columns.join(', ')} from ${table} where owner_id = ? and object_id = ?`,
      [ownerId, objectId],
    );
  const remove = (table: string, objectId: string) =>
    sql.run(`delete from ${table} where owner_id = ? and object_id = ?`, [ownerId, objectId]);
  return {
    find: async (objectId) => {
      const text = await find('object_texts', TEXT.columns, objectId);
      const correction = await find('text_corrections', CORRECTION.columns, objectId);
      return {
        ...(text && { text: TEXT.from(text) }),
        ...(correction && { correction: CORRECTION.from(correction) }),
      };
    },
    pages: async (objectIds) => {
      const rows = await selectByIds<Record<string, Value>>(
        sql,
        (ids) => `select ${PAGES.columns.join(', ')} from object_texts t
          where owner_id = ? and object_id in (${ids}) and not exists (select 1 from text_corrections c
            where c.owner_id = t.owner_id and c.object_id = t.object_id)`,
        [ownerId],
        objectIds,
      );
      return rows.map(PAGES.from);
    },
    put: (text) => sql.enqueueChange(PUT, [ownerId, ...TEXT.values(text)]),
    putCorrection: (correction) =>
      sql.enqueueChange(PUT_CORRECTION, [ownerId, ...CORRECTION.values(correction)]),
    removeCorrection: async (objectId) => void (await remove('text_corrections', objectId)),
    remove: async (objectId) => {
      await remove('object_texts', objectId);
      await remove('text_corrections', objectId);
    },
  };
}
