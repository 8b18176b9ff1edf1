import { expect } from 'chai';
import type { BulkChange } from '../../core/objects/index.ts';
import { indexObjectMetadata } from '../../core/search/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { ROW_CHECKS } from '../../ports/integrity.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { anObject } from '../samples.ts';
import { openCoreFixture } from './core-fixture.ts';

export interface Given {
  readonly isHidden: boolean;
  readonly trashed: boolean;
  /** Of the owner's folders. */
  readonly folder: number | null;
  readonly suggested: number | null;
  readonly categories: readonly string[];
}

export const plain: Given = {
  isHidden: false,
  trashed: false,
  folder: null,
  suggested: null,
  categories: [],
};

/** A workspace in memory in which every write can be observed, or be the last of its process. */
export async function openBulkWorkspace() {
  const [, open] = backends.find(([name]) => name === 'memory') ?? [];
  if (!open) throw new Error('It needs the memory backend.');
  const backend: Backend = await open();
  const hook = { after: (): Promise<void> => Promise.resolve(), dead: false };
  const requireAlive = () => {
    if (hook.dead) throw new Error('The process has ended.');
  };
  const uow: UnitOfWork = {
    read: async (scope, work) => (requireAlive(), backend.uow.read(scope, work)),
    write: async (scope, work) => {
      requireAlive();
      const result = await backend.uow.write(scope, work);
      await hook.after();
      requireAlive();
      return result;
    },
  };
  const world = await openCoreFixture({ ...backend, uow });
  await world.core.identity.flushLastUse();
  const folders: string[] = [];
  for (const name of ['Attic', 'Cellar', 'Shed']) {
    const { collection } = await world.core.library.createCollection(world.caller, { name });
    folders.push(collection.id);
  }
  return { backend, world, hook, folders };
}

export type BulkWorkspace = Awaited<ReturnType<typeof openBulkWorkspace>>;

/** Stores objects, the first one oldest. */
export async function fill(
  { backend, world, folders }: BulkWorkspace,
  given: readonly Given[],
): Promise<readonly string[]> {
  const folder = (index: number | null) => (index === null ? null : (folders[index] ?? null));
  const objects = given.map(({ isHidden, trashed, categories, ...each }, i) =>
    anObject({
      isHidden,
      categories,
      deletedAt: trashed ? 500 : null,
      collectionId: folder(each.folder),
      suggestedCollectionId: each.suggested === each.folder ? null : folder(each.suggested),
      filename: `${i}.pdf`,
      createdAt: 1_000 + i,
    }),
  );
  await backend.uow.write(world.caller.scope, async (stores) => {
    for (const object of objects) {
      await stores.objects.save(object);
      await indexObjectMetadata(stores.search, object);
    }
  });
  return objects.map(({ id }) => id);
}

/** What a run may change of each object; undefined for one that was erased. */
export async function layout({ backend, world }: BulkWorkspace, ids: readonly string[]) {
  const found = await backend.uow.read(world.caller.scope, (s) => s.objects.findMany(ids));
  const byId = new Map(found.map((object) => [object.id, object]));
  return ids.map((id) => {
    const object = byId.get(id);
    return object && fieldsOf(object);
  });
}

const fieldsOf = ({
  collectionId,
  suggestedCollectionId,
  categories,
  deletedAt,
  isHidden,
}: StoredObject) => ({ collectionId, suggestedCollectionId, categories, deletedAt, isHidden });

export type Fields = ReturnType<typeof fieldsOf>;

/** Starts a run and completes it. */
export async function run(
  { world }: BulkWorkspace,
  change: BulkChange,
  listing: Parameters<typeof world.core.objects.updateMatching>[1] = {},
  { except = [], caller = world.caller }: { except?: readonly string[]; caller?: Caller } = {},
): Promise<string> {
  const started = await world.core.objects.updateMatching(caller, listing, except, change);
  await world.runPendingTasks();
  return started.taskId;
}

export async function undo(
  { world }: BulkWorkspace,
  id: string,
  caller = world.caller,
): Promise<string> {
  const started = await world.core.objects.undoBulk(caller, id);
  await world.runPendingTasks();
  return started.run.id;
}

export async function progress({ world }: BulkWorkspace, id: string, caller = world.caller) {
  const { run: stored, ...counts } = await world.core.objects.getBulkRun(caller, id);
  return { state: stored.state, ...counts };
}

/** Sets a PIN. Without the returned caller the zone is locked. */
export async function lock({ world }: BulkWorkspace): Promise<Caller> {
  const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '4711' });
  return { ...world.caller, hiddenToken: token };
}

const CHECKED = ROW_CHECKS.filter((check) => /bulk|folder|task|search_facts/.test(check));

/** Nothing is left behind, according to the doctor's checks of rows. */
export async function expectSound({ backend }: BulkWorkspace): Promise<void> {
  for (const check of CHECKED)
    expect((await backend.integrity.examine(check)).count, check).to.equal(0);
}

export const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );
