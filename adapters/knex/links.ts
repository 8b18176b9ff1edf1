import type { LinkPreview, LinkStore } from '../../ports/links.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { json, plain, recordMap, saveText } from './record.ts';
import type { Sql, Value } from './sql.ts';

const PREVIEW = recordMap<LinkPreview>({
  objectId: plain('object_id'),
  finalUrl: plain('final_url'),
  title: plain('title'),
  siteName: plain('site_name'),
  description: plain('description'),
  image: json('image'),
  fetchedAt: plain('fetched_at'),
});
const COLUMNS = PREVIEW.columns.join(', ');
const PUT = saveText('link_previews', PREVIEW, ['object_id']);
const OF_OBJECT = 'from link_previews where owner_id = ? and object_id = ?';

export function knexLinks(sql: Sql, { ownerId }: OwnerScope): LinkStore {
  const one = async (text: string, objectId: string) => {
    const [row] = await sql.all<Record<string, Value>>(text, [ownerId, objectId]);
    return row && PREVIEW.from(row);
  };
  return {
    find: (objectId) => one(`select ${COLUMNS} ${OF_OBJECT}`, objectId),
    put: async (preview) => void (await sql.run(PUT, [ownerId, ...PREVIEW.values(preview)])),
    remove: (objectId) => one(`delete ${OF_OBJECT} returning ${COLUMNS}`, objectId),
  };
}
