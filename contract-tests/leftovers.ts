import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import type { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What a spec file has started and must end: services, servers, databases, browsers. Each registers itself when it begins.
 * A root hook ends what is left when the tests of the file have ended, also if its `before` failed or a test exceeded its
 * time limit.
 */
interface Running {
  readonly what: string;
  readonly end: () => unknown;
}

const ofFile = new Set<Running>();
/** What the files of this process share. */
const ofProcess = new Set<Running>();
const startedFor = new AsyncLocalStorage<Set<Running>>();
const sharedEnds = new Set<() => Promise<unknown>>();

/** Processes and servers may end shortly after the last hook of a file: it need not wait for them. */
const GRACE_MS = 2_000;
const MAX_END_MS = 10_000;

/** Returns a function that removes it, to be called when it has ended. `end` is called only if it is left. */
export function registerRunning(what: string, end: () => unknown): () => void {
  const running = startedFor.getStore() ?? ofFile;
  const entry = { what, end };
  running.add(entry);
  return () => void running.delete(entry);
}

export interface Shared<T> {
  readonly start: () => Promise<T>;
  readonly end: (started: T) => Promise<unknown>;
  /** Whether it still runs. */
  readonly isRunning: (started: T) => boolean;
}

/**
 * Something that the files of this process share. It starts with the first use and is no leftover of a file. If it has ended
 * since, the next use starts another one.
 */
export function sharedByFiles<T>({ start, end, isRunning }: Shared<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  const stop = async (): Promise<void> => {
    const last = await started?.catch(() => undefined);
    started = undefined;
    if (last !== undefined) await end(last);
  };
  sharedEnds.add(stop);
  return async () => {
    const last = await started?.catch(() => undefined);
    if (last !== undefined && isRunning(last)) return last;
    await stop();
    started = startedFor.run(ofProcess, start);
    return started;
  };
}

export function registerProcess<Child extends ChildProcess>(what: string, child: Child): Child {
  const remove = registerRunning(what, () => child.kill('SIGKILL'));
  child.once('exit', remove);
  // It did not start.
  child.once('error', remove);
  return child;
}

export function registerServer<Listening extends Server>(
  what: string,
  server: Listening,
): Listening {
  server.once(
    'close',
    registerRunning(what, () => server.close()),
  );
  return server;
}

/** Ends what a file has left, and returns its names. */
export const endLeftovers = (): Promise<readonly string[]> => endAll(ofFile);

/** Ends what the files of this process shared, and returns the names of what was left then. */
export async function endShared(): Promise<readonly string[]> {
  for (const end of sharedEnds) await end();
  return endAll(ofProcess);
}

async function endAll(running: Set<Running>): Promise<readonly string[]> {
  for (const until = Date.now() + GRACE_MS; running.size > 0 && Date.now() < until;)
    await pause(20);
  const left = [...running];
  running.clear();
  const ends = Promise.allSettled(left.map(async ({ end }) => end()));
  await Promise.race([ends, pause(MAX_END_MS)]);
  return left.map(({ what }) => what);
}
