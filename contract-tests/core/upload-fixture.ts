import { createHash } from 'node:crypto';
import { UnavailableError } from '../../ports/errors.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { NewUpload, UploadView } from '../../core/uploads/index.ts';
import type { Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

/** What the sender of some bytes does beside sending them. */
export interface Sending {
  readonly as?: Caller;
  /** Bytes in a chunk. */
  readonly chunk?: number;
  /** Between two chunks. */
  readonly pauseMs?: number;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256?: string;
  readonly requireSender?: () => Promise<void>;
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A fixture with the operations of specs about uploads. */
export async function openUploads(backend: Backend, name?: string) {
  const world: CoreFixture = await openCoreFixture(backend, name);
  const { core, caller } = world;
  const send = (id: string, offset: number, bytes: Uint8Array, how: Sending = {}) => {
    const hash = createHash('sha256');
    const { chunk = Math.max(bytes.length, 1), pauseMs = 0, sha256: expected } = how;
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += chunk) {
        if (at > 0) world.now += pauseMs;
        const some = bytes.subarray(at, at + chunk);
        hash.update(some);
        yield await Promise.resolve(some);
      }
    };
    return core.uploads.appendToUpload(how.as ?? caller, id, {
      offset,
      bytes: chunks(),
      requireSender: how.requireSender ?? (() => Promise.resolve()),
      ...(expected !== undefined && {
        matchesChecksum: () => hash.copy().digest('hex') === expected,
      }),
    });
  };
  const create = (size: number, over: Partial<NewUpload> = {}, as = caller) =>
    core.uploads.createUpload(as, { size, metadata: '', filename: 'a.txt', ...over });
  return {
    world,
    core,
    caller,
    send,
    create,
    /** A whole file in two requests. */
    upload: async (text: string, over: Partial<NewUpload> = {}): Promise<UploadView> => {
      const bytes = Buffer.from(text);
      const { id } = await create(bytes.length, over);
      const half = bytes.length >> 1;
      if (half > 0) await send(id, 0, bytes.subarray(0, half));
      return send(id, half, bytes.subarray(half));
    },
    read: async (id: string): Promise<Buffer> => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of (await core.objects.readContent(caller, id)).open())
        chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    objects: async () =>
      (await core.objects.listObjects(caller, {}, { limit: 100, offset: 0 })).items,
    folders: async () =>
      (await core.library.listCollections(caller, { limit: 100, offset: 0 })).items.map(
        ({ collection }) => collection,
      ),
    themes: async () =>
      (await core.library.listThemes(caller, { includeHidden: true, limit: 100, offset: 0 })).items,
    usedBytes: () => backend.uow.read(caller.scope, ({ contents }) => contents.usedBytes()),
    parts: (id: string) => backend.uow.read(caller.scope, ({ uploads }) => uploads.parts(id)),
    blobCount: async () => {
      const ids = new Set<string>();
      for await (const { blobId } of world.blobs.list()) ids.add(blobId);
      return ids.size;
    },
    /** The write with this number fails, from 1. Returns a function that repairs the storage. */
    breakStorage: (failing: number): (() => void) => {
      const write = world.blobs.write.bind(world.blobs);
      let count = 0;
      world.blobs.write = (source, limit) =>
        ++count === failing
          ? Promise.reject(new UnavailableError('storage', 'It is full.'))
          : write(source, limit);
      return () => void (world.blobs.write = write);
    },
    /** Runs the removal of released bytes. */
    settle: async () => {
      await core.background.offerDueTasks();
      await world.runPendingTasks();
    },
    code: (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: unknown) =>
          (error as { code?: string }).code ?? (error instanceof Error ? error.name : 'thrown'),
      ),
  };
}
