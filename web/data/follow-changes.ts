import { api } from '../api/client.ts';
import { followLock } from '../state/zone.ts';
import { zoneChanges } from '../state/zone-token.ts';
import { changesSince } from './change-stream.ts';
import { CHANGE_KINDS, noteChange } from './live.ts';

const FIRST_PAUSE_MS = 1_000;
const POLL_MS = 15_000;
const POLL_UNSEEN_MS = 120_000;
/** A stream that only broke off is opened again without polling in between. */
const FAILURES_BEFORE_POLLING = 3;

/**
 * Reports the changes that any device of the owner makes, until `signal` aborts: from the event stream of the service
 * while the page is seen, by polling while there is no stream, and rarely in the background. The lock of the hidden zone decides what the stream
 * reports, so it begins again when that changes.
 */
export async function followChanges(signal: AbortSignal): Promise<void> {
  let cursor: string | undefined;
  let notifications: string | null = null;
  let failures = 0;
  while (!signal.aborted) {
    if (isSeen()) {
      const stop = untilInterrupted(signal);
      failures++;
      let isConnected = false;
      try {
        for await (const change of changesSince(cursor, stop.signal)) {
          // A lock on another device ends the stream, or came before it.
          if (!isConnected) void followLock();
          isConnected = true;
          // What was loaded before the first position was known may have changed since.
          const kinds = cursor === undefined ? CHANGE_KINDS : change.kinds;
          ({ cursor } = change);
          failures = 0;
          noteChange(...kinds);
        }
      } catch {
        // The service is busy, away or stopping. It is tried again, and polled in the meantime.
      }
      const { isInterrupted } = stop.end();
      if (isInterrupted) {
        failures = 0;
        if (isSeen()) continue;
      }
      if (failures >= FAILURES_BEFORE_POLLING)
        notifications = await pollAfter(notifications, signal);
    } else {
      notifications = await pollUnseen(notifications, signal);
    }
    await pause(pauseAfter(failures), signal);
  }
}

const isSeen = (): boolean => document.visibilityState === 'visible';

function pauseAfter(failures: number): number {
  if (!isSeen()) return POLL_UNSEEN_MS;
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), POLL_MS);
}

/** Aborts when the page is not seen any more, when the hidden zone opens or locks, and with `signal`. */
function untilInterrupted(signal: AbortSignal) {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  const whenUnseen = () => {
    if (!isSeen()) interrupt();
  };
  const start = zoneChanges.peek();
  const unsubscribe = zoneChanges.subscribe((count) => {
    if (count !== start) interrupt();
  });
  document.addEventListener('visibilitychange', whenUnseen);
  signal.addEventListener('abort', interrupt);
  return {
    signal: controller.signal,
    end: () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', whenUnseen);
      signal.removeEventListener('abort', interrupt);
      return { isInterrupted: controller.signal.aborted };
    },
  };
}

/**
 * Asks for the notifications, which most of what happens without the owner leaves behind. Returns their entity tag. They
 * say little of what other devices do, so everything is loaded again whenever the page is seen.
 */
async function pollAfter(tag: string | null, signal: AbortSignal): Promise<string | null> {
  const found = await poll(tag, signal);
  if (found !== undefined) noteChange(...CHANGE_KINDS);
  await followLock();
  return found?.tag ?? tag;
}

/** In the background only the notifications are counted again. The rest is loaded when the page is seen. */
async function pollUnseen(tag: string | null, signal: AbortSignal): Promise<string | null> {
  const found = await poll(tag, signal);
  if (found?.isNew) noteChange('notifications');
  return found?.tag ?? tag;
}

/** Undefined without a usable response. */
async function poll(
  tag: string | null,
  signal: AbortSignal,
): Promise<{ readonly isNew: boolean; readonly tag: string | null } | undefined> {
  try {
    const { response } = await api.GET('/v1/notifications', {
      params: { query: { unread: true, limit: 20 } },
      headers: tag === null ? {} : { 'if-none-match': tag },
      signal,
    });
    const isNew = response.status !== 304;
    if (isNew && !response.ok) return undefined;
    return { isNew, tag: response.headers.get('etag') };
  } catch {
    // There is no connection: the parts of the page say so themselves.
    return undefined;
  }
}

/** Ends early when the page is seen again, and when `signal` aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', whenSeen);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const whenSeen = () => {
      if (isSeen()) end();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener('visibilitychange', whenSeen);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
