import type { Page, PageRequest } from '../../ports/paging.ts';
import type { PasswordHasher } from '../../ports/secrets.ts';
import type { Share, ShareFilter, ShareKind, ShareRole } from '../../ports/shares.ts';
import type { RandomSource, Instant } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { canSee, zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { findVisible, inTrash } from '../objects/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import { requireStoredCredential } from '../identity/index.ts';
import { recordSecurityEvent, shareEvent, sourceOf } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { InvalidInput } from '../shared/errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { hiddenNotShareable, tooManyShares } from './errors.ts';
import { normalizePassword } from './password.ts';
import { isShown } from './resource.ts';
import { changesOf, termFacts, termsOf } from './security-events.ts';
import { viewOf, viewsOf, type ShareView } from './view.ts';

const TOKEN_BYTES = 32;
const PREFIX_LENGTH = 6;
const DAY_MS = 86_400_000;
/** Limit for one owner, counting the shares that the caller can see. */
const MAX_SHARES = 5_000;
/**
 * Limit for one owner, counting all shares. The limit above must not reveal to a locked caller how many shares of hidden
 * objects exist. This wider one bounds them; only an owner with many thousands of hidden shares reaches it.
 */
const MAX_SHARES_WITH_HIDDEN = 10 * MAX_SHARES;
const DEFAULT_MAX_UPLOAD_BYTES = 2 ** 30;
const DEFAULT_MAX_UPLOAD_FILES = 500;

type ManageStores = Pick<
  Stores,
  | 'shares'
  | 'objects'
  | 'collections'
  | 'pinLock'
  | 'idempotency'
  | 'securityEvents'
  | 'sessions'
  | 'tokens'
>;

export interface ManageDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof ManageStores>;
  readonly random: RandomSource;
  readonly passwords: PasswordHasher;
  /** Where the service is reached, without a slash at its end. */
  readonly publicUrl: () => string;
}

export interface NewShare {
  readonly kind: ShareKind;
  readonly resourceId: string;
  readonly role: ShareRole;
  readonly name: string;
  readonly password?: string;
  readonly expiresInDays?: number;
  /** Quota of the contributors' uploads; defaults if absent. */
  readonly maxUploadBytes?: number;
  readonly maxUploadFiles?: number;
}

/**
 * Creates a link to a folder or a file. Its token is random and returned only once.
 *
 * Ends with `not_found`, `in_trash`, `is_hidden` and `too_many_shares`.
 */
export async function createShare(
  deps: ManageDeps,
  caller: Caller,
  input: NewShare,
): Promise<ShareView> {
  requireRoleOf(input.kind, input.role);
  const passwordHash = input.password === undefined ? null : await hashOf(deps, input.password);
  const token = deps.random.secret(TOKEN_BYTES);
  const now = deps.clock.now();
  const share = newShare(input, now, {
    id: deps.random.uuid(),
    prefix: token.slice(0, PREFIX_LENGTH),
    digest: deps.digests.digest(token),
    passwordHash,
  });
  return deps.uow.write(caller.scope, async (stores) => {
    await requireStoredCredential(deps, stores, caller);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    await requireCreatable(stores, zone, share);
    await stores.shares.save(share);
    const event = shareEvent(share, 'created', `was created: ${termsOf(share)}`, termFacts(share));
    await recordSecurityEvent(deps, stores, sourceOf(caller), event);
    const view = await viewOf(stores, share, now);
    const url = `${deps.publicUrl()}/v1/public/shares/${token}`;
    return saveResponse(stores, deps.clock, caller, { ...view, token, url });
  });
}

/** The share that a request creates. */
export const newShare = (
  input: NewShare,
  now: Instant,
  over: Pick<Share, 'id' | 'prefix' | 'digest' | 'passwordHash'>,
): Share => ({
  kind: input.kind,
  resourceId: input.resourceId,
  role: input.role,
  name: input.name,
  expiresAt: expiryIn(input.expiresInDays ?? null, now),
  accessCount: 0,
  uploadCount: 0,
  uploadedBytes: 0,
  maxUploadBytes: input.maxUploadBytes ?? DEFAULT_MAX_UPLOAD_BYTES,
  maxUploadFiles: input.maxUploadFiles ?? DEFAULT_MAX_UPLOAD_FILES,
  createdAt: now,
  updatedAt: now,
  ...over,
});

/** Newest first. While the zone is locked, shares of hidden objects are excluded, from all counts as well. */
export async function listShares(
  deps: ManageDeps,
  caller: Caller,
  { limit, offset, ...filter }: PageRequest & Omit<ShareFilter, 'sight'>,
): Promise<Page<ShareView>> {
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const page = await stores.shares.page({ ...filter, sight: sightOf(zone) }, { limit, offset });
    return { items: await viewsOf(stores, page.items, deps.clock.now()), total: page.total };
  });
}

