import type { Owner } from '../../ports/identity.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';

/** The scope of all data of an owner, without a restriction to folders. */
export const scopeOf = ({ id, tenantId }: Pick<Owner, 'id' | 'tenantId'>): OwnerScope => ({
  tenantId,
  ownerId: id,
});
