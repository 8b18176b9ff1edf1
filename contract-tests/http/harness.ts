import { execFile, spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { inspect, promisify } from 'node:util';
import { REDIS_URL, newDataFolder, selectedBackends } from '../backends-env.ts';
import { CLI } from '../cli-path.ts';
import { openS3Service } from '../fake-s3.ts';
import { registerProcess } from '../leftovers.ts';
import { openMigratedDatabase } from '../migrated-database.ts';
import { makeOwner, makeSignInCode } from './operator.ts';

export { CLI };
const execute = promisify(execFile);

const NEEDS = { standalone: ['sqlite'], team: ['postgres', 'redis'] } as const;

/** The profiles of the black-box specs: those whose servers are available. */
export const profiles = (['standalone', 'team'] as const).filter((profile) =>
  NEEDS[profile].every((backend) => selectedBackends().includes(backend)),
);

const isOnAll = process.env['APP_PROFILES'] === 'all';

/**
 * One of them, for specs of the app: the profiles differ behind the interface, which has specs on both. The last is for what
 * crosses processes. With APP_PROFILES=all these specs run on every profile.
 */
export const firstProfile = isOnAll ? profiles : profiles.slice(0, 1);
export const lastProfile = isOnAll ? profiles : profiles.slice(-1);

export type Profile = (typeof profiles)[number];

/** The storage for the files of a service. */
export interface Placing {
  readonly title: string;
  readonly profile: Profile;
  readonly files: 'folder' | 'bucket';
}

/** For specs about stored files: every profile with its defaults, and one with its files in a bucket. */
export const placings: readonly Placing[] = [
  ...profiles.map((profile) => ({ title: profile, profile, files: 'folder' as const })),
  ...profiles
    .slice(-1)
    .map((profile) => ({ title: `${profile} with a bucket`, profile, files: 'bucket' as const })),
];

/** For specs to which database and storage are all the same: each of both once. */
export const fewPlacings: readonly Placing[] = placings.filter(
  (_, nth) => nth === 0 || nth === placings.length - 1,
);

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- black box: the shape is what the specs judge
  readonly json: any;
  readonly text: string;
}

export interface Call {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; with `raw` it is sent as it is. */
  readonly body?: unknown;
  readonly raw?: RequestInit['body'];
}

/** A served workspace as its owners use it. */
export interface Served {
  readonly base: string;
  readonly dataDir: string;
  /** Of the team profile. */
  readonly databaseUrl: string | undefined;
  /** Token of the owner that the specs use by default. */
  readonly token: string;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  upload(
    name: string,
    bytes: Uint8Array | string,
    fields?: Record<string, string>,
  ): Promise<Answer>;
  uploadAll(
    files: readonly (readonly [name: string, bytes: Uint8Array | string])[],
    fields?: Record<string, string>,
    call?: Call,
  ): Promise<Answer>;
  /** Waits until an object is no longer being read, and answers with it. */
  settled(id: string, call?: Call): Promise<Answer['json']>;
  newOwner(
    role?: string,
    tenant?: string,
    name?: string,
  ): Promise<{ readonly id: string; readonly token: string }>;
  /** The code of a new one-time link. */
  signInCode(owner: string): Promise<string>;
}

/** A service in a process of its own, as an operator runs it. */
export interface Service extends Served {
  readonly process: ChildProcess;
  cli(...words: string[]): Promise<Answer['json']>;
  /** Number of its blobs, in any storage. */
  blobs(): Promise<number>;
  /** Log output of the process so far. */
  logged(): string;
  /** Another process on the same database and, by default, on the same data folder. */
  beside(extra?: Readonly<Record<string, string>>): Promise<Service>;
  /** A process that works on tasks and serves no requests, on the same data. */
  worker(): Promise<Pick<Service, 'process' | 'stop'>>;
  /** Ends the process with the signal and starts another on the same data. */
  restart(signal?: NodeJS.Signals): Promise<Service>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Stops it and deletes its data. */
  dispose(): Promise<void>;
}

