/**
 * Round trip with real files: `npm run test:roundtrip -- FOLDER… [--most 300] [--largest-mb 20]`, or with `--noise
 * COUNT` that many files of 20 MB each, to measure their memory use. Uploads a mix of formats into a temporary service,
 * waits until they are processed, lets the service organise them if it can, exports everything, imports it into a new
 * service on the other database, and compares all responses of the two. Exit status 1 if one differs.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, opendir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { profiles, startService, type Service } from '../contract-tests/http/harness.ts';
import {
  waitForResponse,
  exportTo,
  resetPeakMemory,
  get,
  importFrom,
  memoryOf,
} from './roundtrip-client.ts';
import { findDifferences, everyObject } from './roundtrip-compare.ts';

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '300' },
    'largest-mb': { type: 'string', default: '20' },
    'wait-minutes': { type: 'string', default: '20' },
    noise: { type: 'string' },
  },
});
if (folders.length === 0 && values.noise === undefined) {
  console.error(
    'Usage: npm run test:roundtrip -- FOLDER… [--most 300] [--largest-mb 20] | --noise COUNT',
  );
  process.exit(2);
}

const UPLOADS_AT_ONCE = 3;
const NOISE_BYTES = 20_000_000;
const MAX_FOLDERS = 60;
const SEARCHES = 'license copyright file error table example python data the "all rights"'.split(
  ' ',
);
const QUESTIONS = ['What license applies?', 'Who wrote it?', 'What does the example show?'];

const seconds = (from: number): number => Math.round((performance.now() - from) / 100) / 10;
const say = (line: string): void => console.log(line);

/** Files below a folder, without links and unreadable ones. */
async function* walk(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(() => undefined);
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

/** Common extensions; others come after these, and are counted together. */
const USUAL = new Set(
  `pdf docx xlsx pptx odt ods odp rtf epub eml doc xls ppt txt md rst html htm csv tsv json xml svg png jpg jpeg gif webp
   tif py js ts c h sh log yaml zip gz mp3 mp4 tex ics css po`
    .trim()
    .split(/\s+/)
    .map((extension) => `.${extension}`),
);

/** Maximum number of files. */
const EXPECTED_SHARE = 0.85;

/** A mixed selection: one of each extension in turn. */
async function chosen(most: number, largest: number): Promise<readonly string[]> {
  const byExtension = new Map<string, string[]>();
  for (const folder of folders)
    for await (const path of walk(folder)) {
      const info = await stat(path).catch(() => undefined);
      if (!info || info.size === 0 || info.size > largest) continue;
      const extension = extname(path).toLowerCase();
      const some = byExtension.get(extension) ?? [];
      if (some.length < most) byExtension.set(extension, [...some, path]);
    }
  const picked: string[] = [];
  const take = (usual: boolean, until: number) => {
    const piles = [...byExtension]
      .filter(([it]) => USUAL.has(it) === usual)
      .map(([, it]) => it.sort());
    for (let n = 0; picked.length < until && piles.some((pile) => pile.length > n); n++)
      for (const pile of piles)
        if (pile[n] !== undefined && picked.length < until) picked.push(pile[n]!);
  };
  take(true, Math.ceil(most * EXPECTED_SHARE));
  take(false, most);
  return picked;
}

/** Uploads the files, each into a folder named after its original one. */
async function load(service: Service, paths: readonly string[]): Promise<Map<string, number>> {
  const theme = (await waitForResponse(service, 'POST', '/v1/themes', { name: 'Trial' })).json;
  const shelves = new Map<string, string>();
  for (const path of paths) {
    const name = basename(dirname(path)).slice(0, 120) || 'root';
    if (shelves.has(name.toLowerCase()) || shelves.size === MAX_FOLDERS) continue;
    const body = { name, theme_id: theme.id };
    shelves.set(
      name.toLowerCase(),
      (await waitForResponse(service, 'POST', '/v1/collections', body)).json.id,
    );
  }
  const started = new Map<string, number>();
  const queue = [...paths];
  const upload = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const shelf = shelves.get(basename(dirname(path)).toLowerCase());
      const bytes = await readFile(path).catch(() => undefined);
      if (!bytes) continue;
      const fields: Record<string, string> = shelf === undefined ? {} : { collection_id: shelf };
      const answer = await service.upload(basename(path), bytes, fields);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      started.set(answer.json.items[0].id, performance.now());
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload));
  return started;
}

async function loadNoise(service: Service, count: number): Promise<Map<string, number>> {
  const started = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const answer = await service.upload(`noise-${i}.bin`, randomBytes(NOISE_BYTES));
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    started.set(answer.json.items[0].id, performance.now());
  }
  return started;
}

