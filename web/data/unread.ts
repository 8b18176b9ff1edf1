import { effect, signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { isDrawn } from '../state/drawn.ts';
import { isSignedIn } from '../state/session-state.ts';
import { onLock, zoneChanges } from '../state/zone-token.ts';
import { revisionOf } from './live.ts';

/** How many notifications are unread; undefined until it is known. */
export const unread = signal<number | undefined>(undefined);

let controller = new AbortController();

async function load(): Promise<void> {
  controller.abort();
  controller = new AbortController();
  const { signal } = controller;
  try {
    const { data } = await api.GET('/v1/notifications', {
      params: { query: { unread: true, limit: 1 } },
      signal,
    });
    if (data && !signal.aborted) unread.value = data.unread;
  } catch {
    // The number is left as it is: the list itself says what failed.
  }
}

effect(() => {
  // Read, so that every change of notifications, and of the lock, counts them again.
  const revision = revisionOf('notifications').value + zoneChanges.value;
  if (isSignedIn.value && isDrawn.value && revision >= 0) void load();
});

// Those of hidden documents are not counted from the first frame on.
onLock(() => {
  controller.abort();
  unread.value = undefined;
});
