import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openS3Service, type S3Service } from '../contract-tests/s3-service.ts';
import { pause, until } from './child.ts';
import { Installation } from './installation.ts';
import { judge, type Judgement } from './ledger.ts';
import { Load } from './load.ts';
import { Reader } from './look-over.ts';
import type { Postgres } from './postgres.ts';
import type { Redis } from './redis.ts';

/** What a run has for all of its drills. Each is opened by the first that asks; asking throws LeftOut where it can not. */
export interface Ground {
  readonly folder: string;
  /** How long what goes away stays away. */
  readonly seconds: number;
  /** What is to be done when the drill ends, or is ended. */
  readonly undo: Set<() => Promise<void>>;
  postgres(): Promise<Postgres>;
  redis(): Promise<Redis>;
}

/** What a fault is done to. */
export interface Scene {
  readonly ground: Ground;
  readonly installation: Installation;
  readonly load: Load;
  /** Another server's bucket, for the drills that use one. */
  readonly bucket: S3Service;
  /** The fault ends here, where it does not end with its function. */
  readonly over: () => void;
}

export interface Drill {
  readonly name: string;
  readonly profile: 'standalone' | 'team';
  /** One line for whoever reads the table. */
  readonly does: string;
  readonly files?: 'bucket';
  /** Of the processes of the service, beside what every drill sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** How often the fault is done; 1 unless told. */
  readonly rounds?: number;
  /** Makes the data folder something else than a plain one; answers what takes it away. */
  prepare?(dataDir: string): Promise<() => Promise<void>>;
  /** Before there is any load. */
  before?(scene: Scene): Promise<void>;
  /** `round`: from 0. */
  fault(scene: Scene, round: number): Promise<void>;
  /** Once everything is ready again; what it tells counts as lost. */
  after?(scene: Scene): Promise<readonly string[]>;
}

export interface Outcome extends Judgement {
  readonly drill: string;
  readonly profile: string;
  /** Statuses with their codes, and how often each came. */
  readonly refused: Readonly<Record<string, number>>;
  readonly unanswered: number;
  /** Answers that no fault excuses. */
  readonly wrong: readonly string[];
  /** What the doctor found. */
  readonly damage: readonly string[];
  /** From the end of a fault until each sort of write was acknowledged again; of several rounds the longest. */
  readonly firstSuccess: number;
  /** From the end of the last fault until everything that was acknowledged was ready. */
  readonly allReady: number;
  /** Of the whole drill. */
  readonly seconds: number;
}

/** A fault comes after at least so many writes; then some more time, so that it finds them at any point. */
const WARM_WRITES = 20;
const WARM_MS = 60_000;
const CHANCE_MS = 400;
const RECOVERY_MS = 120_000;
const READY_MS = 180_000;

export async function perform(drill: Drill, ground: Ground): Promise<Outcome> {
  const from = performance.now();
  const folder = await mkdtemp(join(ground.folder, `${drill.name}-`));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const bucket = await openS3Service();
  let installation: Installation | undefined;
  try {
    const undo = await drill.prepare?.(dataDir);
    if (undo) ground.undo.add(undo);
    const env = {
      PROFILE: drill.profile,
      ...drill.env,
      ...(drill.files === 'bucket' && { BLOB_S3_URL: bucket.url }),
      ...(drill.profile === 'team' && {
        DATABASE_URL: await (await ground.postgres()).database(drill.name.replaceAll('-', '_')),
        REDIS_URL: (await ground.redis()).url,
      }),
    };
    const many = drill.profile === 'team' ? { serving: 2, working: 1 } : { serving: 1, working: 0 };
    installation = await Installation.start(folder, dataDir, env, many);
    const outcome = await under(drill, ground, installation, bucket);
    return { ...outcome, seconds: (performance.now() - from) / 1_000 };
  } finally {
    await installation?.stop();
    await bucket.close();
    await undoAll(ground);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes away what drills have made beside files and processes. */
export async function undoAll({ undo }: Pick<Ground, 'undo'>): Promise<void> {
  for (const each of undo) {
    undo.delete(each);
    await each();
  }
}

async function under(
  drill: Drill,
  ground: Ground,
  installation: Installation,
  bucket: S3Service,
): Promise<Omit<Outcome, 'seconds'>> {
  const base = () => installation.base();
  const load = new Load(base, installation.token);
  const reader = new Reader(base, installation.token);
  let endedAt = 0;
  const over = () => {
    endedAt = performance.now();
    load.mark();
  };
  const scene: Scene = { ground, installation, load, bucket, over };
  await drill.before?.(scene);
  await load.begin();
  let firstSuccess = 0;
  try {
    for (let round = 0; round < (drill.rounds ?? 1); round++) {
      const known = load.writes.length;
      await until('The load begins', () => load.writes.length >= known + WARM_WRITES, WARM_MS);
      await pause(Math.random() * CHANCE_MS);
      const from = performance.now();
      await drill.fault(scene, round);
      if (endedAt < from) over();
      const again = () => load.recoveryMs() !== undefined;
      await until('Writes are taken again', again, RECOVERY_MS);
      firstSuccess = Math.max(firstSuccess, load.recoveryMs() ?? 0);
    }
  } finally {
    await load.end();
  }
  await ready(reader, load);
  const allReady = performance.now() - endedAt;
  const strange = (await drill.after?.(scene)) ?? [];
  const judgement = judge(load.writes, load.edits, await reader.survey(load.edits));
  return {
    drill: drill.name,
    profile: drill.profile,
    ...judgement,
    lost: [...judgement.lost, ...strange],
    refused: Object.fromEntries(load.refused),
    unanswered: load.unanswered,
    wrong: load.wrong,
    damage: await installation.doctor(),
    firstSuccess: firstSuccess / 1_000,
    allReady: allReady / 1_000,
  };
}

/** Waits until nothing is being worked on any more. What is not in time is what the survey finds it to be. */
async function ready(reader: Reader, load: Load): Promise<void> {
  const deadline = performance.now() + READY_MS;
  let open = load.edits.filter(({ task }) => task !== null);
  while (performance.now() < deadline) {
    const { cards, ended } = await reader.state(open);
    open = open.filter(
      ({ task }) => !/^(done|failed|unchanged)$/.test(ended.get(task ?? '') ?? ''),
    );
    const working = cards.some(({ status }) => status !== 'ready' && status !== 'failed');
    if (!working && open.length === 0) return;
    await pause(250);
  }
}