export async function getShare(deps: ManageDeps, caller: Caller, id: string): Promise<ShareView> {
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    return viewOf(stores, await findShare(stores, zone, id), deps.clock.now());
  });
}

export interface ShareEdit {
  readonly name?: string;
  readonly role?: ShareRole;
  /** '' removes it. */
  readonly password?: string;
  /** From now on; null for no expiry. */
  readonly expiresInDays?: number | null;
  /** null for the default. */
  readonly maxUploadBytes?: number | null;
  readonly maxUploadFiles?: number | null;
}

/** Changes the given fields. After a new password, visitors have to enter it again. */
export async function editShare(
  deps: ManageDeps,
  caller: Caller,
  id: string,
  { name, role, password, expiresInDays, maxUploadBytes, maxUploadFiles }: ShareEdit,
): Promise<ShareView> {
  const passwordHash = password ? await hashOf(deps, password) : null;
  return deps.uow.write(caller.scope, async (stores) => {
    await requireStoredCredential(deps, stores, caller);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const share = await findShare(stores, zone, id);
    const now = deps.clock.now();
    if (role !== undefined) requireRoleOf(share.kind, role);
    const edited: Share = {
      ...share,
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
      ...(password !== undefined && { passwordHash }),
      ...(expiresInDays !== undefined && { expiresAt: expiryIn(expiresInDays, now) }),
      ...(maxUploadBytes !== undefined && {
        maxUploadBytes: maxUploadBytes ?? DEFAULT_MAX_UPLOAD_BYTES,
      }),
      ...(maxUploadFiles !== undefined && {
        maxUploadFiles: maxUploadFiles ?? DEFAULT_MAX_UPLOAD_FILES,
      }),
      updatedAt: now,
    };
    await stores.shares.save(edited);
    if (password !== undefined) await stores.shares.closeAccesses(id);
    const changes = changesOf(share, edited, password !== undefined);
    if (changes.length > 0) {
      const effect = `was changed (${changes.join(', ')}): ${termsOf(edited)}`;
      const facts = { ...termFacts(edited), changes };
      const event = shareEvent(edited, 'changed', effect, facts);
      await recordSecurityEvent(deps, stores, sourceOf(caller), event);
    }
    return viewOf(stores, edited, now);
  });
}

/** Takes effect immediately in every process, since share lookups are not cached. */
export async function revokeShare(deps: ManageDeps, caller: Caller, id: string): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const share = await findShare(stores, zone, id);
    await stores.shares.remove(id);
    const event = shareEvent(share, 'revoked', 'was revoked');
    await recordSecurityEvent(deps, stores, sourceOf(caller), event);
  });
}

/** The share, or the same `not_found` for a missing or foreign one, or one of a concealed object. */
export async function findShare(
  { shares, objects }: Pick<Stores, 'shares' | 'objects'>,
  zone: Zone,
  id: string,
): Promise<Share> {
  const share = await shares.find(id);
  if (!share) throw notFound();
  const object = share.kind === 'file' ? await objects.find(share.resourceId) : undefined;
  if (object && !canSee(object, zone)) throw notFound();
  return share;
}

/** Ends as the creation does: with `not_found`, `in_trash`, `is_hidden` and `too_many_shares`. */
export async function requireCreatable(
  stores: Pick<Stores, 'objects' | 'collections' | 'shares'>,
  zone: Zone,
  share: Share,
): Promise<void> {
  await requireShareable(stores, zone, share);
  await requireFewShares(stores, zone);
}

async function requireShareable(
  stores: Pick<Stores, 'objects' | 'collections'>,
  zone: Zone,
  { kind, resourceId }: Share,
): Promise<void> {
  if (kind === 'folder') return requireFolder(stores, resourceId);
  const object = await findVisible(stores, zone, resourceId);
  if (!isShown(object)) throw object.deletedAt !== null ? inTrash() : hiddenNotShareable();
}

async function requireFewShares({ shares }: Pick<Stores, 'shares'>, zone: Zone): Promise<void> {
  const count = async (sight: ShareFilter['sight']) =>
    (await shares.page({ sight }, { limit: 1, offset: 0 })).total;
  if ((await count(sightOf(zone))) >= MAX_SHARES || (await count('any')) >= MAX_SHARES_WITH_HIDDEN)
    throw tooManyShares();
}

const sightOf = (zone: Zone): ShareFilter['sight'] => (zone === 'closed' ? 'visible' : 'any');

const hashOf = ({ passwords }: Pick<ManageDeps, 'passwords'>, password: string): Promise<string> =>
  passwords.hash(normalizePassword(password));

/** A file accepts no uploads. */
export function requireRoleOf(kind: ShareKind, role: ShareRole): void {
  if (kind === 'file' && role === 'contributor')
    throw new InvalidInput('body', 'role', 'a share of a file cannot accept uploads');
}

const expiryIn = (days: number | null, now: Instant): Instant | null =>
  days === null ? null : now + days * DAY_MS;
