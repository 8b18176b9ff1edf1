import { me } from '../state/session.ts';
import { isSignedIn } from '../state/session-state.ts';
import { setLastOwner } from '../state/last-owner.ts';
import { lockZone } from '../state/zone.ts';
import { to } from '../app/address.ts';
import { forgetUploads } from './queue.ts';
import { forgetShared, readShared, type Shared } from './shared.ts';
import { unsentIds } from './stored-queue.ts';

const ownerId = (): string => me.peek()?.owner.id ?? '';

/** How many files wait in this browser and are not with the service yet. A sign-out deletes them. */
export async function countUnsent(): Promise<number> {
  const [queued, shared] = await Promise.all([unsentIds(), sharedOfOwner()]);
  return queued.size + [...shared.values()].reduce((sum, { files }) => sum + files.length, 0);
}

/**
 * Locks the hidden zone, ends the session, then deletes everything of the owner in this browser. `end` ends it at the service:
 * if it fails, nothing is deleted.
 */
export async function signOut(end: () => Promise<unknown>): Promise<void> {
  // The service takes the lock from the session only: without it the zone would stay open there until its time is over.
  await lockZone();
  await end();
  isSignedIn.value = false;
  const results = await Promise.allSettled([forgetUploads(), forgetSharedOfOwner()]);
  setLastOwner(undefined);
  for (const result of results) if (result.status === 'rejected') reportError(result.reason);
  // Nothing of the owner remains in the memory of the tab.
  location.replace(to('/library'));
}

/** A browser without the store has nothing that was shared. */
const sharedOfOwner = () => readShared(ownerId()).catch(() => new Map<number, Shared>());

async function forgetSharedOfOwner(): Promise<void> {
  const shared = await sharedOfOwner();
  if (shared.size > 0) await forgetShared([...shared.keys()]);
}
