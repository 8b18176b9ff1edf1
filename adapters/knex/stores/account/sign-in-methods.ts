import { foldName } from '../../../../ports/library.ts';
import type {
  OidcLink,
  Passkey,
  SignInMethodStore,
  StoredPassword,
} from '../../../../ports/sign-in.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, json, plain, recordMap } from '../../record-mapper.ts';
import { placeholders, upsertText, type Sql, type Value } from '../../sql.ts';

const PASSWORD = recordMap<StoredPassword>({
  sealedHash: plain('sealed_hash'),
  setAt: plain('set_at'),
});
const OIDC_LINK = recordMap<OidcLink>({
  issuer: plain('issuer'),
  subject: plain('subject'),
  linkedAt: plain('linked_at'),
});
export const PASSKEY = recordMap<Passkey>({
  id: plain('id'),
  credentialId: plain('credential_id'),
  publicKey: plain('public_key'),
  counter: plain('counter'),
  transports: json('transports'),
  isBackupEligible: flag('is_backup_eligible'),
  isBackedUp: flag('is_backed_up'),
  name: plain('name'),
  createdAt: plain('created_at'),
  lastUsedAt: plain('last_used_at'),
});
const GET_PASSWORD = `select ${PASSWORD.columns.join(', ')} from passwords where owner_id = ?`;
const SET_PASSWORD = upsertText(
  'passwords',
  ['owner_id', 'folded_name', ...PASSWORD.columns],
  ['owner_id'],
);
const GET_LINK = `select ${OIDC_LINK.columns.join(', ')} from oidc_links where owner_id = ?`;
const ADD_LINK = `insert into oidc_links (owner_id, ${OIDC_LINK.columns.join(', ')})
  values (${placeholders(OIDC_LINK.columns.length + 1)}) on conflict (issuer, subject) do nothing`;
const PASSKEY_COLUMNS = PASSKEY.columns.join(', ');
const ADD_PASSKEY = `insert into passkeys (owner_id, ${PASSKEY_COLUMNS})
  values (${placeholders(PASSKEY.columns.length + 1)}) on conflict (credential_id) do nothing`;
const SAVE_PASSKEY = `update passkeys set ${PASSKEY.columns.map((column) => `${column} = ?`).join(', ')}
  where owner_id = ? and id = ?`;

type Row = Record<string, Value>;

/** Returns `false` if an owner has the subject. */
export const addOidcLink = async (sql: Sql, ownerId: string, link: OidcLink): Promise<boolean> =>
  (await sql.run(ADD_LINK, [ownerId, ...OIDC_LINK.values(link)])) > 0;

export function knexSignInMethods(sql: Sql, { ownerId }: OwnerScope): SignInMethodStore {
  const get = (text: string, ...more: readonly Value[]) => sql.get<Row>(text, [ownerId, ...more]);
  const oidc = async () => {
    const row = await get(GET_LINK);
    return row && OIDC_LINK.from(row);
  };
  const unlinkOidc = () => sql.run('delete from oidc_links where owner_id = ?', [ownerId]);
  const addLink = (link: OidcLink) => addOidcLink(sql, ownerId, link);
  return {
    password: async () => {
      const row = await get(GET_PASSWORD);
      return row && PASSWORD.from(row);
    },
    setPassword: async (password) => {
      if (!password)
        return sql.enqueueChange('delete from passwords where owner_id = ?', [ownerId]);
      const owner = await sql.get<{ name: string }>('select name from owners where id = ?', [
        ownerId,
      ]);
      if (!owner) throw new Error('A password belongs to an owner.');
      await sql.enqueueChange(SET_PASSWORD, [
        ownerId,
        foldName(owner.name),
        ...PASSWORD.values(password),
      ]);
    },
    oidc,
    linkOidc: async (link) => {
      const previous = await oidc();
      // A conflict with the owner's previous link is none.
      if (previous) await unlinkOidc();
      if (await addLink(link)) return true;
      if (previous) await addLink(previous);
      return false;
    },
    unlinkOidc: async () => (await unlinkOidc()) > 0,
    passkeys: async () => {
      const rows = await sql.all<Row>(
        `select ${PASSKEY_COLUMNS} from passkeys where owner_id = ? order by created_at, id`,
        [ownerId],
      );
      return rows.map(PASSKEY.from);
    },
    findPasskey: async (id) => {
      const row = await get(
        `select ${PASSKEY_COLUMNS} from passkeys where owner_id = ? and id = ?`,
        id,
      );
      return row && PASSKEY.from(row);
    },
    addPasskey: async (passkey) =>
      (await sql.run(ADD_PASSKEY, [ownerId, ...PASSKEY.values(passkey)])) > 0,
    savePasskey: (passkey) =>
      sql.enqueueChange(SAVE_PASSKEY, [...PASSKEY.values(passkey), ownerId, passkey.id]),
    removePasskey: async (id) =>
      (await sql.run('delete from passkeys where owner_id = ? and id = ?', [ownerId, id])) > 0,
  };
}
