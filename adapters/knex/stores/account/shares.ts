import {
  MAX_SHARE_ACCESSES,
  type Share,
  type ShareAccess,
  type ShareCount,
  type ShareFilter,
  type ShareStore,
  type PasswordAttempts,
} from '../../../../ports/shares.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap, saveText } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

const SHARE = recordMap<Share>({
  id: plain('id'),
  kind: plain('kind'),
  resourceId: plain('resource_id'),
  role: plain('role'),
  name: plain('name'),
  prefix: plain('prefix'),
  digest: plain('digest'),
  passwordHash: plain('password_hash'),
  expiresAt: plain('expires_at'),
  accessCount: plain('access_count'),
  uploadCount: plain('upload_count'),
  uploadedBytes: plain('uploaded_bytes'),
  maxUploadBytes: plain('max_upload_bytes'),
  maxUploadFiles: plain('max_upload_files'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const ACCESS = recordMap<ShareAccess>({
  shareId: plain('share_id'),
  digest: plain('digest'),
  expiresAt: plain('expires_at'),
});
const TRIES = recordMap<PasswordAttempts>({
  shareId: plain('share_id'),
  visitor: plain('visitor'),
  attemptTimes: json('attempt_times'),
  reservedAt: plain('reserved_at'),
  expiresAt: plain('expires_at'),
});
const COLUMNS = SHARE.columns.join(', ');
const SAVE = saveText('shares', SHARE, ['id']);
const FIND = `select ${COLUMNS} from shares where owner_id = ? and id = ?`;
const ADD_ACCESS = saveText('share_accesses', ACCESS, ['share_id', 'digest']);
const FIND_ACCESS = `select ${ACCESS.columns.join(', ')} from share_accesses
  where owner_id = ? and share_id = ? and digest = ?`;
const PUT_TRIES = saveText('share_password_attempts', TRIES, ['share_id', 'visitor']);
const FIND_TRIES = `select ${TRIES.columns.join(', ')} from share_password_attempts
  where owner_id = ? and share_id = ? and visitor = ?`;
const DROP_TRIES =
  'delete from share_password_attempts where owner_id = ? and share_id = ? and visitor = ?';

/** Tables of rows that belong to a share and expire, each with the column that identifies a row of a share. */
const BESIDE = [
  { table: 'share_accesses', key: 'digest' },
  { table: 'share_password_attempts', key: 'visitor' },
] as const;

const COUNTED: Readonly<Record<ShareCount, string>> = {
  access: 'access_count',
  upload: 'upload_count',
  bytes: 'uploaded_bytes',
};

const OF_HIDDEN = `(s.kind = 'file' and exists (select 1 from objects o
  where o.owner_id = s.owner_id and o.id = s.resource_id and o.is_hidden = 1))`;

type Row = Record<string, Value>;

export function knexShares(sql: Sql, { ownerId }: OwnerScope): ShareStore {
  const dropBeside = async (shareIds: readonly string[]) => {
    for (const { table } of BESIDE)
      await sql.enqueueChange(
        `delete from ${table} where owner_id = ? and share_id in (${placeholders(shareIds.length)})`,
        [ownerId, ...shareIds],
      );
  };
  const keepLastAccesses = (shareId: string) =>
    sql.run(
      `delete from share_accesses where owner_id = ? and share_id = ? and digest in (
         select digest from share_accesses where owner_id = ? and share_id = ?
         order by expires_at desc, digest desc limit ? offset ?)`,
      [ownerId, shareId, ownerId, shareId, MAX_SHARE_ACCESSES, MAX_SHARE_ACCESSES],
    );
  return {
    save: (share) => sql.enqueueChange(SAVE, [ownerId, ...SHARE.values(share)]),
    find: async (id) => {
      const row = await sql.get<Row>(FIND, [ownerId, id]);
      return row && SHARE.from(row);
    },
    page: async (filter, { limit, offset }) => {
      const { where, values } = conditions(filter);
      const wanted = [ownerId, ...values];
      const rows = await sql.all<Row>(
        `select ${COLUMNS} from shares s where s.owner_id = ?${where}
         order by s.created_at desc, s.id desc limit ? offset ?`,
        [...wanted, limit, offset],
      );
      const row = await sql.get<{ n: number }>(
        `select count(*) as n from shares s where s.owner_id = ?${where}`,
        wanted,
      );
      return { items: rows.map(SHARE.from), total: row?.n ?? 0 };
    },
    count: async (id, what, by) => {
      const column = COUNTED[what];
      const [row] = await sql.all<{ n: number }>(
        `update shares set ${column} = ${column} + ? where owner_id = ? and id = ?
         returning ${column} as n`,
        [by, ownerId, id],
      );
      return row?.n;
    },
    remove: async (id) => {
      await dropBeside([id]);
      return (await sql.run('delete from shares where owner_id = ? and id = ?', [ownerId, id])) > 0;
    },
    removeOf: async (kind, resourceId) => {
      const rows = await sql.all<{ id: string }>(
        'delete from shares where owner_id = ? and resource_id = ? and kind = ? returning id',
        [ownerId, resourceId, kind],
      );
      for (const { id } of rows) await dropBeside([id]);
    },
    addAccess: async (access) => {
      await sql.enqueueChange(ADD_ACCESS, [ownerId, ...ACCESS.values(access)]);
      await keepLastAccesses(access.shareId);
    },
    findAccess: async (shareId, digest) => {
      const row = await sql.get<Row>(FIND_ACCESS, [ownerId, shareId, digest]);
      return row && ACCESS.from(row);
    },
    closeAccesses: (shareId) =>
      sql.enqueueChange('delete from share_accesses where owner_id = ? and share_id = ?', [
        ownerId,
        shareId,
      ]),
    attempts: async (shareId, visitor) => {
      const row = await sql.get<Row>(FIND_TRIES, [ownerId, shareId, visitor]);
      return row && TRIES.from(row);
    },
    saveAttempts: async (tries) => {
      const { shareId, visitor, attemptTimes, reservedAt } = tries;
      if (attemptTimes.length === 0 && reservedAt === null)
        return void (await sql.enqueueChange(DROP_TRIES, [ownerId, shareId, visitor]));
      await sql.enqueueChange(PUT_TRIES, [ownerId, ...TRIES.values(tries)]);
    },
    removeExpired: async (before, limit) => {
      for (const { table, key } of BESIDE)
        await sql.enqueueChange(
          `delete from ${table} where owner_id = ? and (share_id, ${key}) in (
             select share_id, ${key} from ${table} where owner_id = ? and expires_at < ? limit ?)`,
          [ownerId, ownerId, before, limit],
        );
    },
  };
}

/** The folder of a share: its resource, or that of its object. */
const FOLDER_OF = `case s.kind when 'folder' then s.resource_id else
  (select o.folder from objects o where o.owner_id = s.owner_id and o.id = s.resource_id) end`;

function conditions({ sight, kind, resourceId, collectionIds }: ShareFilter): {
  readonly where: string;
  readonly values: readonly Value[];
} {
  const parts = [
    ...(kind === undefined ? [] : [{ text: 's.kind = ?', value: kind }]),
    ...(resourceId === undefined ? [] : [{ text: 's.resource_id = ?', value: resourceId }]),
  ];
  const texts = [
    ...parts.map(({ text }) => text),
    ...(collectionIds?.length === 0 ? ['1 = 0'] : []),
    ...(collectionIds?.length ? [`${FOLDER_OF} in (${placeholders(collectionIds.length)})`] : []),
    ...(sight === 'any' ? [] : [`not ${OF_HIDDEN}`]),
  ];
  return {
    where: texts.map((text) => ` and ${text}`).join(''),
    values: [...parts.map(({ value }) => value), ...(collectionIds ?? [])],
  };
}
