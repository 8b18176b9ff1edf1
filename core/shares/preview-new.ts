import type { DocType, ObjectSummary } from '../../ports/objects.ts';
import type { PageRequest } from '../../ports/paging.ts';
import type { Share } from '../../ports/shares.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { contentsOf, type ShareContents } from './contents.ts';
import { newShare, requireCreatable, requireRoleOf, type NewShare } from './manage.ts';
import { requireResource, shownIn, type SharedResource } from './resource.ts';

/** The types of documents that are rarely meant for others, in the order of their warnings. */
export const SENSITIVE_TYPES = [
  'id_document',
  'medical',
  'bank_statement',
  'tax',
] as const satisfies readonly DocType[];
export type SensitiveType = (typeof SENSITIVE_TYPES)[number];

/** Documents of a sensitive type that visitors would see. */
export interface ShareWarning {
  readonly docType: SensitiveType;
  readonly count: number;
  /** The newest of them. */
  readonly newest: readonly ObjectSummary[];
}

export interface SharePreview {
  /** As `shareContents` returns it after the creation. */
  readonly contents: ShareContents;
  readonly warnings: readonly ShareWarning[];
}

type PreviewStores = Pick<Stores, 'shares' | 'objects' | 'collections' | 'pinLock'>;

export interface PreviewNewShareDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof PreviewStores>;
}

/** As many as a visitor gets without asking for more. */
const PAGE: PageRequest = { limit: 100, offset: 0 };
const MAX_NAMED = 5;
/** In place of a hash: whether there is a password is all that is shown. */
const SOME_PASSWORD = '*';

/**
 * What a visitor would see of a share that is not created. It depends on visible objects only, as for a visitor, so an
 * unlock token changes nothing. Ends as the creation would.
 */
export async function previewNewShare(
  deps: PreviewNewShareDeps,
  caller: Caller,
  input: NewShare,
): Promise<SharePreview> {
  requireRoleOf(input.kind, input.role);
  const now = deps.clock.now();
  const passwordHash = input.password === undefined ? null : SOME_PASSWORD;
  const share: Share = newShare(input, now, { id: '', prefix: '', digest: '', passwordHash });
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    await requireCreatable(stores, zone, share);
    const resource = await requireResource(stores, share, now);
    return {
      contents: await contentsOf(stores, { share, resource }, PAGE),
      warnings: await warningsOf(stores, resource),
    };
  });
}

async function warningsOf(
  { objects }: Pick<Stores, 'objects'>,
  resource: SharedResource,
): Promise<readonly ShareWarning[]> {
  const warnings: ShareWarning[] = [];
  for (const docType of SENSITIVE_TYPES) {
    const { items, total } = await ofType(objects, resource, docType);
    if (total > 0) warnings.push({ docType, count: total, newest: items });
  }
  return warnings;
}

async function ofType(objects: Stores['objects'], resource: SharedResource, docType: DocType) {
  if (resource.kind === 'folder')
    return objects.outlines(
      { ...shownIn(resource.folder), docType },
      { limit: MAX_NAMED, offset: 0 },
    );
  const items = resource.object.docType === docType ? [resource.object] : [];
  return { items, total: items.length };
}
