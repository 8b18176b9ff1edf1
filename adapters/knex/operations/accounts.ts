import type { Accounts, Owner, Tenant } from '../../../ports/identity.ts';
import type { Database } from '../database.ts';
import { plain, recordMap } from '../record-mapper.ts';
import { addOidcLink } from '../stores/account/sign-in-methods.ts';
import { placeholders, type Sql, type Value } from '../sql.ts';

export const TENANT = recordMap<Tenant>({
  id: plain('id'),
  name: plain('name'),
  createdAt: plain('created_at'),
});
export const OWNER = recordMap<Owner>({
  id: plain('id'),
  tenantId: plain('tenant_id'),
  name: plain('name'),
  role: plain('role'),
  createdAt: plain('created_at'),
});
const TENANT_COLUMNS = TENANT.columns.join(', ');
const OWNER_COLUMNS = OWNER.columns.join(', ');

type Row = Record<string, Value>;

/** Tenants and owners across all owners: the counterpart of the stores for the operator. */
export function knexAccounts(database: Database): Accounts {
  const insert = (table: string, columns: readonly string[], rest = '') =>
    `insert into ${table} (${columns.join(', ')}) values (${placeholders(columns.length)})${rest}`;
  const write = <T>(work: (sql: Sql) => Promise<T>) => database.write('accounts', work);
  return {
    addTenant: (tenant) =>
      write(async (sql) => {
        const text = insert('tenants', TENANT.columns, ' on conflict (name) do nothing');
        return (await sql.run(text, TENANT.values(tenant))) === 1;
      }),
    findTenant: async (idOrName) => {
      const row = await database.queryOnce((sql) =>
        sql.get<Row>(
          `select ${TENANT_COLUMNS} from tenants where id = ? or name = ?
           order by case when id = ? then 0 else 1 end limit 1`,
          [idOrName, idOrName, idOrName],
        ),
      );
      return row && TENANT.from(row);
    },
    addOwner: (owner) =>
      write(async (sql) => {
        await sql.enqueueChange(insert('owners', OWNER.columns), OWNER.values(owner));
      }),
    addLinkedOwner: (owner, link) =>
      write(async (sql) => {
        if (!(await addOidcLink(sql, owner.id, link))) return false;
        await sql.enqueueChange(insert('owners', OWNER.columns), OWNER.values(owner));
        return true;
      }),
    setRole: (ownerId, role) =>
      write((sql) => sql.enqueueChange('update owners set role = ? where id = ?', [role, ownerId])),
    findOwner: async (id) => {
      const row = await database.queryOnce((sql) =>
        sql.get<Row>(`select ${OWNER_COLUMNS} from owners where id = ?`, [id]),
      );
      return row && OWNER.from(row);
    },
    listOwners: (limit, offset) =>
      database.read(async (sql) => {
        const rows = await sql.all<Row>(
          `select ${OWNER_COLUMNS} from owners order by created_at, id limit ? offset ?`,
          [limit, offset],
        );
        const counted = await sql.get<{ n: number }>('select count(*) as n from owners');
        return { items: rows.map(OWNER.from), total: counted?.n ?? 0 };
      }),
  };
}
