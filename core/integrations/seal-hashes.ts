import type { Directory } from '../../ports/directory.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { forEachOwner } from '../shared/for-each-owner.ts';
import { hashesOf, type SealedStores } from './sealed-secrets.ts';

export interface SealHashesDeps {
  readonly uow: UnitOfWork<SealedStores>;
  readonly directory: Pick<Directory, 'ownersWithUnsealedHashes'>;
  readonly scheduler: Scheduler;
  readonly sealer: Sealer;
}

/**
 * Seals the hashes of PINs and of passwords of shares that an earlier version stored, of all owners. Returns their number.
 * An owner whose rows cannot be changed does not stop the others; the first error is thrown at the end.
 */
export async function sealStoredHashes(
  { uow, directory, scheduler, sealer }: SealHashesDeps,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  let sealed = 0;
  await forEachOwner(scheduler, {
    find: (limit) => directory.ownersWithUnsealedHashes(limit),
    shouldContinue,
    run: async (scope) => {
      sealed += await uow.write(scope, async (stores) => {
        const plain = (await hashesOf(stores)).filter(({ isPlain }) => isPlain);
        for (const hash of plain) await hash.replace(sealer.seal(hash.value));
        return plain.length;
      });
    },
  });
  return sealed;
}
