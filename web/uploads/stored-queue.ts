import { me } from '../state/session.ts';
import { isRunning, itemOf, items, type UploadItem } from './items.ts';
import { claim, release } from './tab-locks.ts';
import {
  clearStore,
  forgetItems,
  storeFiles,
  storeItems,
  storedItems,
  type StoredItem,
} from './upload-store.ts';

const ownerId = (): string => me.peek()?.owner.id ?? '';

/** Items that a reload would lose: their bytes are not in the browser's store, or not yet. */
const unstored = new Set<string>();

/** Stores new items for the next visit, with their files. */
export async function storeNew(added: readonly UploadItem[]): Promise<void> {
  const lasting = added.filter(({ isHidden }) => !isHidden);
  for (const { id } of lasting) unstored.add(id);
  const stored = () => unfinished(lasting.map(toId));
  try {
    await storeItems(ownerId(), stored);
    await storeFiles(ownerId(), stored);
    for (const { id } of lasting) unstored.delete(id);
  } catch {
    // No room, or a private window: they are sent from memory, and leaving the page warns.
  }
  forgetLeftOut(lasting.map(toId));
}

/** Stores items as they are now. Their files are stored already. */
export async function storeChanged(ids: readonly string[]): Promise<void> {
  // A store that can not be opened has none of them: see `storeNew`.
  await storeItems(ownerId(), () => unfinished(ids)).catch(() => undefined);
  forgetLeftOut(ids);
}

const toId = ({ id }: UploadItem): string => id;

/** Those that have to be stored. One that has ended was forgotten, and a slow copy must not bring it back. */
function unfinished(ids: readonly string[]): readonly UploadItem[] {
  const wanted = new Set(ids);
  return items.peek().filter(
    ({ id, isHidden, state, objectId }) =>
      // The bytes of one that waits for its original are not a document yet.
      !isHidden && state !== 'done' && !(state === 'duplicate' && objectId) && wanted.has(id),
  );
}

/** Those that were left out while they were being stored. */
function forgetLeftOut(ids: readonly string[]): void {
  const left = ids.filter((id) => !itemOf(id));
  if (left.length > 0) forget(left);
}

/** What an earlier visit has left, but for what another tab sends. */
export async function claimStored(): Promise<readonly StoredItem[]> {
  // Without a store no visit has left anything.
  const found = await storedItems(ownerId()).catch(() => []);
  const claimed: StoredItem[] = [];
  for (const item of found) if (!itemOf(item.id) && (await claim(item.id))) claimed.push(item);
  return claimed;
}

export function forget(ids: readonly string[]): void {
  for (const id of ids) {
    release(id);
    unstored.delete(id);
  }
  // Not reported: the next visit finds what is left there to be a document already, and forgets it. Signing out empties the
  // store, and reports if it can not.
  void forgetItems(ownerId(), ids).catch(() => undefined);
}

/** Whether leaving the page would lose something. */
export const losesOnLeaving = (): boolean =>
  items
    .peek()
    .some(
      (item) =>
        (isRunning(item) || item.state === 'paused') && (item.isHidden || unstored.has(item.id)),
    );

/** Files of the owner that are not with the service yet: of this tab, and of others and earlier visits. */
export async function unsentIds(): Promise<ReadonlySet<string>> {
  // Without a store there are those of this tab only.
  const stored = await storedItems(ownerId()).catch(() => []);
  const unsent = items.peek().filter(({ state }) => state !== 'done' && state !== 'duplicate');
  return new Set([...stored, ...unsent].map(({ id }) => id));
}

/** Nothing of the queue remains in this browser. */
export const clearStored = (): Promise<void> => clearStore(ownerId());
