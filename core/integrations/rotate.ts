import type { Accounts } from '../../ports/identity.ts';
import { INTEGRATION_KINDS } from '../../ports/integrations.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';

export interface RotateDeps {
  readonly uow: UnitOfWork<'bots' | 'integrations'>;
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

/** A secret and its location. */
interface Sealed {
  readonly seal: string;
  replace(seal: string): Promise<void>;
}

/** All stores that contain sealed secrets. */
async function sealedOf({
  bots,
  integrations,
}: Pick<Stores, 'bots' | 'integrations'>): Promise<readonly Sealed[]> {
  const sealed: Sealed[] = [];
  for (const kind of INTEGRATION_KINDS) {
    const found = await integrations.find(kind);
    if (found && found.sealedSecret !== null)
      sealed.push({
        seal: found.sealedSecret,
        replace: (sealedSecret) => integrations.put({ ...found, sealedSecret }),
      });
  }
  for (const bucket of await integrations.retired())
    if (bucket.sealedSecret !== null)
      sealed.push({
        seal: bucket.sealedSecret,
        replace: (sealedSecret) => integrations.retire({ ...bucket, sealedSecret }),
      });
  for (const bot of await bots.all())
    sealed.push({
      seal: bot.sealedToken,
      replace: (sealedToken) => bots.save({ ...bot, sealedToken }),
    });
  return sealed;
}

async function rotate(sealer: Sealer, old: Sealer, sealed: Sealed): Promise<keyof Rotation> {
  if (sealer.open(sealed.seal) !== undefined) return 'current';
  const plain = old.open(sealed.seal);
  if (plain === undefined) return 'lost';
  await sealed.replace(sealer.seal(plain));
  return 'rotated';
}
