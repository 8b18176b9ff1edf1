export const FOLDER = 'blobs/';
const KEY = /^blobs\/([\da-f]{2})\/([\da-f-]{36})$/;

/** The last two digits of an id are random; the first ones are its time. */
export const keyOf = (blobId: string): string => `${FOLDER}${blobId.slice(-2)}/${blobId}`;

/** The id in a key without its prefix; undefined for the key of something else. */
export function blobIdOf(key: string): string | undefined {
  const [, shard, blobId = ''] = KEY.exec(key) ?? [];
  return shard !== undefined && blobId.endsWith(shard) ? blobId : undefined;
}

/** The later of the server's clock and of ours, which is in the id: neither being slow makes what is young old. */
export const laterOf = (blobId: string, told: string): number =>
  Math.max(parseInt(blobId.replaceAll('-', '').slice(0, 12), 16), Date.parse(told) || 0);
