import type { Accounts } from '../../ports/identity.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { sealedOf, type Sealed, type SealedStores } from './sealed-secrets.ts';

export interface RotateDeps {
  readonly uow: UnitOfWork<SealedStores>;
  readonly accounts: Pick<Accounts, 'listOwners'>;
  /** Fingerprint of the new key. */
  readonly sealer: Sealer;
}

export interface Rotation {
  /** Secrets that were sealed again. */
  readonly rotated: number;
  /** Secrets that were sealed with the new key already. */
  readonly current: number;
  /** Secrets that neither key opens; they are unchanged. */
  readonly lost: number;
}

const OWNERS_AT_ONCE = 500;

/** Seals every secret that the old key opens with the new one, owner by owner. Idempotent. */
export async function rotateSecrets(deps: RotateDeps, old: Sealer): Promise<Rotation> {
  const counts = { rotated: 0, current: 0, lost: 0 };
  for (let offset = 0; ; offset += OWNERS_AT_ONCE) {
    const { items, total } = await deps.accounts.listOwners(OWNERS_AT_ONCE, offset);
    for (const { id, tenantId } of items) {
      const scope = { tenantId, ownerId: id };
      if ((await deps.uow.read(scope, sealedOf)).length === 0) continue;
      await deps.uow.write(scope, async (stores) => {
        for (const sealed of await sealedOf(stores))
          counts[await rotate(deps.sealer, old, sealed)]++;
      });
    }
    if (offset + items.length >= total || items.length === 0) return counts;
  }
}

async function rotate(sealer: Sealer, old: Sealer, sealed: Sealed): Promise<keyof Rotation> {
  if (!sealed.isPlain && sealer.open(sealed.value) !== undefined) return 'current';
  const plain = sealed.isPlain ? sealed.value : old.open(sealed.value);
  if (plain === undefined) return 'lost';
  await sealed.replace(sealer.seal(plain));
  return 'rotated';
}
