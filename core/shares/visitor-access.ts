import type { Directory } from '../../ports/directory.ts';
import type { AccountRoles, RoleLimits } from '../../ports/identity.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Share } from '../../ports/shares.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import { limitsOf } from '../identity/index.ts';
import { notFound } from '../shared/common-errors.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { passwordRequired } from './errors.ts';
import { requireResource, type ResourceStores, type SharedResource } from './resource.ts';

/** A visitor without an account who follows a link. */
export interface Visitor {
  /** The client address of the request. */
  readonly address: string;
  /** The access token returned by unlocking, as sent. */
  readonly access?: string;
  /** False for a HEAD request. */
  readonly counts: boolean;
}

/** The owner of the share of a token, and the owner's limits. */
export interface ShareOwner {
  readonly scope: OwnerScope;
  readonly limits: RoleLimits;
  readonly shareId: string;
}

export interface ShareOwnerDeps {
  readonly directory: Directory;
  readonly digests: SecretDigest;
  readonly roles: AccountRoles;
}

/** Looked up on every request, so that a revocation takes effect immediately in every process. */
export async function requireShareOwner(deps: ShareOwnerDeps, token: string): Promise<ShareOwner> {
  const found = await deps.directory.ownerOfShare(deps.digests.digest(token));
  if (!found) throw notFound();
  const { shareId, owner } = found;
  return {
    scope: scopeOf(owner),
    limits: limitsOf(deps.roles, owner.role),
    shareId,
  };
}

export interface VisitorDeps {
  readonly digests: SecretDigest;
  readonly clock: Clock;
}

export type VisitorStores = ResourceStores & Pick<Stores, 'shares'>;

/** An active share with its resource. */
export interface OpenShare {
  readonly share: Share;
  readonly resource: SharedResource;
}

/** Ends with `not_found` only, for any reason. */
export async function requireShare(
  { clock }: Pick<VisitorDeps, 'clock'>,
  stores: VisitorStores,
  shareId: string,
): Promise<OpenShare> {
  const share = await stores.shares.find(shareId);
  const resource = await requireResource(stores, share, clock.now());
  // A missing share has no resource.
  if (!share) throw notFound();
  return { share, resource };
}

/** Whether a visitor may see more than the name of a share: it has no password, or the visitor has entered it. */
export async function isUnlocked(
  { digests, clock }: VisitorDeps,
  { shares }: Pick<Stores, 'shares'>,
  { id, passwordHash }: Share,
  { access }: Visitor,
): Promise<boolean> {
  if (passwordHash === null) return true;
  if (access === undefined) return false;
  const held = await shares.findAccess(id, digests.digest(access));
  return held !== undefined && held.expiresAt > clock.now();
}

/** The same for URLs below the share's own. Ends with `not_found` or `password_required`. */
export async function requireUnlocked(
  deps: VisitorDeps,
  stores: VisitorStores,
  shareId: string,
  visitor: Visitor,
): Promise<OpenShare> {
  const open = await requireShare(deps, stores, shareId);
  if (!(await isUnlocked(deps, stores, open.share, visitor))) throw passwordRequired();
  return open;
}
