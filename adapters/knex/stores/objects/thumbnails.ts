import {
  MAX_THUMBNAILS,
  type Thumbnail,
  type ThumbnailStore,
} from '../../../../ports/thumbnails.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const THUMBNAIL = recordMap<Thumbnail>({
  objectId: plain('object_id'),
  contentHash: plain('content_hash'),
  maxSidePixels: plain('longest_side'),
  blobId: plain('blob_id'),
  sha256: plain('sha256'),
  size: plain('size'),
  createdAt: plain('created_at'),
});
const COLUMNS = THUMBNAIL.columns.join(', ');
const PUT = saveText('thumbnails', THUMBNAIL, ['object_id', 'longest_side']);
const OF_OBJECT = 'from thumbnails where owner_id = ? and object_id = ?';

export function knexThumbnails(sql: Sql, { ownerId }: OwnerScope): ThumbnailStore {
  const blobsOf = async (text: string, values: readonly Value[]) => {
    const rows = await sql.all<{ blob_id: string }>(text, [ownerId, ...values]);
    return rows.map((row) => row.blob_id);
  };
  return {
    find: async (objectId, contentHash, longestSide) => {
      const row = await sql.get<Record<string, Value>>(
        `select ${COLUMNS} ${OF_OBJECT} and longest_side = ? and content_hash = ?`,
        [ownerId, objectId, longestSide, contentHash],
      );
      return row && THUMBNAIL.from(row);
    },
    put: async (thumbnail) => {
      const { objectId, maxSidePixels } = thumbnail;
      const replaced = await blobsOf(`select blob_id ${OF_OBJECT} and longest_side = ?`, [
        objectId,
        maxSidePixels,
      ]);
      await sql.enqueueChange(PUT, [ownerId, ...THUMBNAIL.values(thumbnail)]);
      const others = await sql.all<{ blob_id: string; longest_side: number }>(
        `select blob_id, longest_side ${OF_OBJECT} and longest_side <> ?
         order by created_at desc, longest_side desc`,
        [ownerId, objectId, maxSidePixels],
      );
      const past = others.slice(MAX_THUMBNAILS - 1);
      for (const row of past)
        await sql.enqueueChange(`delete ${OF_OBJECT} and longest_side = ?`, [
          ownerId,
          objectId,
          row.longest_side,
        ]);
      return [...replaced, ...past.map((row) => row.blob_id)].filter(
        (blobId) => blobId !== thumbnail.blobId,
      );
    },
    removeAll: (objectId) => blobsOf(`delete ${OF_OBJECT} returning blob_id`, [objectId]),
  };
}
