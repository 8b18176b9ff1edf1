import type { Directory } from '../../ports/directory.ts';
import type { Accounts, Owner } from '../../ports/identity.ts';
import type { OneTimeSecrets } from '../../ports/sign-in.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { OperatorError } from '../identity/index.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { signInFailed } from './errors.ts';
import {
  startSession,
  type SignInOrigin,
  type SignedIn,
  type StartSessionDeps,
} from './start-session.ts';

/** How long a link can be used. */
export const LINK_MS = 30 * 60_000;
/** Unused links of one owner. One more replaces the one that expires first. */
export const MAX_LINKS = 5;
const MAX_LINKS_OF_ALL_OWNERS = 10_000;
const CODE_BYTES = 32;
/** 32 random bytes as base64url. */
const CODE = /^[A-Za-z0-9_-]{43}$/;
const OWNERS_PER_QUERY = 500;

export interface LinkDeps extends StartSessionDeps {
  readonly accounts: Pick<Accounts, 'findOwner' | 'listOwners'>;
  readonly directory: Pick<Directory, 'account'>;
  readonly oneTimeSecrets: Pick<OneTimeSecrets, 'add' | 'consume'>;
  readonly uow: UnitOfWork<'sessions' | 'securityEvents' | 'notifications'>;
}

/** The code of a link, which exists only here and in the link. */
export interface SignInLink {
  readonly owner: Owner;
  readonly code: string;
  readonly expiresAt: number;
}

/** For the operator: a link that signs an owner in once. Earlier links remain valid. `who` is the owner's id or name. */
export async function createSignInLink(
  deps: Pick<LinkDeps, 'accounts' | 'oneTimeSecrets' | 'random' | 'clock' | 'digests'>,
  who: string,
): Promise<SignInLink> {
  const owner = (await deps.accounts.findOwner(who)) ?? (await ownerByName(deps, who));
  const code = deps.random.secret(CODE_BYTES);
  const expiresAt = deps.clock.now() + LINK_MS;
  await deps.oneTimeSecrets.add(
    {
      digest: deps.digests.digest(code),
      purpose: 'link',
      ownerId: owner.id,
      payload: '',
      expiresAt,
    },
    MAX_LINKS_OF_ALL_OWNERS,
    MAX_LINKS,
  );
  return { owner, code, expiresAt };
}

/** Names are not unique. */
async function ownerByName({ accounts }: Pick<LinkDeps, 'accounts'>, who: string): Promise<Owner> {
  const name = who.normalize('NFC').trim();
  const found: Owner[] = [];
  for (let offset = 0; ; offset += OWNERS_PER_QUERY) {
    const { items } = await accounts.listOwners(OWNERS_PER_QUERY, offset);
    found.push(...items.filter((owner) => owner.name === name));
    if (items.length < OWNERS_PER_QUERY) break;
  }
  const [first, second] = found;
  if (!first) throw new OperatorError(`There is no owner ${JSON.stringify(who)}.`);
  if (second)
    throw new OperatorError(
      `There are ${found.length} owners named ${JSON.stringify(name)}. Use the id: \`owner list\` prints it.`,
    );
  return first;
}

/**
 * Signs in by the code of a link. The code is consumed before the session is stored: if the process dies in between, the
 * link is void and no session exists.
 */
export async function signInByLink(
  deps: LinkDeps,
  { code, ...origin }: { readonly code: string } & SignInOrigin,
): Promise<SignedIn> {
  if (!CODE.test(code)) throw signInFailed();
  const digest = deps.digests.digest(code);
  const link = await deps.oneTimeSecrets.consume(digest, 'link', deps.clock.now());
  const ownerId = link?.ownerId ?? null;
  const account = ownerId === null ? undefined : await deps.directory.account(ownerId);
  if (!account) throw signInFailed();
  const { owner } = account;
  return deps.uow.write(scopeOf(owner), (stores) =>
    startSession(deps, stores, owner, { ...origin, method: 'link' }),
  );
}
