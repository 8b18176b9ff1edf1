import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openS3Service, type S3Service } from '../contract-tests/fake-s3.ts';
import { pause, until } from './child.ts';
import { Installation } from './installation.ts';
import { verifyDurability, type DurabilityReport } from './write-log.ts';
import { Load } from './load.ts';
import { WorkspaceReader } from './survey.ts';
import type { Postgres } from './postgres.ts';
import type { Redis } from './redis.ts';

/**
 * Resources for all drills of a run. Each is started on first use; access throws DrillSkipped if it is unavailable.
 */
export interface Environment {
  readonly folder: string;
  /** Duration of an outage. */
  readonly seconds: number;
  /** Cleanup at the end of the drill, also after an interruption. */
  readonly undo: Set<() => Promise<void>>;
  postgres(): Promise<Postgres>;
  redis(): Promise<Redis>;
}

/** The target of a fault. */
export interface FaultContext {
  readonly ground: Environment;
  readonly installation: Installation;
  readonly load: Load;
  /** A bucket on another server, for drills that use one. */
  readonly bucket: S3Service;
  /** Ends the fault, if it does not end with its function. */
  readonly over: () => void;
}

export interface Drill {
  readonly name: string;
  readonly profile: 'standalone' | 'team';
  /** One line for the table. */
  readonly does: string;
  readonly files?: 'bucket';
  /** Environment of the service's processes, in addition to the common one. */
  readonly env?: Readonly<Record<string, string>>;
  /** Number of repetitions of the fault; default 1. */
  readonly rounds?: number;
  /** Replaces the data folder by a special one; returns its cleanup. */
  prepare?(dataDir: string): Promise<() => Promise<void>>;
  /** Before any load. */
  before?(scene: FaultContext): Promise<void>;
  /** `round`: from 0. */
  fault(scene: FaultContext, round: number): Promise<void>;
  /** After recovery; reported problems count as lost data. */
  after?(scene: FaultContext): Promise<readonly string[]>;
}

export interface Outcome extends DurabilityReport {
  readonly drill: string;
  readonly profile: string;
  /** Statuses with their codes, and their frequency. */
  readonly refused: Readonly<Record<string, number>>;
  readonly unanswered: number;
  /** Responses that no fault excuses. */
  readonly wrong: readonly string[];
  /** Findings of the doctor. */
  readonly damage: readonly string[];
  /**
   * Recovery time of writes: from the end of a fault until each kind of write was acknowledged again; the longest of
   * several rounds.
   */
  readonly firstSuccess: number;
  /** From the end of the last fault until all acknowledged writes were processed. */
  readonly allReady: number;
  /** Of the whole drill. */
  readonly seconds: number;
}

/** A fault occurs after a minimum number of writes plus a random time, so that it hits them at any point. */
const WARM_WRITES = 20;
const WARM_MS = 60_000;
const CHANCE_MS = 400;
const RECOVERY_MS = 120_000;
const READY_MS = 180_000;

export async function runDrill(drill: Drill, ground: Environment): Promise<Outcome> {
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

/** Removes everything drills have created besides files and processes. */
export async function undoAll({ undo }: Pick<Environment, 'undo'>): Promise<void> {
  for (const each of undo) {
    undo.delete(each);
    await each();
  }
}

async function under(
  drill: Drill,
  ground: Environment,
  installation: Installation,
  bucket: S3Service,
): Promise<Omit<Outcome, 'seconds'>> {
  const base = () => installation.base();
  const load = new Load(base, installation.token);
  const reader = new WorkspaceReader(base, installation.token);
  let endedAt = 0;
  const over = () => {
    endedAt = performance.now();
    load.mark();
  };
  const scene: FaultContext = { ground, installation, load, bucket, over };
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
  const report = verifyDurability(load.writes, load.edits, await reader.survey(load.edits));
  return {
    drill: drill.name,
    profile: drill.profile,
    ...report,
    lost: [...report.lost, ...strange],
    refused: Object.fromEntries(load.refused),
    unanswered: load.unanswered,
    wrong: load.wrong,
    damage: await installation.doctor(),
    firstSuccess: firstSuccess / 1_000,
    allReady: allReady / 1_000,
  };
}

/** Waits until no work is in progress. Unfinished work is evaluated by the survey as it is. */
async function ready(reader: WorkspaceReader, load: Load): Promise<void> {
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
