import { expect } from 'chai';
import { requireOtherMethod, type RemovedMethod } from '../../core/sign-in/index.ts';
import type { Credential } from '../../core/shared/caller.ts';
import type { SignInMethodStore } from '../../ports/sign-in.ts';
import { codeOf, somePasskey } from './password-fixture.ts';

const ISSUER = 'https://id.test';

interface Stored {
  readonly hasPassword: boolean;
  readonly passkeys: number;
  readonly issuer: string | null;
}

const keys = [somePasskey(), somePasskey()];

const storeOf = ({ hasPassword, passkeys, issuer }: Stored) =>
  ({
    password: () => Promise.resolve(hasPassword ? { sealedHash: '', setAt: 1 } : undefined),
    passkeys: () => Promise.resolve(keys.slice(0, passkeys)),
    oidc: () => Promise.resolve(issuer === null ? undefined : { issuer, subject: '', linkedAt: 1 }),
  }) as unknown as SignInMethodStore;

/** Every combination of the values. */
const combinations = <T extends object>(values: { [K in keyof T]: readonly T[K][] }): T[] =>
  Object.entries<readonly unknown[]>(values).reduce<T[]>(
    (all, [name, each]) => all.flatMap((one) => each.map((value) => ({ ...one, [name]: value }))),
    [{} as T],
  );

describe('the last way to sign in', () => {
  const removals: readonly RemovedMethod[] = [
    { kind: 'password' },
    { kind: 'oidc' },
    { kind: 'passkey', id: keys[0]?.id ?? '' },
  ];
  const removed = (
    credential: 'session' | 'token',
    each: Stored,
    removal: RemovedMethod,
    offered: { hasPasskeys: boolean; oidcIssuer: string | null },
  ) =>
    codeOf(
      requireOtherMethod(
        { signInMethods: storeOf(each) },
        { credential: { kind: credential } as unknown as Credential },
        removal,
        offered,
      ),
    );

  it('is kept by sessions, and only what the installation offers counts', async () => {
    for (const { removal, hasPasskeys, oidcIssuer, ...stored } of combinations<
      Stored & { removal: RemovedMethod; hasPasskeys: boolean; oidcIssuer: string | null }
    >({
      hasPassword: [true, false],
      passkeys: [0, 1, 2],
      issuer: [null, ISSUER, 'https://former.test'],
      hasPasskeys: [true, false],
      oidcIssuer: [null, ISSUER],
      removal: removals,
    })) {
      const left = [
        stored.hasPassword && removal.kind !== 'password',
        hasPasskeys && stored.passkeys > (removal.kind === 'passkey' ? 1 : 0),
        stored.issuer === ISSUER && oidcIssuer === ISSUER && removal.kind !== 'oidc',
      ].some(Boolean);
      const offered = { hasPasskeys, oidcIssuer };
      const what = JSON.stringify({ removal, stored, offered });
      expect(await removed('session', stored, removal, offered), what).to.equal(
        left ? 'ok' : 'last_sign_in',
      );
      expect(await removed('token', stored, removal, offered), what).to.equal('ok');
    }
  });
});
