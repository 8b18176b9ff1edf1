import { readFileSync, readdirSync } from 'node:fs';

/** Kills a process, its descendants and its process group. Without /proc only the process and its group. */
export function killTree(pid: number): void {
  const children = childrenOf(processTable());
  const doomed = [pid];
  for (const each of doomed) doomed.push(...(children.get(each) ?? []));
  for (const each of doomed) kill(each);
  killGroup(pid);
}

/** Kills what is left of the process group of a leader, which may have ended. */
export function killGroup(leader: number): void {
  if (process.platform !== 'win32') kill(-leader);
}

/** Process id and the id of its parent. */
function processTable(): readonly (readonly [pid: number, parent: number])[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)] as const);
  } catch {
    // This system has no /proc.
    return [];
  }
}

function parentOf(pid: string): number {
  try {
    // The name of the program, in brackets, may contain anything.
    const [, parent] = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(parent);
  } catch {
    // It has just ended.
    return 0;
  }
}

function childrenOf(table: ReturnType<typeof processTable>): ReadonlyMap<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of table) children.set(parent, [...(children.get(parent) ?? []), pid]);
  return children;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
