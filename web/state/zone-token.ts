import { signal } from '@preact/signals';

/** The unlock token of the hidden zone. It exists in the memory of one tab and nowhere else. */
export interface Unlocked {
  readonly token: string;
  /** Aborted when the zone locks. */
  readonly signal: AbortSignal;
}

let current: { token: string; readonly controller: AbortController } | undefined;
const forgetting = new Set<() => void>();

/** Grows whenever the zone opens or locks. */
export const zoneChanges = signal(0);

export const whileUnlocked = (): Unlocked | undefined =>
  current && { token: current.token, signal: current.controller.signal };

export function setUnlockToken(token: string): void {
  clearUnlockToken();
  current = { token, controller: new AbortController() };
  zoneChanges.value++;
}

/** The zone stays open with another token. Requests that are under way go on. */
export function renewUnlockToken(token: string): void {
  if (current) current.token = token;
}

/** Forgets the token and aborts every request that carries it. */
export function clearUnlockToken(): void {
  const unlocked = current;
  current = undefined;
  if (!unlocked) return;
  unlocked.controller.abort(new DOMException('The hidden zone is locked.', 'AbortError'));
  zoneChanges.value++;
}

/** Returns a function that is true once the zone that is open now has locked. Without an open zone it is never true. */
export function watchForLock(): () => boolean {
  const unlocked = whileUnlocked();
  return () => unlocked?.signal.aborted ?? false;
}

/** Registers a store that outlives its screen and may name what is hidden. */
export function onLock(forget: () => void): void {
  forgetting.add(forget);
}

export function forgetHidden(): void {
  for (const forget of forgetting) forget();
}
