import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 100;

/**
 * Calls `onBreach` once when a process holds more than `limitMiB` of memory, whatever it holds there.
 * Looks into /proc; on systems without it nothing is watched.
 */
export function watchMemory(
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

/** Memory a process holds, in MiB; undefined when it is gone or the system does not tell. */
export async function residentMiB(pid: number | undefined): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    // No such process any more, or no /proc.
    return undefined;
  }
}
