import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 100;

/**
 * Calls `onBreach` once when a process uses more than `limitMiB` of memory of any kind. Uses /proc; without it
 * nothing is monitored.
 */
export function enforceMemoryLimit(
  pid: number | undefined,
  limitMiB: number,
  onBreach: () => void,
): { stop(): void } {
  const timer = setInterval(() => void look(), INTERVAL_MS);
  const look = async (): Promise<void> => {
    const resident = await residentMiB(pid);
    if (resident === undefined) clearInterval(timer);
    else if (resident > limitMiB) {
      clearInterval(timer);
      onBreach();
    }
  };
  return { stop: () => clearInterval(timer) };
}

/** Memory of a process in MiB; undefined if it has ended or the system does not report it. */
export async function residentMiB(pid: number | undefined): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    // The process has ended, or there is no /proc.
    return undefined;
  }
}