/** Waits until all files are processed; returns the duration of each in milliseconds, to a quarter of a second. */
async function read(service: Service, started: ReadonlyMap<string, number>) {
  const deadline = performance.now() + Number(values['wait-minutes']) * 60_000;
  const took = new Map<string, number>();
  for (;;) {
    let waiting = 0;
    for await (const { id, status } of everyObject(service, '&include_hidden=1'))
      if (status === 'pending' || status === 'processing') waiting++;
      else if (!took.has(id)) took.set(id, performance.now() - (started.get(id) ?? 0));
    if (waiting === 0) return took;
    if (performance.now() > deadline) throw new Error(`${waiting} files are still being read.`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Starts a reorganization, if the service supports it. */
async function reorganize(service: Service): Promise<string> {
  const started = await service.call('POST', '/v1/objects/reorganize', { body: { scope: 'all' } });
  if ([404, 405].includes(started.status)) return 'not there yet';
  if (started.status !== 200) throw new Error(`reorganize: ${started.status} ${started.text}`);
  const deadline = performance.now() + 10 * 60_000;
  for (;;) {
    const outcome = await get(service, `/v1/objects/reorganize/${started.json.task_id}`);
    if (outcome.state === 'SUCCESS')
      return `${outcome.moved} moved, ${outcome.created_folders} folders made`;
    if (outcome.state === 'FAILURE' || performance.now() > deadline)
      throw new Error(`reorganize: ${JSON.stringify(outcome)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function table(rows: readonly (readonly (string | number)[])[]): void {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => String(row[i]).length)),
  );
  for (const row of rows)
    say(
      `  ${row.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]!) : String(cell).padStart(widths[i]!))).join('  ')}`,
    );
}

async function report(service: Service, took: ReadonlyMap<string, number>): Promise<void> {
  const formats = new Map<
    string,
    { files: number; ready: number; failed: number; manual: number; worst: number }
  >();
  const slow: { readonly ms: number; readonly name: string; readonly status: string }[] = [];
  for await (const object of everyObject(service, '&include_hidden=1')) {
    const extension = extname(object.original_name ?? object.filename).toLowerCase();
    const key = `${object.kind} ${USUAL.has(extension) ? extension : '(others)'}`;
    const row = formats.get(key) ?? { files: 0, ready: 0, failed: 0, manual: 0, worst: 0 };
    const ms = took.get(object.id) ?? 0;
    row.files++;
    row.ready += object.status === 'ready' && !object.needs_manual ? 1 : 0;
    row.failed += object.status === 'failed' ? 1 : 0;
    row.manual += object.needs_manual ? 1 : 0;
    row.worst = Math.max(row.worst, ms);
    formats.set(key, row);
    slow.push({ ms, name: object.filename, status: object.status });
  }
  const sum = (
    pick: (row: { files: number; ready: number; failed: number; manual: number }) => number,
  ) => [...formats.values()].reduce((all, row) => all + pick(row), 0);
  say('\nWhat became of the files (seconds count from the upload, waiting included)');
  table([
    ['format', 'files', 'ready', 'failed', 'needs_manual', 'slowest s'],
    ...[...formats]
      .sort()
      .map(([key, row]) => [
        key,
        row.files,
        row.ready,
        row.failed,
        row.manual,
        (row.worst / 1_000).toFixed(1),
      ]),
    [
      'all',
      sum((r) => r.files),
      sum((r) => r.ready),
      sum((r) => r.failed),
      sum((r) => r.manual),
      '',
    ],
  ]);
  say('\nSlowest');
  slow.sort((a, b) => b.ms - a.ms);
  table(
    slow.slice(0, 8).map(({ ms, name, status }) => [name, status, `${(ms / 1_000).toFixed(1)} s`]),
  );
}

async function roundtrip(source: Service, target: Service, folder: string): Promise<number> {
  const noise = values.noise === undefined ? undefined : Number(values.noise);
  const steps: (readonly (string | number)[])[] = [['step', 'seconds', 'resident MB', 'peak MB']];
  const timed = async <T>(name: string, service: Service, work: () => Promise<T>): Promise<T> => {
    await resetPeakMemory(service);
    const from = performance.now();
    const result = await work();
    const { residentMB, peakMB } = await memoryOf(service);
    steps.push([name, seconds(from), residentMB, peakMB]);
    console.error(
      `  … ${name}: ${seconds(from)} s, ${residentMB} MB resident, ${peakMB} MB at most`,
    );
    return result;
  };
  const started = await timed('upload', source, async () =>
    noise === undefined
      ? load(source, await chosen(Number(values.most), Number(values['largest-mb']) * 1e6))
      : loadNoise(source, noise),
  );
  const took = await timed('read', source, () => read(source, started));
  const sorted =
    noise === undefined ? await timed('reorganize', source, () => reorganize(source)) : '';
  for (const question of noise === undefined ? QUESTIONS : [])
    await waitForResponse(source, 'POST', '/v1/ask', { question });
  const file = join(folder, 'export.zip');
  const size = await timed('export', source, () => exportTo(source, file));
  const outcome = await timed('import', target, () => importFrom(target, file));
  const again = await timed('import again', target, () => importFrom(target, file));
  await read(target, new Map());
  const { compared, different } = await timed('compare', target, () =>
    findDifferences(source, target, SEARCHES),
  );
  if (noise === undefined) await report(source, took);
  say('\nSteps, and the memory of the service that did them');
  table(steps);
  say(
    `\n${started.size} files, ${(size / 1e6).toFixed(1)} MB exported; sorted: ${sorted || 'not asked'}`,
  );
  say(`Imported: ${JSON.stringify(outcome)}`);
  say(`Imported again: ${JSON.stringify(again)}`);
  for (const each of different) say(`DIFFERENT ${each}`);
  const twice = again.objects.created;
  say(
    `${compared} answers compared, ${different.length} different; created by the second import: ${twice}`,
  );
  return different.length + twice;
}

const [from, to] = [profiles[0], profiles[1] ?? profiles[0]];
if (!from || !to) throw new Error('There is no database to run on.');
const folder = await mkdtemp(join(tmpdir(), 'ow-trial-'));
const services: Service[] = [];
try {
  for (const profile of [from, to]) services.push(await startService(profile));
  const [source, target] = services as [Service, Service];
  say(`From ${from} to ${to}.`);
  process.exitCode = (await roundtrip(source, target, folder)) === 0 ? 0 : 1;
} finally {
  for (const service of services) await service.dispose();
  await rm(folder, { recursive: true, force: true });
}
