import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fill } from './data.ts';
import { KEEP_TRASH } from './data-sample.ts';
import type { MixLoad, Interval } from './workload.ts';
import { serve, type Server } from './processes.ts';

const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const HEAP_TOLD = join(import.meta.dirname, 'heap-report.ts');
/** Number of objects that are read and renamed. */
const TOUCHED = 2_000;
const PAGE = 100;
const HEAP_MS = 200;

/** The built service with a workspace of objects, and its resource usage. */
export interface ServerUnderTest {
  readonly server: Server;
  readonly bearer: string;
  /** Load from a separate process; each reported line is passed to `onInterval` as it arrives. */
  put(
    load: Omit<MixLoad, 'base' | 'bearer' | 'objects'>,
    onInterval: (stretch: Interval) => Promise<void> | void,
  ): Promise<void>;
  heapMB(): Promise<number>;
  descriptors(): number;
  close(): Promise<void>;
}

export async function openUnderLoad(
  objects: number,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'ow-held-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    console.log(`filling a workspace of ${objects} objects …`);
    const { bearer } = await fill(dataDir, objects);
    const [roles, heap, ids] = ['roles', 'heap', 'ids'].map((name) =>
      join(folder, `${name}.json`),
    ) as [string, string, string];
    const plenty = { questions: null, enrichments: null, storage_bytes: null };
    await writeFile(roles, JSON.stringify({ unlimited: { requests_per_minute: 1e9, ...plenty } }));
    const own = { DATA_DIR: dataDir, PORT: '0', ROLES_FILE: roles, HEAP_FILE: heap };
    const settings = { ...own, ...KEEP_TRASH, ...env };
    const words = ['--import', HEAP_TOLD, CLI, 'serve', '--json'];
    const server = await serve('service', words, settings);
    await writeFile(ids, JSON.stringify(await someObjects(server.base, bearer)));
    return {
      server,
      bearer,
      put: (load, onInterval) =>
        put({ ...load, base: server.base, bearer, objects: ids }, onInterval),
      heapMB: () => heapMB(server, heap),
      descriptors: () => readdirSync(`/proc/${server.pid}/fd`).length,
      close: async () => {
        await server.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function someObjects(base: string, bearer: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let offset = 0; offset < TOUCHED; offset += PAGE) {
    const response = await fetch(`${base}/v1/objects?limit=${PAGE}&offset=${offset}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const { items } = (await response.json()) as { items: readonly { id: string }[] };
    ids.push(...items.map(({ id }) => id));
  }
  return ids;
}

async function put(
  load: MixLoad,
  onInterval: (stretch: Interval) => Promise<void> | void,
): Promise<void> {
  const words = [join(import.meta.dirname, 'workload.ts'), JSON.stringify(load)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout }))
      await onInterval(JSON.parse(line) as Interval);
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`The load ended with ${code}.`);
  } finally {
    child.kill();
  }
}

/** Current heap usage in MB. */
async function heapMB(server: Server, file: string): Promise<number> {
  await rm(file, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  for (;;) {
    await pause(HEAP_MS);
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('}')) return (JSON.parse(text) as NodeJS.MemoryUsage).heapUsed / 1e6;
    if (server.residentMB() === 0) throw new Error('The service is gone.');
  }
}
