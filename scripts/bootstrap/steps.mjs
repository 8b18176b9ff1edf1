import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const PROGRESS_MS = 5_000;
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Ctrl-C arrives from the terminal and again from npm. Within this time both count as one signal. */
const ECHO_MS = 500;
const PARENT_MS = 500;
const SHELL = /^(ba|da|a|k|z)?sh$|^busybox$/;
/** Read first: npm may be killed while the runtime or the build is still being prepared. */
const NPM = ancestry();
const END_WITH_PARENT = pathToFileURL(join(ROOT, 'scripts/bootstrap/end-with-parent.mjs')).href;
const MOVES = 5;
const WHOLLY = { recursive: true, force: true, maxRetries: 5 };

/** Ends the run with one line and this exit status. */
export class FatalError extends Error {
  constructor(message, status = 1) {
    super(message);
    this.status = status;
  }
}

/** Standard output belongs to the command that is run, so messages go to standard error. */
export const say = (line) => void process.stderr.write(`${line}\n`);

/** The environment of children: the right Node comes first on the path. */
export const environment = (node) => ({
  ...process.env,
  NODE: node,
  npm_node_execpath: node,
  PATH: [dirname(node), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
});

/**
 * Runs a command quietly, and reports what it does and that it continues. `explain` makes one line of a failure's
 * output.
 */
export async function step(line, command, words, options, explain) {
  say(`> ${line}`);
  const from = Date.now();
  const tick = () => say(`  … ${Math.round((Date.now() - from) / 1_000)} s`);
  const timer = setInterval(tick, PROGRESS_MS);
  const output = [];
  const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => output.push(chunk));
  const { status, interrupted } = await ended(child);
  clearInterval(timer);
  if (interrupted) throw new FatalError(`Interrupted: ${line}.`, status || 130);
  if (status !== 0) throw new FatalError(explain(Buffer.concat(output).toString().trim()));
}

/** Runs a command on the terminal and ends with its status. */
export async function execInPlace(command, words, options) {
  // In a process group of its own the command gets each signal once, from this process, and not also from the terminal.
  const detached = process.platform !== 'win32';
  const child = spawn(command, words, { stdio: 'inherit', ...options, detached });
  stopWithParent(() => child.kill('SIGTERM'));
  const { status } = await ended(child);
  killGroup(child.pid);
  process.exit(status);
}

/** The same for a Node program. It ends together with this process, however this process dies. */
export const becomeNode = (node, words, options) =>
  execInPlace(node, ['--import', END_WITH_PARENT, ...words], {
    ...options,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });

/**
 * Kills the remaining processes of a group whose leader has ended, for example a child that is busy and reads no input.
 */
export function killGroup(leader) {
  if (process.platform === 'win32') return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // Usually none is left.
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * The parent of this process. If that is a shell, which npm and npx put in between, also the parent of the shell: it
 * changes when npm dies, while the shell still waits.
 */
function ancestry() {
  const { ppid } = process;
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(
      readFileSync(`/proc/${ppid}/stat`, 'utf8'),
    );
    return SHELL.test(name) ? `${ppid} ${parent}` : String(ppid);
  } catch {
    // The parent has just died, or this system has no /proc.
    return String(ppid);
  }
}

/** If its npm was killed, no other process would stop a server. */
export function stopWithParent(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const timer = setInterval(() => {
    if (ancestry() === NPM) return;
    clearInterval(timer);
    stop();
  }, PARENT_MS);
  timer.unref();
}

/** Whether a signal that arrives now is the same one again, forwarded by npm or by the terminal. */
export const isEcho = (heardAt) => Date.now() - heardAt < ECHO_MS;

/** Waits for a child, passing signals on to it. A child that a signal ended counts as 128 and the signal's number. */
function ended(child) {
  let interrupted = false;
  let heardAt = -Infinity;
  const pass = (signal) => {
    interrupted = true;
    if (isEcho(heardAt)) return;
    heardAt = Date.now();
    child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new FatalError(`${child.spawnfile}: ${error.message}`)));
    child.once('close', (code, signal) => {
      for (const each of SIGNALS) process.off(each, pass);
      resolve({ status: signal ? 128 + constants.signals[signal] : code, interrupted });
    });
  });
}

/**
 * Creates a file or folder in a temporary location and moves it to its destination when it is complete. A run that is
 * killed leaves nothing half done, and of two concurrent runs the slower one finds the work done. `make` works in the
 * given folder and returns the path to be moved. `done` checks whether the destination is complete.
 */
export async function createAtomically(place, prefix, done, make) {
  const draft = join(ROOT, `${prefix}${process.pid}-${randomBytes(3).toString('hex')}`);
  sweepDrafts(prefix, `${draft}-old`);
  try {
    moveIn(await make(draft), place, draft, done);
  } finally {
    for (const folder of [draft, `${draft}-old`]) rmSync(folder, WHOLLY);
  }
}

function moveIn(created, place, draft, done) {
  for (let move = 1; !done(); move++)
    try {
      if (existsSync(place)) renameSync(place, `${draft}-old`);
      renameSync(created, place);
      return;
    } catch (error) {
      // Another run moved its own copy in between.
      if (move === MOVES || !['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) throw error;
      rmSync(`${draft}-old`, WHOLLY);
    }
}

/** Removes the drafts of runs that were killed. */
function sweepDrafts(prefix, bin) {
  for (const name of readdirSync(ROOT)) {
    const pid = name.startsWith(prefix) && /^\d+/.exec(name.slice(prefix.length));
    if (!pid || isAlive(Number(pid[0]))) continue;
    try {
      // Renamed first: another run may also be removing it, and an npm that lost its parent may still be writing.
      renameSync(join(ROOT, name), bin);
    } catch (error) {
      if (error.code === 'ENOENT') continue;
      throw error;
    }
    rmSync(bin, WHOLLY);
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
