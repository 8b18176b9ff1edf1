import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How a process is started that may read its own code and nothing else. */
export interface ConfinedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Confinement {
  /** Module the process runs. */
  readonly entry: string;
  /** Folders whose code it may load, besides those of the packages. */
  readonly code: readonly string[];
  readonly packages: readonly string[];
  /** Single files it may read besides. */
  readonly files?: readonly string[];
  /** Whether it may load native modules. What these do is then bounded in time and memory only. */
  readonly addons?: true;
  /** Whether it runs only while nobody else wants the processor, and gives memory back to the system early. */
  readonly givesWay?: true;
  readonly heapMiB: number;
  /** Of the largest file it may write, by a descriptor that it was given. Default 0. */
  readonly fileBytes?: number;
  /** Processor time after which the system ends the process, even when nobody else is left to. */
  readonly cpuSeconds: number;
}

/**
 * Node's permission model takes away files, child processes, workers and native addons; the shell sets
 * the limit on processor time, which Node cannot; no variable of this process is handed on.
 */
export function confinedCommand(confinement: Confinement): ConfinedCommand {
  const { entry, addons, givesWay, heapMiB, fileBytes = 0, cpuSeconds } = confinement;
  const node = [
    '--permission',
    ...(addons ? ['--allow-addons'] : []),
    ...readable(confinement).map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMiB}`,
    '--v8-pool-size=1',
    ...(givesWay ? ['--expose-gc'] : []),
    '--no-warnings',
    entry,
  ];
  if (process.platform === 'win32')
    return { file: process.execPath, args: node, env: systemRoot() };
  const limits = 'ulimit -c 0; ulimit -t "$1"; ulimit -f "$2"; shift 2; exec "$@"';
  const blocks = String(Math.ceil(fileBytes / BLOCK_BYTES));
  return {
    file: '/bin/sh',
    args: ['-c', limits, 'sh', String(cpuSeconds), blocks, process.execPath, ...node],
    env: givesWay ? FRUGAL : {},
  };
}

function readable({ entry, code, packages, files = [] }: Confinement): string[] {
  const paths = new Set([entry, ...files, ...code.map((folder) => join(folder, '*'))]);
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) paths.add(manifest);
    if (folder === dirname(folder)) break;
  }
  for (const name of packages) paths.add(join(modulesOf(name), '*'));
  return [...paths];
}

/** The outermost `node_modules` folder a package lies in: what it needs itself lies there as well. */
function modulesOf(name: string): string {
  const path = fileURLToPath(import.meta.resolve(name));
  return path.slice(0, path.indexOf(MODULES) + MODULES.length);
}

/**
 * glibc keeps an arena for each thread, and what was freed in each of them: here is one for all. Out of it come pieces of
 * up to 32 MiB as well, and 32 MiB of it are kept: asking the system for each anew, and for its empty pages, takes a fifth
 * of the time that a picture does. Elsewhere nobody reads this.
 */
const FRUGAL = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '33554432',
};

/** What `ulimit -f` counts in. */
const BLOCK_BYTES = 512;

const MODULES = `${sep}node_modules`;

const systemRoot = (): Record<string, string> =>
  process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] };
