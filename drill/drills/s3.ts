import { pause } from '../child.ts';
import type { Drill, FaultContext } from '../drill.ts';

export const s3Outage = async ({ ground, bucket }: FaultContext): Promise<void> => {
  await bucket.goOffline();
  await pause(ground.seconds * 1_000);
  await bucket.goOnline();
};

export const s3: readonly Drill[] = [
  {
    name: 's3-gone',
    profile: 'team',
    files: 'bucket',
    does: 'the bucket of the service (BLOB_S3_URL) is gone for a while',
    fault: s3Outage,
  },
];
