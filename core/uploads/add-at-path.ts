import { foldName } from '../../ports/library.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { VersionOrigin } from '../../ports/contents.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { PartialUpload } from '../../ports/uploads.ts';
import { addAssembledFile, type AddDeps, type ReceivedFile } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { placeDropped, recordDrop } from './drop.ts';
import { DROP_PAUSE_MS } from './limits.ts';

type PathStores = Pick<Stores, 'uploads' | 'themes'>;
type AddStores = AddDeps['uow'] extends UnitOfWork<infer K> ? Pick<Stores, K> : never;

export interface AddAtPathDeps extends Omit<AddDeps, 'uow'> {
  readonly uow: AddDeps['uow'] & UnitOfWork<keyof PathStores>;
}

export interface FileAtPath {
  readonly file: ReceivedFile;
  /** The folders above the file, outermost first. */
  readonly folders: readonly string[];
  readonly origin: VersionOrigin;
}

/**
 * Makes an object of a file that did not arrive in parts, in the folder of its path, like the last bytes of a folder drop.
 * It is always added, as by `on_duplicate=keep`. `work` adds it, once, with related changes in the same unit of work.
 */
export async function addAtPath<Result>(
  deps: AddAtPathDeps,
  caller: Pick<Caller, 'scope' | 'limits'>,
  { file, folders, origin }: FileAtPath,
  work: (stores: PathStores & AddStores, add: () => Promise<StoredObject>) => Promise<Result>,
): Promise<Result> {
  return addAssembledFile<keyof PathStores, Result>(deps, caller, file, (stores, add) =>
    work(stores, async () => {
      const now = deps.clock.now();
      const onDuplicate = 'keep';
      if (folders.length === 0)
        return (await add({ onDuplicate, origin, place: () => Promise.resolve({}) })).object;
      const dropName = foldName(folders[0] ?? '');
      const folderPath = folders.join('/');
      const known = await stores.uploads.latestDrop(dropName, now - DROP_PAUSE_MS);
      const dropId = known ?? deps.random.uuid();
      const { collectionId, made } = await placeDropped(deps, stores, { folderPath }, now);
      const { object } = await add({
        onDuplicate,
        origin,
        place: () => Promise.resolve({ collectionId }),
      });
      await recordDrop(stores, dropId, object, made, now);
      // The next file of the drop finds its run by this row.
      const upload: PartialUpload = {
        id: deps.random.uuid(),
        filename: file.filename,
        metadata: '',
        collectionId: null,
        onDuplicate,
        folderPath,
        dropId,
        dropName,
        size: file.blob.size,
        received: file.blob.size,
        state: 'finished',
        objectId: object.id,
        createdAt: now,
        progressAt: now,
      };
      await stores.uploads.save(upload);
      return object;
    }),
  );
}
