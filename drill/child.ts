import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/** All child processes: none is left running, however the drill ends. */
const running = new Set<ChildProcess>();

export function run(
  program: string,
  words: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  // A service ends when the channel closes: also when this process is killed.
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Kills it; resolves once it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

export async function endAll(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, 'SIGKILL')));
}

/** Its output; the exit status is part of the result. */
export function output(
  program: string,
  words: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, words, { ...options, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Polls until a condition holds. Rejects after the deadline. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s.`);
    await pause(100);
  }
}