export async function startService(
  profile: Profile,
  extra: Readonly<Record<string, string>> = {},
  files: Placing['files'] = 'folder',
): Promise<Service> {
  const bucket = files === 'bucket' ? await openS3Service() : undefined;
  const dataDir = await newDataFolder();
  const database = profile === 'team' ? await openMigratedDatabase() : undefined;
  const env = {
    PATH: process.env['PATH'] ?? '',
    PROFILE: profile,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    // Durations are not meaningful on a machine that runs other specs as well.
    MAX_QUEUE_WAIT_MS: '60000',
    RATE_COUNTER_MS: '5000',
    ...(database && { DATABASE_URL: database.url, REDIS_URL }),
    ...(bucket && { BLOB_S3_URL: bucket.url }),
    ...extra,
  };
  const cli = async (...words: string[]): Promise<Answer['json']> => {
    const { stdout } = await execute(process.execPath, [CLI, ...words, '--json'], {
      env,
      cwd: dataDir,
    });
    return JSON.parse(stdout) as unknown;
  };
  let owners = 0;
  const newOwner = (role?: string, tenant?: string, ownerName = `owner-${++owners}`) => {
    const name = tenant ?? `tenant-${++owners}-${Date.now()}`;
    return makeOwner(
      env,
      { name: ownerName, ...(role !== undefined && { role }) },
      { name, isNew: tenant === undefined },
    );
  };
  const run = (word: 'serve' | 'worker', also: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, [CLI, word, '--json'], {
      env: { ...env, ...also },
      cwd: dataDir,
      // The service ends when the channel closes: also when this process is killed.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }) as ChildProcessByStdio<null, Readable, Readable>;
    return registerProcess(`${word} (${profile})`, child);
  };
  const begin = async (
    token?: string,
    also: Readonly<Record<string, string>> = {},
  ): Promise<Service> => {
    const child = run('serve', also);
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      // By default only errors are logged, and specs expect none. More is read from the log.
      if (env.LOG_LEVEL === 'error') process.stderr.write(text);
    });
    const base = ((await firstLine(child)) as { listening: string }).listening;
    const own = token ?? (await newOwner()).token;
    return {
      ...requestsTo(base, own),
      process: child,
      stop: (signal = 'SIGTERM') => ended(child, signal),
      dataDir,
      databaseUrl: database?.url,
      cli,
      newOwner,
      signInCode: (owner) => makeSignInCode(env, owner),
      logged: () => log,
      blobs: async () => {
        if (bucket) return [...bucket.objects.keys()].filter((key) => /blobs/.test(key)).length;
        const options = { recursive: true, withFileTypes: true } as const;
        const entries = await readdir(join(dataDir, 'blobs'), options);
        return entries.filter((entry) => entry.isFile()).length;
      },
      beside: (more) => begin(own, { ...also, ...more }),
      worker: async () => {
        const other = run('worker', also);
        other.stderr.resume();
        await firstLine(other);
        return { process: other, stop: (signal = 'SIGTERM') => ended(other, signal) };
      },
      restart: async (signal = 'SIGTERM') => {
        await ended(child, signal);
        return begin(own, also);
      },
      dispose: async () => {
        await ended(child, 'SIGKILL');
        await database?.drop();
        await bucket?.close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  };
  return begin();
}

/** What an owner asks of a service. */
export function requestsTo(
  base: string,
  token: string,
): Omit<Served, 'dataDir' | 'databaseUrl' | 'newOwner' | 'signInCode'> {
  const call: Service['call'] = async (method, path, sent = {}) => {
    const bearer = sent.token === undefined ? token : sent.token;
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(sent.body !== undefined && { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
      ...(sent.raw !== undefined && { body: sent.raw }),
    });
    const text = await textOf(response, method);
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, json, text };
  };
  const uploadAll: Service['uploadAll'] = (files, fields = {}, how = {}) => {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    for (const [name, bytes] of files) form.append('file', new Blob([Buffer.from(bytes)]), name);
    return call('POST', '/v1/uploads', { ...how, raw: form });
  };
  return {
    base,
    token,
    call,
    upload: (name, bytes, fields) => uploadAll([[name, bytes]], fields),
    uploadAll,
    settled: async (id, how) => {
      const deadline = Date.now() + 30_000;
      for (;;) {
        const { json } = await call('GET', `/v1/objects/${id}`, how);
        if (json.status === 'ready' || json.status === 'failed') return json;
        if (Date.now() > deadline) throw new Error(`${id} is still ${json.status}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}

/** The body. A stream that goes on is left after its first event. */
async function textOf(response: Response, method: string): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  const reader = response.body?.getReader();
  if (method !== 'GET' || !type.startsWith('text/event-stream') || !reader) {
    reader?.releaseLock();
    return response.text();
  }
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString();
}

/** The output of a process when it is ready. A serving one prints its address. */
async function firstLine(child: ChildProcess): Promise<unknown> {
  if (!child.stdout) throw new Error('The service has no output.');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The service ended: ${code}`))),
  ]);
  child.stdout.resume();
  return JSON.parse(first) as unknown;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

/** Polls until the answer is good. Fails at the deadline, with the last answer. */
export async function eventually<T>(
  ask: () => Promise<T>,
  good: (answer: T) => boolean,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    if (Date.now() > deadline)
      throw new Error(`Not within ${withinMs} ms. Last: ${inspect(answer).slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
