import { pause } from '../child.ts';
import type { Drill, Scene } from '../drill.ts';

export const away = async ({ ground, bucket }: Scene): Promise<void> => {
  await bucket.leave();
  await pause(ground.seconds * 1_000);
  await bucket.comeBack();
};

export const s3: readonly Drill[] = [
  {
    name: 's3-gone',
    profile: 'team',
    files: 'bucket',
    does: 'the bucket of the service (BLOB_S3_URL) is gone for a while',
    fault: away,
  },
];
