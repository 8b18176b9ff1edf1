import type { StoredObject } from '../../ports/objects.ts';
import type { ObjectText } from '../../ports/texts.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import {
  thumbnailOf,
  unsupportedType,
  type ReadableContent,
  type ThumbnailDeps,
} from '../objects/index.ts';
import {
  requireHost,
  requireUnlocked,
  type EntranceDeps,
  type EntranceStores,
  type HostDeps,
  type Visitor,
} from './entrance.ts';
import { requireShown, shownObjects, type SharedResource } from './resource.ts';

/** UTF-16 units of a text that are shown before it is downloaded. */
const MOST_TEXT = 65_536;

/** One object that a share shows, with the beginning of its text. */
export interface SharedPreview {
  readonly object: StoredObject;
  /** Null where there is none, or none yet. */
  readonly text: string | null;
  /** False where the text goes on. */
  readonly textComplete: boolean;
  /** It is still being read, and may have a text later. */
  readonly textAwaited: boolean;
  /** Ids of what comes before and after it in the list, where the asker knew its place there. */
  readonly newer: string | null;
  readonly older: string | null;
}

export interface LookAtSharedDeps extends EntranceDeps, HostDeps {
  readonly uow: UnitOfWork<keyof EntranceStores | 'texts'>;
}

/** `at` is its place in the list, from 0, as far as known. Ends with `not_found` and `password_required`. */
export async function lookAtShared(
  deps: LookAtSharedDeps,
  visitor: Visitor,
  token: string,
  objectId: string,
  at?: number,
): Promise<SharedPreview> {
  const { scope, shareId } = await requireHost(deps, token);
  return deps.uow.read(scope, async (stores) => {
    const { resource } = await requireUnlocked(deps, stores, shareId, visitor);
    const object = await requireShown(stores, resource, objectId);
    const { text } = await stores.texts.find(objectId);
    const own = textOf(object, text);
    return {
      object,
      text: own === undefined ? null : beginningOf(own),
      textComplete: own === undefined || own.length <= MOST_TEXT,
      textAwaited: own === undefined && /^(pending|processing)$/.test(object.status),
      ...(await besides(stores, resource, objectId, at)),
    };
  });
}

/** Nothing where the list has moved on since: what came in or went would lead to the wrong ones. */
async function besides(
  stores: EntranceStores,
  resource: SharedResource,
  id: string,
  at: number | undefined,
): Promise<Pick<SharedPreview, 'newer' | 'older'>> {
  if (at === undefined) return { newer: null, older: null };
  const offset = Math.max(0, at - 1);
  const { items } = await shownObjects(stores, resource, { limit: 3, offset });
  const here = at - offset;
  if (items[here]?.id !== id) return { newer: null, older: null };
  return { newer: items[here - 1]?.id ?? null, older: items[here + 1]?.id ?? null };
}

/**
 * What the bytes say that a visitor may have anyway, and no more: not what the owner wrote over it, not the text of an
 * earlier version, and of a link its address alone, for the page behind it may have been read from where others can not.
 */
function textOf(
  { kind, version, sourceUrl }: StoredObject,
  text: ObjectText | undefined,
): string | undefined {
  if (kind === 'link') return sourceUrl ?? undefined;
  return text?.version === version && text.text.trim() !== '' ? text.text : undefined;
}

const beginningOf = (text: string): string =>
  text.length <= MOST_TEXT ? text : text.slice(0, MOST_TEXT).replace(/[\ud800-\udbff]$/, '');

export interface SharedThumbnailDeps extends ThumbnailDeps, EntranceDeps, HostDeps {
  readonly uow: UnitOfWork<keyof EntranceStores | 'thumbnails' | 'links' | 'zoneLock'>;
}

/**
 * A small webp of an object that a share shows. Ends with `not_found`, `password_required`, and `unsupported_type` where
 * there is none, as of links, whose picture is not in their bytes.
 */
export async function readSharedThumbnail(
  deps: SharedThumbnailDeps,
  visitor: Visitor,
  token: string,
  objectId: string,
  longestSide: number,
): Promise<ReadableContent> {
  const { scope, shareId } = await requireHost(deps, token);
  const object = await deps.uow.read(scope, async (stores) => {
    const { resource } = await requireUnlocked(deps, stores, shareId, visitor);
    return requireShown(stores, resource, objectId);
  });
  if (object.kind === 'link') throw unsupportedType();
  return deps.turns(`thumbnail/${objectId}/${longestSide}`, () =>
    thumbnailOf(deps, scope, object, longestSide),
  );
}
