import type { Accounts, Owner } from '../../ports/identity.ts';
import type { MemoryDatabase } from './database.ts';
import { byCodePoint, cut } from './order.ts';

export function memoryAccounts(database: MemoryDatabase): Accounts {
  const { tenants, owners } = database;
  const byName = (name: string) => [...tenants.values()].find((tenant) => tenant.name === name);
  const add = (owner: Owner) => {
    if (!tenants.has(owner.tenantId)) throw new Error('An owner belongs to a tenant.');
    if (owners.has(owner.id)) throw new Error('An owner with this id already exists.');
    owners.set(owner.id, Object.freeze({ ...owner }));
  };
  return {
    addTenant: async (tenant) => {
      if (byName(tenant.name)) return false;
      if (tenants.has(tenant.id)) throw new Error('A tenant with this id already exists.');
      tenants.set(tenant.id, Object.freeze({ ...tenant }));
      return true;
    },
    findTenant: async (idOrName) => tenants.get(idOrName) ?? byName(idOrName),
    addOwner: async (owner) => add(owner),
    addLinkedOwner: (owner, link) =>
      database.change(owner.id, async ({ tables }) => {
        const { issuer, subject } = link;
        const isTaken = [...database.states()].some(
          ([
            ,
            {
              tables: { oidcLink },
            },
          ]) =>
            oidcLink.values().some((each) => each.issuer === issuer && each.subject === subject),
        );
        if (isTaken) return false;
        add(owner);
        tables.oidcLink.set('link', Object.freeze({ ...link }));
        return true;
      }),
    setRole: async (ownerId, role) => {
      const owner = owners.get(ownerId);
      if (owner) owners.set(ownerId, Object.freeze({ ...owner, role }));
    },
    findOwner: async (id) => owners.get(id),
    listOwners: async (limit, offset) =>
      cut(
        [...owners.values()].sort((a, b) => a.createdAt - b.createdAt || byCodePoint(a.id, b.id)),
        { limit, offset },
      ),
  };
}
