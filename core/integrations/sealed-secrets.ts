import { INTEGRATION_KINDS } from '../../ports/integrations.ts';
import { isUnsealedHash } from '../../ports/secrets.ts';
import type { Share } from '../../ports/shares.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

/** All stores that contain sealed secrets. */
export type SealedStores = 'bots' | 'integrations' | 'pinLock' | 'shares' | 'signInMethods';

/** A secret and its location. */
export interface Sealed {
  readonly value: string;
  /** A hash from before hashes were sealed. */
  readonly isPlain: boolean;
  replace(sealed: string): Promise<void>;
}

const SHARES_PER_PAGE = 500;

/** Every secret of an owner that is sealed, or ought to be. */
export async function sealedOf(stores: Pick<Stores, SealedStores>): Promise<readonly Sealed[]> {
  return [...(await connectionsOf(stores)), ...(await hashesOf(stores))];
}

async function connectionsOf({
  bots,
  integrations,
}: Pick<Stores, SealedStores>): Promise<readonly Sealed[]> {
  const secrets: Sealed[] = [];
  const add = (value: string | null, replace: Sealed['replace']) => {
    if (value !== null) secrets.push({ value, isPlain: false, replace });
  };
  for (const kind of INTEGRATION_KINDS) {
    const found = await integrations.find(kind);
    if (found)
      add(found.sealedSecret, (sealedSecret) => integrations.put({ ...found, sealedSecret }));
  }
  for (const bucket of await integrations.retired())
    add(bucket.sealedSecret, (sealedSecret) => integrations.retire({ ...bucket, sealedSecret }));
  for (const bot of await bots.all())
    add(bot.sealedToken, (sealedToken) => bots.save({ ...bot, sealedToken }));
  return secrets;
}

/** Hashes of what people chose: without the key they cannot be guessed. */
export async function hashesOf({
  pinLock,
  shares,
  signInMethods,
}: Pick<Stores, SealedStores>): Promise<readonly Sealed[]> {
  const hashes: Sealed[] = [];
  const add = (value: string, replace: Sealed['replace']) => {
    hashes.push({ value, isPlain: isUnsealedHash(value), replace });
  };
  const password = await signInMethods.password();
  if (password)
    add(password.sealedHash, (sealedHash) =>
      signInMethods.setPassword({ ...password, sealedHash }),
    );
  const lock = await pinLock.get();
  if (lock) add(lock.pinHash, (pinHash) => pinLock.put({ ...lock, pinHash }));
  for (const share of await allShares(shares))
    if (share.passwordHash !== null)
      add(share.passwordHash, (passwordHash) => shares.save({ ...share, passwordHash }));
  return hashes;
}

async function allShares(shares: Stores['shares']): Promise<readonly Share[]> {
  const all: Share[] = [];
  for (;;) {
    const request = { limit: SHARES_PER_PAGE, offset: all.length };
    const { items } = await shares.page({ sight: 'any' }, request);
    all.push(...items);
    if (items.length < SHARES_PER_PAGE) return all;
  }
}
