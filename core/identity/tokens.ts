import type { Token, TokenAccess } from '../../ports/identity.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { newBearer } from './token-format.ts';

const DAY_MS = 86_400_000;
/** A prefix collides once in 10^14 attempts. Several collisions in a row mean that the random source is broken. */
const PREFIX_TRIES = 5;

export interface TokenDeps {
  readonly uow: UnitOfWork<'tokens' | 'idempotency'>;
  readonly digests: SecretDigest;
  readonly random: RandomSource;
  readonly clock: Clock;
}

export interface NewToken {
  readonly name: string;
  readonly expiresInDays?: number;
  readonly access?: TokenAccess;
}

/** A token with its secret, which is returned only once. */
export interface IssuedToken {
  readonly token: Token;
  readonly bearer: string;
}

/** A new token that is not stored yet. */
export function makeToken(
  deps: Pick<TokenDeps, 'digests' | 'random' | 'clock'>,
  { name, expiresInDays, access = 'full' }: NewToken,
): IssuedToken {
  const { prefix, bearer } = newBearer(deps.random);
  const createdAt = deps.clock.now();
  const token: Token = {
    id: deps.random.uuid(),
    name,
    prefix,
    digest: deps.digests.digest(bearer),
    access,
    createdAt,
    expiresAt: expiresInDays === undefined ? null : createdAt + expiresInDays * DAY_MS,
  };
  return { token, bearer };
}

export async function createToken(
  deps: TokenDeps,
  caller: Caller,
  input: NewToken,
): Promise<IssuedToken> {
  return issue(deps, caller.scope, input, caller);
}

/** The same for the operator, who acts for any owner. */
export async function issueToken(
  deps: TokenDeps,
  scope: OwnerScope,
  input: NewToken,
): Promise<IssuedToken> {
  return issue(deps, scope, input);
}

async function issue(
  deps: TokenDeps,
  scope: OwnerScope,
  input: NewToken,
  caller?: Caller,
): Promise<IssuedToken> {
  return deps.uow.write(scope, async (stores) => {
    for (let attempt = 0; attempt < PREFIX_TRIES; attempt++) {
      const issued = makeToken(deps, input);
      if (!(await stores.tokens.add(issued.token))) continue;
      return caller ? saveResponse(stores, deps.clock, caller, issued) : issued;
    }
    throw new Error('No free token prefix was found.');
  });
}

export async function listTokens(
  deps: Pick<TokenDeps, 'uow'>,
  caller: Caller,
  { limit, offset }: PageRequest,
): Promise<Page<Token>> {
  return deps.uow.read(caller.scope, ({ tokens }) => tokens.page(limit, offset));
}

/** Takes effect immediately in every process, since token lookups are not cached. */
export async function revokeToken(
  deps: Pick<TokenDeps, 'uow'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const removed = await deps.uow.write(caller.scope, ({ tokens }) => tokens.remove(id));
  if (!removed) throw notFound();
}
