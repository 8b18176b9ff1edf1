import { ownNetworks } from '../adapters/outbound/destinations.ts';
import { S3Buckets } from '../adapters/s3/buckets.ts';
import type { Config } from './config.ts';

/**
 * Private destinations for models and buckets of owners: in the standalone profile, the same machine and the private
 * network are allowed.
 */
export const ownersMayReach = ({ outboundAllow, profile }: Config) => [
  ...outboundAllow,
  ...(profile === 'team' ? [] : ownNetworks()),
];

export function ownersBuckets(config: Config): S3Buckets {
  const allowed = ownersMayReach(config);
  return new S3Buckets(async () => {
    // Loaded here only, since most installations have no owner buckets.
    const { guardedConnector } = await import('../adapters/outbound/connector.ts');
    return { connector: (ms) => guardedConnector({ allowed }, ms) };
  });
}
