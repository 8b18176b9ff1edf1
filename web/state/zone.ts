import { batch, effect, signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { SERVICE } from '../app/address.ts';
import { noteChange } from '../data/live.ts';
import { isSignedIn } from './session-state.ts';
import { takeZoneChats } from './zone-chats.ts';
import {
  clearUnlockToken,
  forgetHidden,
  renewUnlockToken,
  setUnlockToken,
  whileUnlocked,
} from './zone-token.ts';

const CHAT_MS = 3_000;

export interface OpenZone {
  readonly endsAt: number;
  /** For how long it was opened. */
  readonly seconds: number;
}

export const openZone = signal<OpenZone | undefined>(undefined);
/** Where one is inside the zone. The address stays `/hidden`: undefined is its list. */
export const zoneUrl = signal<string | undefined>(undefined);

/** Grows when the whole app has to be made anew, since its screens have shown what is hidden. */
export const appRevision = signal(0);

/** Opens the zone, or leaves it open for longer. */
export function openZoneWith(token: string, seconds: number): void {
  const isLonger = whileUnlocked() !== undefined;
  if (isLonger) renewUnlockToken(token);
  else setUnlockToken(token);
  openZone.value = { endsAt: Date.now() + seconds * 1_000, seconds };
  // Conversations about what is hidden are listed now.
  if (!isLonger) noteChange('chats');
}

/**
 * Locks the zone: here at once, then at the service. The result waits for the service. `isLeaving`: the tab goes away, and the
 * requests do not wait for each other.
 */
export async function lockZone(isLeaving = false): Promise<void> {
  const left = lockHere();
  if (left) await lockService(left.token, left.chats, isLeaving);
}

/**
 * Locks the zone here if the service no longer knows the unlock token: another device has locked it, or has changed the PIN. The
 * zone may be open there again, so no lock is sent to the service.
 */
export async function followLock(): Promise<void> {
  const unlocked = whileUnlocked();
  if (!unlocked) return;
  const { token } = unlocked;
  try {
    const { data } = await api.GET('/v1/hidden-pin');
    if (data?.unlocked === false && whileUnlocked()?.token === token) lockHere();
  } catch {
    // There is no connection, or the zone has just been locked here. The next connection asks again.
  }
}

/** Returns the token that was in use, and the conversations that the service has to remove; undefined if the zone was locked. */
function lockHere() {
  const unlocked = whileUnlocked();
  if (!unlocked) return undefined;
  const chats = takeZoneChats();
  batch(() => {
    clearUnlockToken();
    forgetHidden();
    zoneUrl.value = undefined;
    openZone.value = undefined;
    noteChange('objects', 'folders', 'chats');
  });
  return { token: unlocked.token, chats };
}

/** Requests outlive the tab. What fails here the service makes up for: its lock ends with the token. */
async function lockService(
  token: string,
  chats: readonly string[],
  isLeaving: boolean,
): Promise<void> {
  const removed = chats.map((id) =>
    fetch(`${SERVICE}/v1/chats/${id}`, {
      method: 'DELETE',
      keepalive: true,
      headers: { 'x-hidden-token': token },
      signal: AbortSignal.timeout(CHAT_MS),
    }),
  );
  if (!isLeaving) await Promise.allSettled(removed);
  await Promise.allSettled([
    fetch(`${SERVICE}/v1/hidden-pin/lock`, { method: 'POST', keepalive: true }),
    ...removed,
  ]);
}

effect(() => {
  if (isSignedIn.value === false) void lockZone();
});
