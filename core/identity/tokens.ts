import {
  TOKEN_SCOPES,
  type Token,
  type TokenAccess,
  type TokenScope,
} from '../../ports/identity.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import {
  OPERATOR,
  recordSecurityEvent,
  sourceOf,
  type SecurityEventDeps,
} from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { forbidden, notFound } from '../shared/common-errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { mayStoreHistory, scopesOf } from './authenticate.ts';
import type { LastUse } from './last-use.ts';
import { requireStoredCredential } from './credential.ts';
import { tokenCreated, tokenRevoked } from './token-events.ts';
import { newBearer } from './token-format.ts';

const DAY_MS = 86_400_000;
/** Lifetime of a token that is created without one. */
export const DEFAULT_TOKEN_DAYS = 365;
/** A prefix collides once in 10^14 attempts. Several collisions in a row mean that the random source is broken. */
const PREFIX_TRIES = 5;

export interface TokenDeps {
  readonly uow: UnitOfWork<
    'sessions' | 'tokens' | 'collections' | 'idempotency' | 'securityEvents'
  >;
  readonly digests: SecretDigest;
  readonly random: RandomSource;
  readonly clock: Clock;
}

export interface NewToken {
  readonly name: string;
  /** `DEFAULT_TOKEN_DAYS` by default; null: it never expires. */
  readonly expiresInDays?: number | null;
  /** Either this or `scopes`; `full` by default. */
  readonly access?: TokenAccess;
  /** At least one. */
  readonly scopes?: readonly TokenScope[];
  /** The folders that it is bound to, at least one; by default it is bound to none. */
  readonly folderIds?: readonly string[];
}

/** A token with its secret, which is returned only once. */
export interface IssuedToken {
  readonly token: Token;
  readonly bearer: string;
}

/** A new token that is not stored yet. */
export function makeToken(
  deps: Pick<TokenDeps, 'digests' | 'random' | 'clock'>,
  { name, expiresInDays = DEFAULT_TOKEN_DAYS, access, scopes, folderIds }: NewToken,
): IssuedToken {
  const { prefix, bearer } = newBearer(deps.random);
  const createdAt = deps.clock.now();
  const token: Token = {
    id: deps.random.uuid(),
    name,
    prefix,
    digest: deps.digests.digest(bearer),
    access: scopes ? accessOf(scopes) : (access ?? 'full'),
    scopes: scopes ? TOKEN_SCOPES.filter((scope) => scopes.includes(scope)) : null,
    folderIds: folderIds ?? null,
    createdAt,
    expiresAt: expiresInDays === null ? null : createdAt + expiresInDays * DAY_MS,
    lastUsedAt: null,
    lastUsedNetwork: null,
  };
  return { token, bearer };
}

/** What a program that knows `access` only may expect of a token with these scopes. */
const accessOf = (scopes: readonly TokenScope[]): TokenAccess =>
  TOKEN_SCOPES.every((scope) => scopes.includes(scope)) ? 'full' : 'read';

/**
 * Creates a token with at most the rights of the caller. Ends with `forbidden` for more, and with `not_found` if a folder
 * does not exist.
 */
export async function createToken(
  deps: TokenDeps,
  caller: Caller,
  input: NewToken,
): Promise<IssuedToken> {
  return issue(deps, caller.scope, input, caller);
}

/** The same for the operator, who acts for any owner and has every right. */
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
    if (caller) {
      requireWithin(caller, input);
      await requireStoredCredential(deps, stores, caller);
    }
    for (const id of input.folderIds ?? []) await requireFolder(stores, id);
    for (let attempt = 0; attempt < PREFIX_TRIES; attempt++) {
      const issued = makeToken(deps, input);
      if (!(await stores.tokens.add(issued.token))) continue;
      const source = caller ? sourceOf(caller) : OPERATOR;
      await recordSecurityEvent(deps, stores, source, tokenCreated(issued.token));
      return caller ? saveResponse(stores, deps.clock, caller, issued) : issued;
    }
    throw new Error('No free token prefix was found.');
  });
}

/** Rights can only be passed on. A caller that is bound to folders creates no tokens: see `FOLDER_ACCESS`. */
function requireWithin(caller: Caller, input: NewToken): void {
  const rights = { scopes: input.scopes ?? null, access: input.access ?? 'full' };
  const requested = scopesOf(rights);
  const missing = TOKEN_SCOPES.find((scope) => requested.has(scope) && !caller.scopes.has(scope));
  if (missing !== undefined)
    throw forbidden(
      {},
      undefined,
      `This token can not create one with the scope \`${missing}\`, which it does not have.`,
    );
  if (!caller.mayStoreHistory && mayStoreHistory(rights))
    throw forbidden({}, undefined, 'This token can not create one that stores conversations.');
}

/** Uses up to now are included. */
export async function listTokens(
  deps: Pick<TokenDeps, 'uow'> & { readonly lastUse: Pick<LastUse, 'flush'> },
  caller: Caller,
  { limit, offset }: PageRequest,
): Promise<Page<Token>> {
  await deps.lastUse.flush(caller.scope.ownerId);
  return deps.uow.read(caller.scope, ({ tokens }) => tokens.page(limit, offset));
}

/** Takes effect immediately in every process, since token lookups are not cached. */
export async function revokeToken(
  deps: Pick<TokenDeps, 'uow'> & SecurityEventDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    const token = await stores.tokens.find(id);
    if (!token) throw notFound();
    await stores.tokens.remove(id);
    await recordSecurityEvent(deps, stores, sourceOf(caller), tokenRevoked(token));
  });
}
