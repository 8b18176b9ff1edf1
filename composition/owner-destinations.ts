import { privateNetworks } from '../adapters/outbound/destination-policy.ts';
import { S3Buckets } from '../adapters/s3/buckets.ts';
import type { Config } from './config.ts';

/**
 * Private destinations for models and buckets of owners: in the standalone profile, the same machine and the private
 * network are allowed.
 */
export const ownerAllowedDestinations = ({ outboundAllow, profile }: Config) => [
  ...outboundAllow,
  ...(profile === 'team' ? [] : privateNetworks()),
];

export function ownersBuckets(config: Config): S3Buckets {
  const allowed = ownerAllowedDestinations(config);
  return new S3Buckets(async () => {
    // Loaded here only, since most installations have no owner buckets.
    const { createSsrfSafeConnector } = await import('../adapters/outbound/ssrf-guard.ts');
    return { connector: (ms) => createSsrfSafeConnector({ allowed }, ms) };
  });
}
