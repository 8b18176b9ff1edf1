import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modulesOf } from './modules.ts';
import { NOT_CONFINED, type ConfinedCommand, type SystemConfinement } from './namespaces.ts';

export interface SandboxOptions {
  /** The module the process runs. */
  readonly entry: string;
  /** Further folders whose code it may load, besides packages. */
  readonly code: readonly string[];
  readonly packages: readonly string[];
  /** Further files it may read. */
  readonly files?: readonly string[];
  /** Whether it may load native modules. The system confines these where it can; else they are limited in time and memory only. */
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
 * limit, which Node cannot; no environment variable is inherited. Where the system allows it, no other file exists for the
 * process, and no network.
 */
export function confinedCommand(
  confinement: SandboxOptions,
  system: SystemConfinement = NOT_CONFINED,
): ConfinedCommand {
  const { entry, addons, givesWay, heapMiB, fileBytes = 0, cpuSeconds } = confinement;
  const paths = readable(confinement);
  const node = [
    '--permission',
    ...(addons ? ['--allow-addons'] : []),
    ...paths.map(allowing),
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
  const command = {
    file: '/bin/sh',
    args: ['-c', limits, 'sh', String(cpuSeconds), blocks, process.execPath, ...node],
    env: givesWay ? FRUGAL : {},
  };
  return system.wrap(command, [process.execPath, ...paths.map(({ path }) => path)]);
}

interface Readable {
  readonly path: string;
  readonly isFolder: boolean;
}

const file = (path: string): Readable => ({ path, isFolder: false });
const folder = (path: string): Readable => ({ path, isFolder: true });
const allowing = ({ path, isFolder }: Readable): string =>
  `--allow-fs-read=${isFolder ? join(path, '*') : path}`;

function readable({ entry, code, packages, files = [] }: SandboxOptions): readonly Readable[] {
  const modules = new Set(packages.map(modulesOf));
  return [
    ...[entry, ...files, ...manifestsAbove(entry)].map(file),
    ...[...code, ...modules].map(folder),
  ];
}

function manifestsAbove(entry: string): readonly string[] {
  const above = dirname(entry);
  const own = [join(above, 'package.json')].filter((path) => existsSync(path));
  return above === dirname(above) ? own : [...own, ...manifestsAbove(above)];
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

const systemRoot = (): Record<string, string> =>
  process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] };
