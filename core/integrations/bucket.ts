import type { BucketAddress, BucketCheck, Buckets } from '../../ports/buckets.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { RetiredPlace } from '../../ports/placements.ts';
import type { Sealer } from '../../ports/secrets.ts';
import { CHECK_MS, SEALED_OTHERWISE, type Connection } from './connection.ts';

/** How a bucket is reached, named as on the wire. */
export interface BucketConfig {
  /** http(s)://HOST[:PORT] in its normal form; left out: AWS. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Segments joined by slashes; one may stand at the end. */
  readonly prefix?: string;
  readonly force_path_style?: boolean;
  readonly access_key_id: string;
}

export interface TryBucketDeps {
  readonly buckets: Pick<Buckets, 'check'>;
  readonly sealer: Sealer;
}

/** Where the bucket is, or what is wrong with what is stored of it. */
export function addressOf(
  { sealer }: { readonly sealer: Sealer },
  connection: Pick<Integration, 'config' | 'sealedSecret'>,
): BucketAddress | { readonly wrong: string } {
  const { sealedSecret } = connection;
  if (sealedSecret === null) return { wrong: 'There is no secret for this access key: send it.' };
  const secretAccessKey = sealer.open(sealedSecret);
  if (secretAccessKey === undefined) return { wrong: SEALED_OTHERWISE };
  const told = bucketConfig(connection);
  return {
    ...placeOf(told),
    forcePathStyle: inPath(told),
    accessKeyId: told.access_key_id,
    secretAccessKey,
  };
}

/** Writes, reads and removes a probe, outside of any unit of work. */
export async function tryBucket(deps: TryBucketDeps, connection: Connection): Promise<BucketCheck> {
  const address = addressOf(deps, connection);
  if ('wrong' in address) return { ok: false, reason: address.wrong };
  return deps.buckets.check(address, CHECK_MS);
}

/** Whether a secret that was given for the one may be used for the other: the key is the same, and so is the server. */
export function sharesSecret(a: BucketConfig, b: BucketConfig): boolean {
  return a.endpoint === b.endpoint && a.access_key_id === b.access_key_id;
}

/** Where copies are that were in a bucket when it was retired. */
export const retiredPlace = (id: string): RetiredPlace => `retired:${id}`;

/** Whether what lies at the one is to be found at the other. */
export const samePlace = (a: BucketConfig, b: BucketConfig): boolean =>
  JSON.stringify(placeOf(a)) === JSON.stringify(placeOf(b));

/** What `connectBucket` has put there. */
export const bucketConfig = ({ config }: Pick<Integration, 'config'>): BucketConfig =>
  config as unknown as BucketConfig;

const placeOf = ({ endpoint, region, bucket, prefix = '' }: BucketConfig) => ({
  endpoint: endpoint ?? null,
  region,
  bucket,
  prefix: prefix.replace(/\/$/, ''),
});

const AN_ADDRESS = /^https?:\/\/(\[|\d+(\.\d+){3}(:|$))/;

/** What is not AWS seldom answers under a name of its own for each bucket, and a certificate for all spans no dots. */
function inPath({ endpoint, bucket, force_path_style: asked }: BucketConfig): boolean {
  if (endpoint !== undefined && AN_ADDRESS.test(endpoint)) return true;
  return asked ?? (endpoint !== undefined || bucket.includes('.'));
}
