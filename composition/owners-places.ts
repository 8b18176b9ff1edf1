import { ownNetworks } from '../adapters/outbound/destinations.ts';
import { S3Buckets } from '../adapters/s3/buckets.ts';
import type { Config } from './config.ts';

/**
 * Where a model or a bucket that an owner connects may be, beside the public network: whoever runs a service of one
 * machine alone may have it on that machine, or beside it.
 */
export const ownersMayReach = ({ outboundAllow, profile }: Config) => [
  ...outboundAllow,
  ...(profile === 'team' ? [] : ownNetworks()),
];

export function ownersBuckets(config: Config): S3Buckets {
  const allowed = ownersMayReach(config);
  return new S3Buckets(async () => {
    // Loaded here only: who has connected no bucket needs no client.
    const { guardedConnector } = await import('../adapters/outbound/connector.ts');
    return { connector: (ms) => guardedConnector({ allowed }, ms) };
  });
}
