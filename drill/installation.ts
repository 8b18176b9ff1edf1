import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { end, output, run } from './child.ts';

const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const CALL_MS = 60_000;
/** Exit status of a process after an uncaught error. */
const UNCAUGHT_STATUS = 70;
/** No request is rejected by a rate limit: drills test faults. */
const ROLES = {
  unlimited: {
    requests_per_minute: 1e9,
    questions: null,
    enrichments: null,
    storage_bytes: null,
  },
};

/** One process of the service, and its replacement after its death. */
export interface Running {
  readonly process: ChildProcess;
  /** '' for a worker. */
  readonly base: string;
}

/** The service as an operator runs it: processes with one database and one data folder. */
export class Installation {
  readonly dataDir: string;
  token = '';
  readonly #env: Readonly<Record<string, string>>;
  readonly #serving: Running[] = [];
  readonly #working: Running[] = [];
  #turn = 0;
  log = '';

  private constructor(dataDir: string, env: Readonly<Record<string, string>>) {
    this.dataDir = dataDir;
    this.#env = env;
  }

  static async start(
    folder: string,
    dataDir: string,
    env: Readonly<Record<string, string>>,
    { serving, working }: { readonly serving: number; readonly working: number },
  ): Promise<Installation> {
    await mkdir(dataDir, { recursive: true });
    const roles = join(folder, 'roles.json');
    await writeFile(roles, JSON.stringify(ROLES));
    const it = new Installation(dataDir, {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      ROLES_FILE: roles,
      ...env,
    });
    // The first one creates the owner of the drill, and prints the token once.
    it.#serving.push(await it.#begin('start'));
    while (it.#serving.length < serving) it.#serving.push(await it.#begin('serve'));
    while (it.#working.length < working) it.#working.push(await it.#begin('worker'));
    return it;
  }

  /** URL of one of the servers in turn, like a load balancer. */
  base(): string {
    return this.#serving[this.#turn++ % this.#serving.length]?.base ?? '';
  }

  /** As the owner. A response that is not a JSON object counts as an empty one. */
  async call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }> {
    const response = await fetch(this.base() + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS),
    });
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const json = isJson ? ((await response.json()) as Record<string, unknown>) : {};
    return { status: response.status, json };
  }

  /** Kills one without warning; returns a function that restarts it. */
  async kill(what: 'serve' | 'worker'): Promise<() => Promise<void>> {
    const all = what === 'serve' ? this.#serving : this.#working;
    const at = this.#turn++ % all.length;
    const victim = all[at];
    if (victim) await end(victim.process, 'SIGKILL');
    return async () => {
      all[at] = await this.#begin(what);
    };
  }

  /**
   * Throws an uncaught error in a server (stray-errors.ts), and waits until it has exited; returns a function that
   * restarts it. Rejects if it ended in another way.
   */
  async throwUncaught(): Promise<() => Promise<void>> {
    const at = this.#turn++ % this.#serving.length;
    const victim = this.#serving[at];
    if (!victim) throw new Error('Nothing serves.');
    const exit = once(victim.process, 'exit');
    victim.process.kill('SIGUSR2');
    const [status] = (await exit) as [number | null];
    if (status !== UNCAUGHT_STATUS) throw new Error(`It ended with status ${String(status)}.`);
    return async () => {
      this.#serving[at] = await this.#begin('serve');
    };
  }

  /** The findings of the doctor, each with its count. It reads every file. */
  async doctor(): Promise<readonly string[]> {
    const { stdout, stderr } = await output(
      process.execPath,
      [CLI, 'doctor', '--verify', '--json'],
      { env: this.#env, cwd: this.dataDir },
    );
    if (stdout === '') return [`doctor: ${stderr.trim()}`];
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean;
      checks: readonly { name: string; count: number }[];
    };
    return ok ? [] : checks.filter((it) => it.count > 0).map((it) => `${it.name}: ${it.count}`);
  }

  async stop(): Promise<void> {
    const all = [...this.#serving, ...this.#working];
    await Promise.all(all.map(({ process: child }) => end(child, 'SIGKILL')));
  }

  async #begin(command: 'start' | 'serve' | 'worker'): Promise<Running> {
    const child = run(process.execPath, [CLI, command, '--json'], {
      env: this.#env,
      cwd: this.dataDir,
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    if (!child.stdout) throw new Error('The service has no output.');
    const lines = createInterface({ input: child.stdout });
    const token = new Promise<void>((resolve) =>
      lines.on('line', (line) => {
        const [, found] = /export TOKEN=(\S+)/.exec(line) ?? [];
        if (found === undefined) return;
        this.token = found;
        resolve();
      }),
    );
    const gone = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`${command} ended: ${String(code)}\n${this.log}`)),
    );
    const first = (await Promise.race([once(lines, 'line'), gone])) as [string];
    if (command === 'start') await Promise.race([token, gone]);
    gone.catch(() => undefined);
    const { listening = '' } = JSON.parse(first[0]) as { listening?: string };
    return { process: child, base: listening };
  }
}
