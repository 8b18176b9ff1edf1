import type { Instant } from './runtime.ts';

/** The preview image of a page: a content of the owner, retained like that of a version. */
export interface LinkPicture {
  readonly sha256: string;
  readonly blobId: string;
  readonly size: number;
  readonly mime: string;
}

/** Metadata of a link's page from the last time it was read. */
export interface LinkPreview {
  readonly objectId: string;
  /** The final URL after all redirects. */
  readonly finalUrl: string;
  readonly title: string;
  readonly siteName: string;
  readonly description: string;
  readonly image: LinkPicture | null;
  readonly fetchedAt: Instant;
}

/**
 * The previews of one owner's links.
 *
 * Contract (contract-tests/suites/link-store.ts):
 * - `find` returns what was stored, field for field. A second `put` replaces. Another owner's previews are out of
 *   reach.
 * - `remove` removes a preview and returns it, so that its image can be released. A missing one is not an error.
 */
export interface LinkStore {
  find(objectId: string): Promise<LinkPreview | undefined>;
  put(preview: LinkPreview): Promise<void>;
  remove(objectId: string): Promise<LinkPreview | undefined>;
}
