import type { Directory } from '../../ports/directory.ts';
import type { AccountRoles, RoleLimits } from '../../ports/identity.ts';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Share } from '../../ports/shares.ts';
import type { Clock } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import { limitsOf } from '../identity/index.ts';
import { notFound } from '../shared/common-errors.ts';
import { passwordRequired } from './errors.ts';
import { requireResource, type ResourceStores, type SharedResource } from './resource.ts';

/** Somebody without an account who comes by a link. */
export interface Visitor {
  /** Where the request came from. */
  readonly address: string;
  /** What an unlocking answered with, as sent. */
  readonly access?: string;
  /** False for whoever asks for the headers alone. */
  readonly counts: boolean;
}

/** Whose share a token opens, and what that owner may. */
export interface ShareHost {
  readonly scope: OwnerScope;
  readonly limits: RoleLimits;
  readonly shareId: string;
}

export interface HostDeps {
  readonly directory: Directory;
  readonly digests: SecretDigest;
  readonly roles: AccountRoles;
}

/** Looked up anew on every request, so that a revocation takes hold at once on every process. */
export async function requireHost(deps: HostDeps, token: string): Promise<ShareHost> {
  const found = await deps.directory.ownerOfShare(deps.digests.digest(token));
  if (!found) throw notFound();
  const { shareId, owner } = found;
  return {
    scope: { tenantId: owner.tenantId, ownerId: owner.id },
    limits: limitsOf(deps.roles, owner.role),
    shareId,
  };
}

export interface EntranceDeps {
  readonly digests: SecretDigest;
  readonly clock: Clock;
}

export type EntranceStores = ResourceStores & Pick<Stores, 'shares'>;

/** A share that is not over, with what it shows. */
export interface OpenShare {
  readonly share: Share;
  readonly resource: SharedResource;
}

/** Ends with `not_found` alone, for whatever reason. */
export async function requireShare(
  { clock }: Pick<EntranceDeps, 'clock'>,
  stores: EntranceStores,
  shareId: string,
): Promise<OpenShare> {
  const share = await stores.shares.find(shareId);
  const resource = await requireResource(stores, share, clock.now());
  // A share that is not there has no resource.
  if (!share) throw notFound();
  return { share, resource };
}

/** Whether a visitor may see beyond the name of a share: it has no password, or the visitor has told it. */
export async function isUnlocked(
  { digests, clock }: EntranceDeps,
  { shares }: Pick<Stores, 'shares'>,
  { id, passwordHash }: Share,
  { access }: Visitor,
): Promise<boolean> {
  if (passwordHash === null) return true;
  if (access === undefined) return false;
  const held = await shares.findAccess(id, digests.digest(access));
  return held !== undefined && held.expiresAt > clock.now();
}

/** The same for whatever lies beneath a share's own address. Ends with `not_found` or `password_required`. */
export async function requireUnlocked(
  deps: EntranceDeps,
  stores: EntranceStores,
  shareId: string,
  visitor: Visitor,
): Promise<OpenShare> {
  const open = await requireShare(deps, stores, shareId);
  if (!(await isUnlocked(deps, stores, open.share, visitor))) throw passwordRequired();
  return open;
}
