import type { Account, Directory } from '../../ports/directory.ts';
import type { RandomSource } from '../../ports/runtime.ts';
import type { PasswordHasher, Sealer } from '../../ports/secrets.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { visitorSource } from '../security-events/index.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { signInFailed } from './errors.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import { toOpaqueString } from './password-rules.ts';
import { signInKey, tryPassword, type AttemptDeps } from './sign-in-attempts.ts';
import {
  startSession,
  type SignInOrigin,
  type SignedIn,
  type StartSessionDeps,
  type StartSessionStores,
} from './start-session.ts';

/** The sealed hash of a random password, which no password matches. */
export type DecoyHash = () => Promise<string>;

/** Computed once, at the first use; a failure is not cached. */
export function createDecoyHash({
  accountPasswords,
  random,
  sealer,
}: {
  readonly accountPasswords: PasswordHasher;
  readonly random: RandomSource;
  readonly sealer: Sealer;
}): DecoyHash {
  let decoy: Promise<string> | undefined;
  const make = async () => sealer.seal(await accountPasswords.hash(random.secret(DECOY_BYTES)));
  return () =>
    (decoy ??= make().catch((error: unknown) => {
      decoy = undefined;
      throw error;
    }));
}

const DECOY_BYTES = 32;

export interface PasswordSignInDeps extends AttemptDeps, StartSessionDeps {
  readonly directory: Pick<Directory, 'accountsWithPassword' | 'maxAccountsOfName'>;
  readonly uow: UnitOfWork<keyof StartSessionStores | 'signInMethods'>;
  readonly accountPasswords: PasswordHasher;
  readonly sealer: Sealer;
  readonly failedSignIns: FailedSignIns;
  readonly decoyHash: DecoyHash;
}

export interface PasswordSignIn extends SignInOrigin {
  readonly name: string;
  readonly password: string;
}

/**
 * Signs in by name and password. A name without an account and a wrong password are the same error after the same work: see
 * `findAccount`. Of accounts with the same name and the same password, the one that had it first is signed in.
 *
 * Ends with `sign_in_failed`, and `rate_limited` after ten wrong passwords for a name of one network in 15 minutes. After a
 * hundred of all networks one attempt is checked every five seconds, in the order of reservations. Sessions that exist
 * are not affected.
 */
export async function signInByPassword(
  deps: PasswordSignInDeps,
  { name, password, client, current }: PasswordSignIn,
): Promise<SignedIn> {
  const key = signInKey(deps, name, client.address);
  let accounts: readonly StoredAccount[] = [];
  const account = await tryPassword(deps, key, async () => {
    accounts = await deps.directory.accountsWithPassword(name);
    return findAccount(deps, accounts, toOpaqueString(password));
  });
  if (!account) {
    const failure = {
      source: visitorSource(client.address),
      detail: 'A wrong password was entered.',
      cause: 'wrong_password' as const,
    };
    for (const { owner } of accounts) deps.failedSignIns.add(scopeOf(owner), failure);
    if (accounts.length === 0) deps.failedSignIns.imitate(key.account, failure);
    throw signInFailed();
  }
  const { owner, sealedHash } = account;
  return deps.uow.write(scopeOf(owner), async (stores) => {
    // The owner may have changed the password since the check.
    if ((await stores.signInMethods.password())?.sealedHash !== sealedHash) throw signInFailed();
    return startSession(deps, stores, owner, { method: 'password', client, current });
  });
}

type StoredAccount = Account & { readonly sealedHash: string };

/**
 * The first account with this password. The number of comparisons is the same for every name, also for one without an
 * account: that of the name with the most accounts. The missing ones are made with a decoy, so that the time reveals
 * nothing about a name. All are made, also after a match.
 */
async function findAccount(
  deps: PasswordSignInDeps,
  accounts: readonly StoredAccount[],
  password: string,
): Promise<StoredAccount | undefined> {
  const comparisons = Math.max(1, accounts.length, await deps.directory.maxAccountsOfName());
  const decoy = await deps.decoyHash();
  let found: StoredAccount | undefined;
  for (let i = 0; i < comparisons; i++) {
    const account = accounts[i];
    const hash = deps.sealer.open(account?.sealedHash ?? decoy) ?? deps.sealer.open(decoy) ?? '';
    const isRight = await deps.accountPasswords.matches(password, hash);
    if (isRight && account) found ??= account;
  }
  return found;
}
