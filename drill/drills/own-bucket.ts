import { until } from '../child.ts';
import type { Drill, FaultContext } from '../drill.ts';
import { DrillSkipped } from '../external-programs.ts';
import { s3Outage } from './s3.ts';

const FILES = 40;
const BEGINS_MS = 20_000;
const ENDS_MS = 120_000;
const PATH = '/v1/integrations/s3';

interface Progress {
  readonly status: string;
  readonly moved: number;
  readonly failed: number;
}

const connect = async ({ installation, bucket: { place } }: FaultContext): Promise<void> => {
  const config = {
    endpoint: place.endpoint,
    region: place.region,
    bucket: place.bucket,
    prefix: 'own',
    access_key_id: place.accessKeyId,
  };
  const body = { config, secret: place.secretAccessKey };
  const { status, json } = await installation.call('PUT', PATH, body);
  if (status !== 200 || json['status'] !== 'ok')
    throw new Error(`The bucket was not connected: ${status} ${JSON.stringify(json)}`);
};

const progress = async ({ installation }: FaultContext): Promise<Progress> => {
  const { json } = await installation.call('GET', PATH);
  return json['migration'] as Progress;
};

/** Kills the service once some of the files have moved, and waits until all have. */
async function killInTheMiddle(scene: FaultContext, direction: 'out' | 'back'): Promise<void> {
  const { installation, over } = scene;
  const { status, json } = await installation.call('POST', `${PATH}/migration`, { direction });
  if (status !== 200) throw new Error(`${direction}: ${status} ${JSON.stringify(json)}`);
  const first = await progress(scene);
  const goesOn = async () => {
    const { status, moved } = await progress(scene);
    return moved > first.moved || status !== 'running';
  };
  await until('Files move', goesOn, BEGINS_MS);
  const startAgain = await installation.kill('serve');
  over();
  await startAgain();
  await until('All files move', async () => (await progress(scene)).status !== 'running', ENDS_MS);
  const last = await progress(scene);
  if (last.status !== 'done' || last.failed > 0)
    throw new Error(`The move ${direction} ended as ${JSON.stringify(last)}.`);
}

export const ownBucket: readonly Drill[] = [
  {
    name: 'own-bucket-gone',
    profile: 'standalone',
    does: 'the bucket that the owner has connected is unavailable for a while',
    before: connect,
    fault: s3Outage,
  },
  {
    name: 'migration-kill',
    profile: 'standalone',
    does: "kill -9 while an owner's files move into the owner's bucket, and while they move back",
    rounds: 2,
    before: async (scene) => {
      const { status } = await scene.installation.call('POST', `${PATH}/migration`, {});
      if (status === 404 || status === 405) throw new DrillSkipped('this version moves no files');
      await scene.load.fill(FILES);
      await connect(scene);
    },
    fault: (scene, round) => killInTheMiddle(scene, round === 0 ? 'out' : 'back'),
  },
];
