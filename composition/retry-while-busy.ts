import { setTimeout as pause } from 'node:timers/promises';

/**
 * A process that has died may hold the lock of the data folder or the port for a moment longer: until the system has ended
 * it, or until it has noticed that its supervisor is gone. A longer wait would only delay the error about a second server.
 */
const MAX_BUSY_MS = 5_000;
const RETRY_INTERVAL_MS = 50;

/** Repeats the action while its error says that something is busy; after the deadline that error is thrown. */
export async function retryWhileBusy<T>(
  action: () => T | Promise<T>,
  isBusy: (error: unknown) => boolean,
): Promise<T> {
  const deadline = performance.now() + MAX_BUSY_MS;
  for (;;)
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await pause(RETRY_INTERVAL_MS);
    }
}
