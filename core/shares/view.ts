import type { StoredObject } from '../../ports/objects.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Share, ShareKind } from '../../ports/shares.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

/**
 * What a visitor meets now. `open`: the content. `locked`: a password. `expired` and `suspended`: nothing. A suspended
 * share is open or locked again when its file is shown or restored.
 */
export const SHARE_STATES = ['open', 'locked', 'expired', 'suspended'] as const;
export type ShareState = (typeof SHARE_STATES)[number];

/** Why a share is not open. */
export const SHARE_STATE_REASONS = ['password', 'expiry', 'hidden', 'in_trash'] as const;
export type ShareStateReason = (typeof SHARE_STATE_REASONS)[number];

/** A share as its owner sees it. */
export interface ShareView {
  readonly share: Share;
  readonly resourceName: string;
  readonly state: ShareState;
  /** null for an open one. */
  readonly stateReason: ShareStateReason | null;
  /** Shown once, when it is created. */
  readonly token: string | null;
  /** '' if the token is not shown. */
  readonly url: string;
}

type ViewStores = Pick<Stores, 'objects' | 'collections'>;

export async function viewsOf(
  { objects, collections }: ViewStores,
  shares: readonly Share[],
  now: Instant,
): Promise<readonly ShareView[]> {
  const ids = (input: ShareKind) =>
    shares.flatMap(({ kind, resourceId }) => (kind === input ? [resourceId] : []));
  const files = new Map(
    (await objects.findMany(ids('file'))).map((object) => [object.id, object] as const),
  );
  const folders = await collections.names(ids('folder'));
  return shares.map((share) => {
    const file = share.kind === 'file' ? files.get(share.resourceId) : undefined;
    return {
      share,
      resourceName: file?.filename ?? folders.get(share.resourceId) ?? '',
      ...stateOf(share, file, now),
      token: null,
      url: '',
    };
  });
}

export async function viewOf(stores: ViewStores, share: Share, now: Instant): Promise<ShareView> {
  const [view] = await viewsOf(stores, [share], now);
  return (
    view ?? { share, resourceName: '', ...stateOf(share, undefined, now), token: null, url: '' }
  );
}

/** The reason that lasts longest is given: an expired share stays expired when its file is restored. */
export function stateOf(
  { expiresAt, passwordHash }: Pick<Share, 'expiresAt' | 'passwordHash'>,
  file: Pick<StoredObject, 'isHidden' | 'deletedAt'> | undefined,
  now: Instant,
): Pick<ShareView, 'state' | 'stateReason'> {
  if (expiresAt !== null && expiresAt <= now) return { state: 'expired', stateReason: 'expiry' };
  if (file?.isHidden) return { state: 'suspended', stateReason: 'hidden' };
  if (file && file.deletedAt !== null) return { state: 'suspended', stateReason: 'in_trash' };
  if (passwordHash !== null) return { state: 'locked', stateReason: 'password' };
  return { state: 'open', stateReason: null };
}
