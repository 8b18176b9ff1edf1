import type { SecretDigest } from '../../ports/secrets.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { createFolderView, type FolderView } from './folder-view.ts';
import { POLICIES } from './policies.ts';

/**
 * A unit of work whose stores show only the folders of the scope, if it has any. With any other scope the stores are
 * untouched.
 */
export function bindToFolders(uow: UnitOfWork, digests: SecretDigest): UnitOfWork {
  const restricted = ({ folderIds }: OwnerScope, stores: Stores): Stores =>
    folderIds ? restrictStores(stores, folderIds, keyPrefix(digests, folderIds)) : stores;
  return {
    read: (scope, work) =>
      scope.folderIds
        ? uow.read(scope, (stores) => work(restricted(scope, stores)))
        : uow.read(scope, work),
    write: (scope, work, size) =>
      scope.folderIds
        ? uow.write(scope, (stores) => work(restricted(scope, stores)), size)
        : uow.write(scope, work, size),
  };
}

/** The same for any order of the folders, and of a fixed length. */
const keyPrefix = (digests: SecretDigest, folderIds: readonly string[]): string =>
  `folders ${digests.digest([...folderIds].sort().join(' '))}`;

/** Each is created on first use: a request needs a few of them. */
function restrictStores(stores: Stores, folderIds: readonly string[], prefix: string): Stores {
  const view = createFolderView(stores, folderIds, prefix);
  const restricted = {};
  for (const name of Object.keys(POLICIES) as (keyof Stores)[])
    Object.defineProperty(restricted, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = storeOf(view, name);
        Object.defineProperty(restricted, name, { value, enumerable: true });
        return value;
      },
    });
  return restricted as Stores;
}

const storeOf = <K extends keyof Stores>(view: FolderView, name: K): Stores[K] =>
  POLICIES[name](view);
