/** Messages to the parent process, if that is a supervisor (scripts/bootstrap/supervise.mjs). */

/** Exit status after an uncaught error (EX_SOFTWARE of sysexits.h). */
export const UNCAUGHT_STATUS = 70;

/** The service is ready; `port` is where it listens, and where it will listen after a restart. */
export function reportReady(port?: number): void {
  if (process.connected) process.send?.({ ready: true, port }, undefined, undefined, ignoreGone);
}

/**
 * Ends this process immediately when its supervisor has died. Otherwise it would hold the lock of the data folder,
 * and the next supervisor could not start the service. For the data this is the same as `kill -9`.
 */
export function endWithSupervisor(): void {
  if (process.send === undefined) return;
  // The supervisor died while this process was being loaded.
  if (!process.connected) endAtOnce();
  process.once('disconnect', endAtOnce);
  // The IPC channel alone must not keep the event loop alive.
  process.channel?.unref();
}

/** Includes its child processes: a busy child does not notice that its output is no longer read. */
function endAtOnce(): never {
  try {
    // A supervisor starts the service as the leader of a process group.
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // It leads none: some other program has started it, or the system has no groups.
  }
  process.exit(1);
}

/** `disconnect` reports it as well. */
const ignoreGone = (): void => undefined;
