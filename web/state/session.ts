import { signal } from '@preact/signals';
import { api } from '../api/client.ts';
import type { components } from '../api/schema.js';
import { toApiError } from '../api/errors.ts';
import { to } from '../app/address.ts';
import { lastOwner, setLastOwner } from './last-owner.ts';
import { hasOtherOwner, isSignedIn, openFailure } from './session-state.ts';
import { loadSettings } from './settings.ts';

export type Me = components['schemas']['Me'];

/** The signed-in owner. A document is of one owner for its whole life. */
export const me = signal<Me | undefined>(undefined);

/** Tells the other tabs of this browser, which share its session, whose session it is. */
const tabs = new BroadcastChannel('session');
tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  const owner = me.peek()?.owner.id;
  if (owner !== undefined && data !== owner) startAfresh();
};

/**
 * Reads the owner of the session, and applies the owner's settings. Sets `isSignedIn` to false if there is none. A service
 * that fails does not end the session: that throws. If the session is that of another owner, the app is loaded again, and
 * the result waits for ever.
 */
export async function loadSession(): Promise<void> {
  const [{ data, error, response }] = await Promise.all([api.GET('/v1/me'), loadSettings()]);
  if (!data && response.status >= 500) throw toApiError(response, error);
  if (data) await begin(data);
  isSignedIn.value = data !== undefined;
}

async function begin(found: Me): Promise<void> {
  const { id } = found.owner;
  const before = me.peek()?.owner.id;
  const last = before ?? lastOwner();
  if (last !== undefined && last !== id) {
    const { bindShared } = await import('../uploads/shared.ts');
    // A browser without this store has nothing to bind.
    await bindShared(last).catch(reportError);
  }
  setLastOwner(id);
  tabs.postMessage(id);
  if (before !== undefined && before !== id) {
    startAfresh();
    await new Promise<never>(() => undefined);
  }
  me.value = found;
}

/**
 * Loads the app again, at its beginning: nothing of the owner remains in the memory of the tab, and the address may have
 * words of the owner, such as those of a search. Files that wait are stored under their owner's id.
 */
function startAfresh(): void {
  hasOtherOwner.value = true;
  isSignedIn.value = false;
  // The screens are taken away first, and with them the warnings before the page is left.
  setTimeout(() => location.replace(to('/library')));
}

/** Opens the session when the app is opened. Without a network, or if the service fails, the app says so. */
export async function openSession(): Promise<void> {
  try {
    await loadSession();
    openFailure.value = undefined;
  } catch (error) {
    openFailure.value = error;
  }
}
