import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Where the numbers of processes mean the same: one machine, and on it one namespace of processes, since containers
 * that share a folder, and even a host name, each count their own.
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

/** Tells whoever comes across the file later which process was writing it. */
export const temporaryName = (blobId: string): string => `${blobId}.${process.pid}.${HERE}`;

/** Whether the process that wrote the file is known to be dead. What was written elsewhere may well be alive. */
export function leftByTheDead(name: string, modifiedAt: number): boolean {
  const [, pid, where] = name.split('.');
  if (where !== HERE) return false;
  // Our own number, but from before our time: it was another process that had it.
  if (Number(pid) === process.pid) return modifiedAt < STARTED_AT;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
