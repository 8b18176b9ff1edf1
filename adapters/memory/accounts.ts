import type { Accounts } from '../../ports/identity.ts';
import type { MemoryDatabase } from './database.ts';
import { byCodePoint, cut } from './order.ts';

export function memoryAccounts({ tenants, owners }: MemoryDatabase): Accounts {
  const byName = (name: string) => [...tenants.values()].find((tenant) => tenant.name === name);
  return {
    addTenant: async (tenant) => {
      if (byName(tenant.name)) return false;
      if (tenants.has(tenant.id)) throw new Error('A tenant with this id already exists.');
      tenants.set(tenant.id, Object.freeze({ ...tenant }));
      return true;
    },
    findTenant: async (idOrName) => tenants.get(idOrName) ?? byName(idOrName),
    addOwner: async (owner) => {
      if (!tenants.has(owner.tenantId)) throw new Error('An owner belongs to a tenant.');
      if (owners.has(owner.id)) throw new Error('An owner with this id already exists.');
      owners.set(owner.id, Object.freeze({ ...owner }));
    },
    findOwner: async (id) => owners.get(id),
    listOwners: async (limit, offset) =>
      cut(
        [...owners.values()].sort((a, b) => a.createdAt - b.createdAt || byCodePoint(a.id, b.id)),
        { limit, offset },
      ),
  };
}
