import { randomUUID } from 'node:crypto';
import type { DomainError } from '../../core/shared/errors.ts';
import type { Caller, Client } from '../../core/shared/caller.ts';
import type { SignedIn } from '../../core/sign-in/index.ts';
import type { PasswordHasher } from '../../ports/secrets.ts';
import type { Passkey } from '../../ports/sign-in.ts';
import type { SecurityEvent } from '../../ports/security-events.ts';
import type { Backend } from '../backends.ts';
import { NO_CLIENT } from '../no-client.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

export const PASSWORD = 'seven crooked umbrellas';
export const MINUTE_MS = 60_000;

export interface Outcome {
  readonly code: string;
  /** Seconds of Retry-After. */
  readonly wait: number;
}

export interface NamedAccount {
  readonly name: string;
  /** By a token. */
  readonly caller: Caller;
}

export const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => ({ code: 'ok', wait: 0 }),
    (error: unknown) => {
      const { code, retryAfter = 0, name } = error as DomainError;
      return { code: code ?? name, wait: retryAfter };
    },
  );

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  outcomeOf(work).then(({ code }) => code);

/** One of 65 536 networks: each address is in a /24 of its own. */
export const network = (i: number): string => `10.${i >> 8}.${i & 255}.9`;

/** A hasher that compares instantly and counts. */
export interface CountingHasher extends PasswordHasher {
  compared: number;
}

export const countingHasher = (): CountingHasher => ({
  compared: 0,
  hash: (password) => Promise.resolve(`hash of ${password}`),
  matches(password, hash) {
    this.compared++;
    return Promise.resolve(hash === `hash of ${password}`);
  },
});

/** The core with accounts that sign in by password. */
export interface PasswordWorld extends CoreFixture {
  readonly hasher: CountingHasher;
  /** A new owner with a name of its own, and with a password unless it is null. */
  account(password?: string | null, name?: string): Promise<NamedAccount>;
  enter(name: string, password: string, address?: string): Promise<SignedIn>;
  trySignIn(name: string, password: string, address?: string): Promise<Outcome>;
  /** The caller of a session. */
  callerOf(signedIn: SignedIn): Promise<Caller>;
  eventsOf(account: Pick<NamedAccount, 'caller'>): Promise<readonly SecurityEvent[]>;
}

let created = 0;

export const somePasskey = (): Passkey => ({
  id: randomUUID(),
  credentialId: randomUUID(),
  publicKey: 'a2V5',
  counter: 0,
  transports: ['internal'],
  isBackupEligible: false,
  isBackedUp: false,
  name: 'laptop',
  createdAt: 1,
  lastUsedAt: null,
});

export async function openPasswordWorld(
  backend: Backend,
  accountPasswords?: PasswordHasher,
): Promise<PasswordWorld> {
  const unique = `${process.pid}-${Math.random()}`;
  const hasher = countingHasher();
  const world = await openCoreFixture(backend, `passwords-${unique}`, {
    accountPasswords: accountPasswords ?? hasher,
  });
  const { core } = world;
  const from = (address: string): Client => ({ ...NO_CLIENT, address });
  const enter: PasswordWorld['enter'] = (name, password, address = '192.0.2.1') =>
    core.signIn.signInByPassword({ name, password, client: from(address) });
  return Object.assign(world, {
    hasher,
    account: async (
      password: string | null = PASSWORD,
      name = `Ada ${++created} ${unique}`,
    ): Promise<NamedAccount> => {
      const { first } = await core.identity.createOwner({ name, tenant: world.caller.tenant.id });
      const caller = await core.identity.authenticate({ bearer: first.bearer }, NO_CLIENT);
      if (password !== null) await core.signIn.setPassword(caller, { password });
      return { name, caller };
    },
    enter,
    trySignIn: (name: string, password: string, address?: string) =>
      outcomeOf(enter(name, password, address)),
    callerOf: ({ secret }: SignedIn) => core.identity.authenticate({ session: secret }, NO_CLIENT),
    eventsOf: ({ caller }: Pick<NamedAccount, 'caller'>) =>
      backend.uow.read(caller.scope, ({ securityEvents }) => securityEvents.chain(0, 1_000)),
  });
}
