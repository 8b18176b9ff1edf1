import { MemoryInbox } from '../../adapters/memory/inbox.ts';
import type { CoreDeps } from '../../core/index.ts';
import type { Backend } from '../backends.ts';
import { openCoreFixture } from './core-fixture.ts';

export const SETTLE_MS = 5_000;

/** A workspace with an inbox, whose owner is named `owner`. */
export async function openInboxWorld(
  backend: Backend,
  inbox = new MemoryInbox(),
  over: Partial<Pick<CoreDeps, 'roles' | 'uow'>> = {},
) {
  const reports: string[] = [];
  const world = await openCoreFixture(backend, undefined, {
    inbox,
    reportFailure: (task, error) => reports.push(`${task}: ${(error as Error).message}`),
    ...over,
  });
  const { core, caller } = world;
  // The only folder that belongs to this owner on a shared backend, where others have the same name.
  const folder = caller.owner.id;
  const idle = { shouldContinue: () => true, waitForIdle: () => Promise.resolve(true) };
  const scan = async (ms = SETTLE_MS) => {
    world.now += ms;
    await core.background.takeInbox(idle);
  };
  return {
    world,
    core,
    caller,
    inbox,
    folder,
    reports,
    idle,
    scan,
    put: (path: string, text: string | Uint8Array, how?: Parameters<MemoryInbox['put']>[2]) =>
      inbox.put(`${folder}/${path}`, text, how),
    /** Until every file is seen and has settled. */
    settle: async () => {
      await scan(60_000);
      await scan();
      await scan();
    },
    moved: (path: string) => inbox.moved.get(`${folder}/${path}`),
    names: async () =>
      (await core.objects.listObjects(caller, {}, { limit: 100, offset: 0 })).items
        .map(({ object }) => object.filename)
        .sort(),
    objects: async () =>
      (await core.objects.listObjects(caller, {}, { limit: 100, offset: 0 })).items.map(
        ({ object }) => object,
      ),
    blobCount: async () => {
      const ids: string[] = [];
      for await (const { blobId } of world.blobs.list()) ids.push(blobId);
      return ids.length;
    },
    health: async () => {
      const { checks } = await core.health.deepHealth();
      return checks.find(({ name: check }) => check === 'inbox');
    },
  };
}
