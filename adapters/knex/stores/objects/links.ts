import type { LinkPicture, LinkPreview, LinkStore } from '../../../../ports/links.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

/** The picture in columns of its own: its hash is a reference, which has to be seen from outside. */
type Kept = Omit<LinkPreview, 'image'> & {
  readonly [F in keyof LinkPicture as `image_${F}`]: LinkPicture[F] | null;
};

const PREVIEW = recordMap<Kept>({
  objectId: plain('object_id'),
  finalUrl: plain('final_url'),
  title: plain('title'),
  siteName: plain('site_name'),
  description: plain('description'),
  image_sha256: plain('image_sha256'),
  image_blobId: plain('image_blob_id'),
  image_size: plain('image_size'),
  image_mime: plain('image_mime'),
  fetchedAt: plain('fetched_at'),
});
const COLUMNS = PREVIEW.columns.join(', ');
const PUT = saveText('link_previews', PREVIEW, ['object_id']);
const OF_OBJECT = 'from link_previews where owner_id = ? and object_id = ?';

const keptOf = ({ image, ...preview }: LinkPreview): Kept => ({
  ...preview,
  image_sha256: image?.sha256 ?? null,
  image_blobId: image?.blobId ?? null,
  image_size: image?.size ?? null,
  image_mime: image?.mime ?? null,
});

function previewOf(kept: Kept): LinkPreview {
  const {
    image_sha256: sha256,
    image_blobId: blobId,
    image_size: size,
    image_mime: mime,
    ...preview
  } = kept;
  const whole = sha256 !== null && blobId !== null && size !== null && mime !== null;
  return { ...preview, image: whole ? { sha256, blobId, size, mime } : null };
}

export function knexLinks(sql: Sql, { ownerId }: OwnerScope): LinkStore {
  const one = async (text: string, objectId: string) => {
    const [row] = await sql.all<Record<string, Value>>(text, [ownerId, objectId]);
    return row && previewOf(PREVIEW.from(row));
  };
  return {
    find: (objectId) => one(`select ${COLUMNS} ${OF_OBJECT}`, objectId),
    put: (preview) => sql.enqueueChange(PUT, [ownerId, ...PREVIEW.values(keptOf(preview))]),
    remove: (objectId) => one(`delete ${OF_OBJECT} returning ${COLUMNS}`, objectId),
  };
}
