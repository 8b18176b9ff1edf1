import { expect } from 'chai';
import type { Enrichment } from '../../ports/enrichments.ts';
import { ROW_CHECKS } from '../../ports/integrity.ts';
import type { DocType, StoredObject } from '../../ports/objects.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { indexObjectMetadata } from '../../core/search/index.ts';
import { backends, type Backend } from '../backends.ts';
import { anObject } from '../samples.ts';
import { openCoreFixture } from './core-fixture.ts';

export const TYPES = [
  'invoice',
  'contract',
  'resume',
  'other',
] as const satisfies readonly DocType[];

export interface Given {
  readonly docType: DocType;
  readonly isHidden: boolean;
  readonly trashed: boolean;
  /** The owner's folder that contains it. */
  readonly folder: number | null;
}

export const plain = (docType: DocType): Given => ({
  docType,
  isHidden: false,
  trashed: false,
  folder: null,
});
export const invoices = (count: number): readonly Given[] =>
  Array.from({ length: count }, () => plain('invoice'));

/** A workspace in memory in which every write can be observed, or be the last of its process. */
export async function openPlace() {
  const [, open] = backends.find(([name]) => name === 'memory') ?? [];
  if (!open) throw new Error('It needs the memory backend.');
  const backend: Backend = await open();
  const hook = { after: (): Promise<void> => Promise.resolve(), dead: false };
  const alive = () => {
    if (hook.dead) throw new Error('The process is gone.');
  };
  const uow: UnitOfWork = {
    read: async (scope, work) => (alive(), backend.uow.read(scope, work)),
    write: async (scope, work) => {
      alive();
      const result = await backend.uow.write(scope, work);
      await hook.after();
      alive();
      return result;
    },
  };
  const world = await openCoreFixture({ ...backend, uow });
  const { caller, core } = world;
  // The use of the token is stored in the background: it would be observed as a write of the run.
  await core.identity.flushLastUse();
  const folders: string[] = [];
  for (const name of ['Attic', 'Cellar']) {
    const { collection } = await core.library.createCollection(caller, { name });
    folders.push(collection.id);
  }
  return { backend, world, hook, folders };
}

export type Place = Awaited<ReturnType<typeof openPlace>>;

export async function fill({ backend, world, folders }: Place, given: readonly Given[]) {
  const objects = given.map(({ docType, isHidden, trashed, folder }, i) =>
    anObject({
      docType,
      isHidden,
      deletedAt: trashed ? 500 : null,
      collectionId: folder === null ? null : (folders[folder] ?? null),
      filename: `${docType}-${i}.pdf`,
      title: `${docType} ${i}`,
      createdAt: 1_000 + i,
    }),
  );
  await backend.uow.write(world.caller.scope, async (stores) => {
    for (const object of objects) {
      await stores.objects.save(object);
      await indexObjectMetadata(stores.search, object);
      await stores.enrichments.put(enrichmentOf(object));
    }
  });
  return objects.map(({ id }) => id);
}

const enrichmentOf = ({ id, docType }: StoredObject): Enrichment => ({
  objectId: id,
  version: 1,
  model: 'builtin',
  language: 'en',
  title: docType,
  description: '',
  summary: `An ${docType} of Acme.`,
  docType,
  keywords: [docType, 'acme', 'paper'],
  entities: { organizations: ['Acme GmbH'] },
});

/** The folder of every object, and all folders and themes. */
export const layout = async ({ backend, world }: Place, ids: readonly string[]) =>
  backend.uow.read(world.caller.scope, async (stores) => {
    const places = await stores.collections.page({}, { limit: 500, offset: 0 });
    const themes = await stores.themes.page({ includeHidden: true }, { limit: 500, offset: 0 });
    const found = await stores.objects.findMany(ids);
    const byId = new Map(found.map((object) => [object.id, object]));
    return {
      objects: ids.map((id) => byId.get(id)),
      folders: places.items,
      themes: themes.items,
    };
  });

export const start = async (
  place: Place,
  scope: 'uncategorized' | 'all' = 'all',
  dryRun = false,
) => {
  const { core, caller } = place.world;
  return (await core.organize.startReorganization(caller, { scope, dryRun })).taskId;
};

export const progress = ({ world }: Place, id: string) =>
  world.core.organize.getReorganization(world.caller, id);

export const undo = ({ world }: Place, id: string) =>
  world.core.organize.undoReorganization(world.caller, id);

export async function run(place: Place, scope: 'uncategorized' | 'all' = 'all', dryRun = false) {
  const id = await start(place, scope, dryRun);
  await place.world.runPendingTasks();
  return { id, ...(await progress(place, id)) };
}

const CHECKED = ROW_CHECKS.filter((check) =>
  /folder|theme|task|reorgan|moves|search_facts/.test(check),
);

/** Nothing is left behind, according to the doctor's checks of rows. */
export async function expectSound({ backend }: Place): Promise<void> {
  for (const check of CHECKED)
    expect((await backend.integrity.examine(check)).count, check).to.equal(0);
}

export const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );
