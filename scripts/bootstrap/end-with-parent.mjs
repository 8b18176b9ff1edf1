// Preloaded into a command that `becomeNode` runs: ends it when the process that waits for it has died, even by SIGKILL.
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** The command is the leader of its process group, which holds everything that it has started. */
function end() {
  try {
    process.kill(-process.pid, 'SIGTERM');
  } catch {
    // There are no process groups on this system.
    process.kill(process.pid, 'SIGTERM');
  }
}

if (isMainThread && process.channel) {
  if (process.connected) process.once('disconnect', end);
  else end();
  // The IPC channel alone must not keep the event loop alive.
  process.channel.unref();
}
