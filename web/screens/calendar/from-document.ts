import { ROOT } from '../../app/address.ts';

/** A place in a document that an event is from. */
export interface DocumentSource {
  readonly objectId: string;
  /** A path of the app. */
  readonly path: string;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ADDRESS = new RegExp(`https?://[^\\s/]+(${ROOT}/object/(${UUID})(?:#t=\\d{1,9}-\\d{1,9})?)`);

export interface Described {
  /** The description without the address. */
  readonly words: string;
  readonly source: DocumentSource | undefined;
}

/** Events from documents have the document's address in their description. */
export function describedBy(description: string): Described {
  const found = ADDRESS.exec(description);
  const [address, path, objectId] = found ?? [];
  if (address === undefined || path === undefined || objectId === undefined)
    return { words: description.trim(), source: undefined };
  return { words: description.replace(address, '').trim(), source: { objectId, path } };
}

export const descriptionOf = (words: string, path: string): string =>
  `${words}\n${new URL(path, location.origin).href}`.trim();
