import type { Accounts } from '../../ports/identity.ts';
import { INTEGRATION_KINDS, type Integration } from '../../ports/integrations.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';

export interface RotateDeps {
  readonly uow: UnitOfWork<'integrations'>;
  readonly accounts: Pick<Accounts, 'listOwners'>;
  /** Of the new key. */
  readonly sealer: Sealer;
}

export interface Rotation {
  /** Secrets that are sealed anew. */
  readonly rotated: number;
  /** Secrets that were sealed under the new key already. */
  readonly current: number;
  /** Secrets that neither key opens; they stay as they are. */
  readonly lost: number;
}

const OWNERS_AT_ONCE = 500;

/** Seals every secret that the old key opens under the new one, owner by owner. Repeating it changes nothing more. */
export async function rotateSecrets(deps: RotateDeps, old: Sealer): Promise<Rotation> {
  const counts = { rotated: 0, current: 0, lost: 0 };
  for (let offset = 0; ; offset += OWNERS_AT_ONCE) {
    const { items, total } = await deps.accounts.listOwners(OWNERS_AT_ONCE, offset);
    for (const { id, tenantId } of items) {
      const scope = { tenantId, ownerId: id };
      if ((await deps.uow.read(scope, sealedOf)).length === 0) continue;
      await deps.uow.write(scope, async (stores) => {
        for (const sealed of await sealedOf(stores))
          counts[await rotate(deps.sealer, old, sealed, stores)]++;
      });
    }
    if (offset + items.length >= total || items.length === 0) return counts;
  }
}

type Sealed = Integration & { readonly sealedSecret: string };

async function sealedOf({ integrations }: Pick<Stores, 'integrations'>): Promise<Sealed[]> {
  const sealed: Sealed[] = [];
  for (const kind of INTEGRATION_KINDS) {
    const found = await integrations.find(kind);
    if (found && found.sealedSecret !== null)
      sealed.push({ ...found, sealedSecret: found.sealedSecret });
  }
  return sealed;
}

async function rotate(
  sealer: Sealer,
  old: Sealer,
  sealed: Sealed,
  { integrations }: Pick<Stores, 'integrations'>,
): Promise<keyof Rotation> {
  if (sealer.open(sealed.sealedSecret) !== undefined) return 'current';
  const plain = old.open(sealed.sealedSecret);
  if (plain === undefined) return 'lost';
  await integrations.put({ ...sealed, sealedSecret: sealer.seal(plain) });
  return 'rotated';
}
