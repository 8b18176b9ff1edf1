import type { Instant } from './time-and-ids.ts';

/** The picture a page shows of itself: a content of the owner, retained like that of a version. */
export interface LinkPicture {
  readonly sha256: string;
  readonly blobId: string;
  readonly size: number;
  readonly mime: string;
}

/** What a link's page told of itself when it was last read. */
export interface LinkPreview {
  readonly objectId: string;
  /** Where the page was found after all redirects. */
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
 * - `find` gives back what was put, field for field; putting again replaces; another owner's are out of reach.
 * - `remove` takes a preview away and answers with it, so that its picture can be released; a missing one is no error.
 */
export interface LinkStore {
  find(objectId: string): Promise<LinkPreview | undefined>;
  put(preview: LinkPreview): Promise<void>;
  remove(objectId: string): Promise<LinkPreview | undefined>;
}
