import type { LinkPicture, LinkPreview } from '../../ports/links.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { WebPageMetadata } from '../../ports/text-extraction.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Findings } from '../enrichment/index.ts';
import { nameFromPageTitle, releaseContent, retainContent } from '../objects/index.ts';
import type { TaskNudge } from '../tasks/index.ts';
import type { FoundPage } from './read-link.ts';

/** An object after its page was fetched. */
interface Told {
  readonly object: StoredObject;
  readonly nudges: readonly TaskNudge[];
  /** The blob that was written for the preview image and is not needed. */
  readonly unusedBlobId: string | null;
}

/** Replaces the metadata of the page. */
export async function putPreview(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: Pick<Stores, 'links' | 'contents' | 'blobLocations' | 'tasks'>,
  object: StoredObject,
  found: FoundPage,
): Promise<Told> {
  const { finalUrl, facts, picture } = found;
  const earlier = await stores.links.find(object.id);
  let image: LinkPicture | null = null;
  let unusedBlobId: string | null = null;
  if (picture) {
    const { sha256, size, blobId } = picture.blob;
    // Retained before the earlier one is released, since both may be the same.
    const retained = await retainContent(deps, stores, { sha256, size, blobId }, object.isHidden);
    image = { ...retained.content, mime: picture.mime };
    unusedBlobId = retained.unusedBlobId;
  }
  await stores.links.put({
    objectId: object.id,
    finalUrl,
    title: facts.title,
    siteName: facts.siteName,
    description: facts.description,
    image,
    fetchedAt: deps.clock.now(),
  });
  return {
    object: afterFetching(object, found, earlier),
    nudges: earlier?.image ? await releaseContent(deps, stores, earlier.image.sha256) : [],
    unusedBlobId,
  };
}

/** The page's own metadata takes precedence over findings in its text. */
export function fromPageMetadata(
  findings: Findings,
  { title, description }: WebPageMetadata,
): Findings {
  return {
    ...findings,
    title: title || findings.title,
    description: description || findings.description,
    summary: description || findings.summary,
  };
}

/** The page's metadata replaces its earlier metadata only, not values set by the owner. */
function afterFetching(
  object: StoredObject,
  { facts }: FoundPage,
  earlier: LinkPreview | undefined,
): StoredObject {
  const follows = facts.title !== '' && object.nameSource === 'original' && !object.nameLocked;
  return {
    ...object,
    title: replaced(object.title, earlier?.title, facts.title),
    ...(follows && { filename: nameFromPageTitle(facts.title) }),
  };
}

const replaced = (present: string, earlier: string | undefined, next: string): string =>
  next !== '' && (present === '' || present === earlier) ? next : present;
