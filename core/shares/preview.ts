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
  requireShareOwner,
  requireUnlocked,
  type VisitorDeps,
  type VisitorStores,
  type ShareOwnerDeps,
  type Visitor,
} from './visitor-access.ts';
import { requireShown, shownObjects, type SharedResource } from './resource.ts';

/** UTF-16 units of a text that are shown before it is downloaded. */
const MAX_TEXT_LENGTH = 65_536;

/** One object of a share, with the beginning of its text. */
export interface SharedPreview {
  readonly object: StoredObject;
  /** Null if there is none, or none yet. */
  readonly text: string | null;
  /** False if the text is longer. */
  readonly textComplete: boolean;
  /** It is being processed, and may have a text later. */
  readonly textAwaited: boolean;
  /** Ids of the previous and next object in the list, if the position is known. */
  readonly newer: string | null;
  readonly older: string | null;
}

export interface PreviewSharedDeps extends VisitorDeps, ShareOwnerDeps {
  readonly uow: UnitOfWork<keyof VisitorStores | 'texts'>;
}

/** `at` is its position in the list, from 0, if known. Ends with `not_found` and `password_required`. */
export async function previewShared(
  deps: PreviewSharedDeps,
  visitor: Visitor,
  token: string,
  objectId: string,
  at?: number,
): Promise<SharedPreview> {
  const { scope, shareId } = await requireShareOwner(deps, token);
  return deps.uow.read(scope, async (stores) => {
    const { resource } = await requireUnlocked(deps, stores, shareId, visitor);
    const object = await requireShown(stores, resource, objectId);
    const { text } = await stores.texts.find(objectId);
    const own = textOf(object, text);
    return {
      object,
      text: own === undefined ? null : beginningOf(own),
      textComplete: own === undefined || own.length <= MAX_TEXT_LENGTH,
      textAwaited: own === undefined && /^(pending|processing)$/.test(object.status),
      ...(await sizeLabel(stores, resource, objectId, at)),
    };
  });
}

/** Undefined if the list has changed since: neighbours would be wrong. */
async function sizeLabel(
  stores: VisitorStores,
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
 * Only the text of the bytes that a visitor may download anyway: not the owner's correction, not the text of an
 * earlier version, and of a link its URL only, since the page may have been read from a place others cannot access.
 */
function textOf(
  { kind, version, sourceUrl }: StoredObject,
  text: ObjectText | undefined,
): string | undefined {
  if (kind === 'link') return sourceUrl ?? undefined;
  return text?.version === version && text.text.trim() !== '' ? text.text : undefined;
}

const beginningOf = (text: string): string =>
  text.length <= MAX_TEXT_LENGTH
    ? text
    : text.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, '');

export interface SharedThumbnailDeps extends ThumbnailDeps, VisitorDeps, ShareOwnerDeps {
  readonly uow: UnitOfWork<keyof VisitorStores | 'thumbnails' | 'links' | 'pinLock'>;
}

/**
 * A WebP thumbnail of an object of a share. Ends with `not_found`, `password_required`, and `unsupported_type` if
 * there is none, as for links, whose image is not in their bytes.
 */
export async function readSharedThumbnail(
  deps: SharedThumbnailDeps,
  visitor: Visitor,
  token: string,
  objectId: string,
  longestSide: number,
): Promise<ReadableContent> {
  const { scope, shareId } = await requireShareOwner(deps, token);
  const object = await deps.uow.read(scope, async (stores) => {
    const { resource } = await requireUnlocked(deps, stores, shareId, visitor);
    return requireShown(stores, resource, objectId);
  });
  if (object.kind === 'link') throw unsupportedType();
  return deps.mutex(`thumbnail/${objectId}/${longestSide}`, () =>
    thumbnailOf(deps, scope, object, longestSide),
  );
}
