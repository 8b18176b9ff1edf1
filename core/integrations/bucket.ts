import type { BucketAddress, BucketCheck, Buckets } from '../../ports/buckets.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { RetiredLocation } from '../../ports/blob-locations.ts';
import type { ConnectionSentence } from '../../ports/reasons.ts';
import type { Sealer } from '../../ports/secrets.ts';
import { CHECK_MS, SEALED_WITH_OTHER_KEY, type Connection } from './connection.ts';

/** Connection settings of a bucket, named as in the API. */
export interface BucketConfig {
  /** http(s)://HOST[:PORT] in its normal form; AWS if absent. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Segments joined by slashes; a trailing slash is allowed. */
  readonly prefix?: string;
  readonly force_path_style?: boolean;
  readonly access_key_id: string;
}

export interface CheckBucketDeps {
  readonly buckets: Pick<Buckets, 'check'>;
  readonly sealer: Sealer;
}

const NO_SECRET: ConnectionSentence = 'There is no secret for this access key. Send it.';

/** The bucket, or why its stored settings cannot be used. */
export function addressOf(
  { sealer }: { readonly sealer: Sealer },
  connection: Pick<Integration, 'config' | 'sealedSecret'>,
): BucketAddress | { readonly wrong: ConnectionSentence } {
  const { sealedSecret } = connection;
  if (sealedSecret === null) return { wrong: NO_SECRET };
  const secretAccessKey = sealer.open(sealedSecret);
  if (secretAccessKey === undefined) return { wrong: SEALED_WITH_OTHER_KEY };
  const address = bucketConfig(connection);
  return {
    ...placeOf(address),
    forcePathStyle: inPath(address),
    accessKeyId: address.access_key_id,
    secretAccessKey,
  };
}

/** Writes, reads and removes a probe, outside of any unit of work. */
export async function checkBucket(
  deps: CheckBucketDeps,
  connection: Connection,
): Promise<BucketCheck> {
  const address = addressOf(deps, connection);
  if ('wrong' in address) return { ok: false, reason: address.wrong };
  return deps.buckets.check(address, CHECK_MS);
}

/** Whether a secret given for one bucket may be used for the other: access key and server are the same. */
export function sharesSecret(a: BucketConfig, b: BucketConfig): boolean {
  return a.endpoint === b.endpoint && a.access_key_id === b.access_key_id;
}

/** Location of copies that were in a bucket when it was retired. */
export const retiredLocation = (id: string): RetiredLocation => `retired:${id}`;

/** Whether contents of one bucket are found in the other. */
export const isSameBucket = (a: BucketConfig, b: BucketConfig): boolean =>
  JSON.stringify(placeOf(a)) === JSON.stringify(placeOf(b));

/** The settings stored by `connectBucket`. */
export const bucketConfig = ({ config }: Pick<Integration, 'config'>): BucketConfig =>
  config as unknown as BucketConfig;

const placeOf = ({ endpoint, region, bucket, prefix = '' }: BucketConfig) => ({
  endpoint: endpoint ?? null,
  region,
  bucket,
  prefix: prefix.replace(/\/$/, ''),
});

const AN_ADDRESS = /^https?:\/\/(\[|\d+(\.\d+){3}(:|$))/;

/**
 * Servers other than AWS rarely support virtual-hosted buckets, and a wildcard certificate does not cover names with
 * dots.
 */
function inPath({ endpoint, bucket, force_path_style: asked }: BucketConfig): boolean {
  if (endpoint !== undefined && AN_ADDRESS.test(endpoint)) return true;
  return asked ?? (endpoint !== undefined || bucket.includes('.'));
}
