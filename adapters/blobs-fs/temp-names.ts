import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies the scope of process ids: one machine and one PID namespace, since containers that share a folder, and
 * even a host name, each count their own.
 */
function neighbourhood(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: there is only one.
  }
  return createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 16);
}

const HERE = neighbourhood();
const STARTED_AT = Date.now() - process.uptime() * 1_000;

/** Records in the file name which process is writing it. */
export const temporaryName = (blobId: string): string => `${blobId}.${process.pid}.${HERE}`;

/** Whether the process that wrote the file is known to be dead. A process in another scope may be alive. */
export function isOrphanedTempFile(name: string, modifiedAt: number): boolean {
  const [, pid, where] = name.split('.');
  if (where !== HERE) return false;
  // The same id, but from before this process started: it was another process.
  if (Number(pid) === process.pid) return modifiedAt < STARTED_AT;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
