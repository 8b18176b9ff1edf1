import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Start options of a process that may read its own code only. */
export interface ConfinedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface SandboxOptions {
  /** The module the process runs. */
  readonly entry: string;
  /** Further folders whose code it may load, besides packages. */
  readonly code: readonly string[];
  readonly packages: readonly string[];
  /** Further files it may read. */
  readonly files?: readonly string[];
  /** Whether it may load native modules. These are limited in time and memory only. */
  readonly addons?: true;
  /** Whether it runs at low CPU priority, and returns memory to the system early. */
  readonly givesWay?: true;
  readonly heapMiB: number;
  /** Maximum size of a file it may write, through an inherited descriptor. Default 0. */
  readonly fileBytes?: number;
  /** CPU time after which the system ends the process, even if its parent has died. */
  readonly cpuSeconds: number;
}

/**
 * Node's permission model forbids files, child processes, workers and native addons; the shell sets the CPU time
 * limit, which Node cannot; no environment variable is inherited.
 */
export function confinedCommand(confinement: SandboxOptions): ConfinedCommand {
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

function readable({ entry, code, packages, files = [] }: SandboxOptions): string[] {
  const paths = new Set([entry, ...files, ...code.map((folder) => join(folder, '*'))]);
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) paths.add(manifest);
    if (folder === dirname(folder)) break;
  }
  for (const name of packages) paths.add(join(modulesOf(name), '*'));
  return [...paths];
}

/** The outermost `node_modules` folder of a package, which contains its dependencies as well. */
function modulesOf(name: string): string {
  const path = fileURLToPath(import.meta.resolve(name));
  return path.slice(0, path.indexOf(MODULES) + MODULES.length);
}

/**
 * glibc keeps an arena with freed memory per thread; this sets one for all. Blocks of up to 32 MiB are allocated from
 * it, and 32 MiB of it are retained: requesting each block, with empty pages, from the system takes a fifth of the
 * time of an image. Other C libraries ignore this.
 */
const FRUGAL = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '33554432',
};

/** The unit of `ulimit -f`. */
const BLOCK_BYTES = 512;

const MODULES = `${sep}node_modules`;

const systemRoot = (): Record<string, string> =>
  process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] };
