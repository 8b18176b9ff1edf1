import {
  REMIND_TASK,
  SYNC_TASK,
  UPDATES_TASK,
  receiveUpdates,
  sendOwnerMessage,
  syncDueChats,
  type DeliverDeps,
  type MessageDeps,
  type SyncTaskDeps,
} from '../bots/index.ts';
import { IMAGE_TASK, runImageOperation, type RunImageDeps } from '../imaging/index.ts';
import {
  BULK_TASK,
  ENRICH_TASK,
  OCR_TASK,
  READ_TASK,
  REMOVE_BLOB_TASK,
  runBulk,
  type BulkTaskDeps,
} from '../objects/index.ts';
import { REORGANIZE_TASK, reorganize, type ReorganizeDeps } from '../organize/index.ts';
import { CREDIT_TASK, creditReferral, type ReferralDeps } from '../referral/index.ts';
import { RETIRED_TASK } from '../integrations/index.ts';
import {
  MIGRATION_TASK,
  migrateFiles,
  retrieveFiles,
  type MigrateFilesDeps,
} from '../storage/index.ts';
import {
  renewClaim as keep,
  enqueueDueTasks as offerDue,
  runTask as run,
  type RunDeps,
  type TaskHandler,
  type TaskHandlers,
} from '../tasks/index.ts';
import { RESUME_TASK } from '../model-pause/index.ts';
import { enrichObject, type EnrichDeps } from './model-enrichment.ts';
import { readObject, ocrObject, type ReadDeps } from './read-object.ts';
import { resumeModel, type ResumeDeps } from './resume-model.ts';
import { removeBlob, type SweepDeps } from './sweep-blobs.ts';

export interface BackgroundDeps
  extends
    ReadDeps,
    SweepDeps,
    Omit<EnrichDeps, 'uow'>,
    Omit<RunDeps, 'uow'>,
    Omit<ResumeDeps, 'uow'>,
    Omit<ReferralDeps, 'uow'>,
    Omit<ReorganizeDeps, 'uow'>,
    Omit<BulkTaskDeps, 'uow'>,
    Omit<DeliverDeps, 'uow'>,
    Omit<MessageDeps, 'uow'>,
    Omit<SyncTaskDeps, 'uow'>,
    Omit<RunImageDeps, 'uow'>,
    Omit<MigrateFilesDeps, 'uow'> {
  readonly uow: BulkTaskDeps['uow'] &
    DeliverDeps['uow'] &
    EnrichDeps['uow'] &
    MigrateFilesDeps['uow'] &
    ReadDeps['uow'] &
    ReferralDeps['uow'] &
    ReorganizeDeps['uow'] &
    RunImageDeps['uow'];
}

const OFFERED_AT_ONCE = 200;
/** Kinds of tasks that run for minutes, with their concurrency limits, independent of all other kinds. */
export const LANE_CONCURRENCY: Readonly<Record<string, number>> = {
  [OCR_TASK]: 1,
  [ENRICH_TASK]: 2,
  // One renders while the bytes of the next are read and the last is stored.
  [IMAGE_TASK]: 3,
  // Each copies files, and waits for the network most of the time.
  [MIGRATION_TASK]: 2,
  [RETIRED_TASK]: 1,
  // Each waits for a platform and uses hardly any CPU.
  [UPDATES_TASK]: 100,
  [SYNC_TASK]: 4,
  // An owner's bucket may be slow.
  [REMOVE_BLOB_TASK]: 2,
  [REMIND_TASK]: 4,
  // A person waits for it, so it does not queue behind documents that are read.
  [BULK_TASK]: 2,
};

const HANDLERS = {
  [READ_TASK]: readObject,
  [OCR_TASK]: ocrObject,
  [ENRICH_TASK]: enrichObject,
  [RESUME_TASK]: resumeModel,
  [REMOVE_BLOB_TASK]: removeBlob,
  [REORGANIZE_TASK]: reorganize,
  [BULK_TASK]: runBulk,
  [CREDIT_TASK]: creditReferral,
  [IMAGE_TASK]: runImageOperation,
  [MIGRATION_TASK]: migrateFiles,
  [RETIRED_TASK]: retrieveFiles,
  [UPDATES_TASK]: receiveUpdates,
  [SYNC_TASK]: syncDueChats,
  [REMIND_TASK]: sendOwnerMessage,
} satisfies Readonly<Record<string, (deps: BackgroundDeps) => TaskHandler>>;

const handlersOf = (deps: BackgroundDeps): TaskHandlers =>
  Object.fromEntries(Object.entries(HANDLERS).map(([kind, make]) => [kind, make(deps)]));

/** The kinds of tasks. */
export const taskKinds = (_deps: Pick<BackgroundDeps, 'clock'>): readonly string[] =>
  Object.keys(HANDLERS);

export const runTask = (deps: BackgroundDeps, taskId: string): Promise<void> =>
  run(deps, handlersOf(deps), taskId);

export const keepClaim = (deps: BackgroundDeps, taskId: string): Promise<void> =>
  keep(deps, taskId);

/** Slow tasks are enqueued separately, kind by kind, so that a backlog of one kind does not displace others. */
export async function offerDueTasks(deps: BackgroundDeps): Promise<number> {
  const slow = Object.keys(LANE_CONCURRENCY);
  let offered = await offerDue(deps, OFFERED_AT_ONCE, { but: slow });
  for (const kind of slow) offered += await offerDue(deps, OFFERED_AT_ONCE, { only: [kind] });
  return offered;
}
