/** Folder of the service's blobs. Its garbage collection deletes blobs without a row. */
export const FOLDER = 'blobs/';
/** Folder of an owner's blobs. An owner's bucket may also be the bucket of this service or of another one. */
export const OWN_FOLDER = 'own-blobs/';
const KEY = /^(?:own-)?blobs\/([\da-f]{2})\/([\da-f-]{36})$/;

/** The folder name is taken from the last two digits of the id, which are random. The first digits are a timestamp. */
export const keyOf = (blobId: string, folder: string): string =>
  `${folder}${blobId.slice(-2)}/${blobId}`;

/** The blob id in a key without the prefix of the bucket; undefined for another folder and for other objects. */
export function blobIdOf(key: string, start: string): string | undefined {
  const [, shard, blobId = ''] = KEY.exec(key) ?? [];
  const isBlob = shard !== undefined && blobId.endsWith(shard);
  return isBlob && key.startsWith(start) ? blobId : undefined;
}

/** The later of the server's timestamp and the one in the id, so that a slow clock never makes a new blob look old. */
export const newestTimestamp = (blobId: string, reported: Date | undefined): number =>
  Math.max(parseInt(blobId.replaceAll('-', '').slice(0, 12), 16), reported?.getTime() || 0);
