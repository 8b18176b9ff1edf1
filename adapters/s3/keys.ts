/** What a service keeps, and sweeps of what it has no rows for. */
export const FOLDER = 'blobs/';
/** What lies in a bucket of an owner's. It may be the place of a service's, of this one or of another. */
export const OWN_FOLDER = 'own-blobs/';
const KEY = /^(?:own-)?blobs\/([\da-f]{2})\/([\da-f-]{36})$/;

/** The last two digits of an id are random; the first ones are its time. */
export const keyOf = (blobId: string, folder: string): string =>
  `${folder}${blobId.slice(-2)}/${blobId}`;

/** The id in a key without its prefix; undefined for one that begins otherwise, and for the key of something else. */
export function blobIdOf(key: string, start: string): string | undefined {
  const [, shard, blobId = ''] = KEY.exec(key) ?? [];
  const isBlob = shard !== undefined && blobId.endsWith(shard);
  return isBlob && key.startsWith(start) ? blobId : undefined;
}

/** The later of the server's clock and of ours, which is in the id: neither being slow makes what is young old. */
export const laterOf = (blobId: string, told: string): number =>
  Math.max(parseInt(blobId.replaceAll('-', '').slice(0, 12), 16), Date.parse(told) || 0);
