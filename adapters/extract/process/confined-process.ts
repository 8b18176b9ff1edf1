import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { confinedCommand, type Confinement } from './confinement.ts';
import { FilePairs } from './file-pairs.ts';
import { ChildGone, judged, Line } from './line.ts';
import { watchMemory } from './resident-memory.ts';
import { NoRoom, type SharedFiles } from './shared-files.ts';
import { CHUNK_BYTES } from './steps.ts';

/** What runs in the process, and how its results are judged. */
export interface Program<Result> extends Omit<Confinement, 'heapMiB' | 'fileBytes' | 'cpuSeconds'> {
  /**
   * Whether the bytes of a job and those that are made of it lie in files that both have open. By the pipes otherwise. Then
   * it takes two jobs: the bytes of the next are brought, and those made of the last are taken, while it is at work.
   */
  readonly sharesFiles?: true;
  /** A result as it came from the child, of which nothing is taken for granted; TypeError when it has another shape. */
  parse(result: unknown): Result;
}

export interface ProcessLimits {
  /** For one job, from the moment that all of its bytes have arrived. */
  readonly timeLimitMs: number;
  readonly memoryLimitMiB: number;
  /** For all bytes of one job to arrive. */
  readonly transferLimitMs: number;
  /** Bytes of the longest payload that may come back. */
  readonly longestReply: number;
}

/** What a job came to: facts, and the bytes that go with them, if any. */
export interface Done<Result> {
  readonly result: Result;
  readonly payload: Buffer | undefined;
}

/**
 * Why a process is gone: it broke a limit, fell over the file, never came up, waited in vain for the
 * file or for room for its bytes, or was not needed any more.
 */
export type Death = 'time' | 'memory' | 'crash' | 'start' | 'transfer' | 'retired';

/** The process died over another job before it was this one's turn. Nothing was found out about this one. */
export class Displaced extends Error {
  override readonly name = 'Displaced';
}

/** Fetches so many bytes of what was made. */
type Take = (length: number) => Promise<Buffer>;

const START_LIMIT_MS = 30_000;
const KEPT_COMPLAINT = 2048;

/** One child process, which does one job after another and can do nothing else. */
export class ConfinedProcess<Job extends { readonly size: number }, Result> {
  readonly #program: Program<Result>;
  readonly #limits: ProcessLimits;
  readonly #child: ChildProcess;
  readonly #line: Line;
  readonly #pairs: FilePairs | undefined;
  readonly #closed: Promise<unknown>;
  #turn: Promise<unknown> = Promise.resolve();
  #death: Death | undefined;
  #gone = false;
  #started = false;
  #spoilt = false;
  #busyMs = 0;
  #complaint = '';

  /** Throws where a program shares files and none can be opened. */
  constructor(program: Program<Result>, limits: ProcessLimits) {
    this.#program = program;
    this.#limits = limits;
    const { file, args, env } = confinedCommand({
      ...program,
      heapMiB: limits.memoryLimitMiB,
      ...(program.sharesFiles && { fileBytes: limits.longestReply }),
      cpuSeconds: cpuSecondsFor(limits.timeLimitMs),
    });
    const pairs = program.sharesFiles && new FilePairs();
    const child = spawn(file, args, {
      env,
      cwd: dirname(program.entry),
      stdio: ['pipe', 'pipe', 'pipe', ...(pairs?.childs ?? [])],
    });
    pairs?.handOver();
    this.#child = child;
    this.#line = new Line(child.stdin!, child.stdout!, limits.longestReply);
    this.#pairs = pairs;
    if (program.givesWay) giveWay(child.pid);
    this.#closed = once(child, 'close').catch((error: Error) => this.#complain(error.message));
    // `once` would handle the first error only; killing a process may emit another.
    for (const emitter of [child, child.stderr!])
      emitter.on('error', (error: Error) => this.#complain(error.message));
    this.#closed
      .then(() => {
        this.#gone = true;
        return pairs?.close();
      })
      .catch((error: Error) => this.#complain(error.message));
    child.stderr!.on('data', (chunk: Buffer) => this.#complain(chunk.toString('latin1')));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Fit for another job: alive, and not yet so long at work that the system would end it. */
  get fit(): boolean {
    const { timeLimitMs } = this.#limits;
    return !this.#gone && !this.#spoilt && !this.#death && this.#busyMs < timeLimitMs;
  }

  /** The last lines it wrote about its own failure. */
  get complaint(): string {
    return this.#complaint;
  }

  /**
   * What the job came to, or what the process died of. An error of `bytes` is thrown on. Where bytes go by the pipes, it
   * ends the process, and there is one job at a time. Displaced where it died over another job.
   */
  run(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<Done<Result> | Death> {
    return this.#pairs
      ? this.#pairs.lend((files, pair) => this.#byFiles({ ...job, pair }, bytes, files))
      : this.#byPipes(job, bytes);
  }

  /** At once, and the first reason given stays. Resolves when the process is gone. */
  async kill(reason: Death): Promise<void> {
    this.#death ??= reason;
    this.#child.kill('SIGKILL');
    await this.#closed;
  }

  #byPipes(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<Done<Result> | Death> {
    return this.#inTurn(
      () => this.#send(job, bytes),
      () => this.#line.payload(),
    );
  }

  async #byFiles(
    job: Job & { readonly pair: number },
    bytes: AsyncIterable<Uint8Array>,
    files: SharedFiles,
  ): Promise<Done<Result> | Death> {
    try {
      const size = await this.#brought(files, job, bytes);
      // Told ahead of its turn: the child begins without having to wait for us.
      const said = this.#say({ ...job, size });
      return await this.#inTurn(
        () => (this.#isLost ? Promise.reject(new Displaced()) : said),
        (length) => files.take(length),
      );
    } catch (error) {
      if (error instanceof NoRoom) return 'transfer';
      throw error;
    }
  }

  /** It was up, and died over another job or over none. */
  get #isLost(): boolean {
    return this.#started && (this.#gone || this.#death !== undefined);
  }

  /** How many bytes came. Whoever lets us wait for them is left behind, and the process does no more jobs. */
  async #brought(files: SharedFiles, { size }: Job, bytes: AsyncIterable<Uint8Array>) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#spoilt = true;
        // What comes later is not to lie in the way of the next.
        files.close().catch((error: Error) => this.#complain(error.message));
        reject(new NoRoom('The bytes did not arrive in time.'));
      }, this.#limits.transferLimitMs);
    });
    try {
      return await Promise.race([files.give(bytes, size), late, this.#closed.then(() => 0)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Once the jobs before have had what the child said of them. */
  async #inTurn(send: () => Promise<void>, take: Take): Promise<Done<Result> | Death> {
    const before = this.#turn;
    let over = (): void => undefined;
    this.#turn = new Promise<void>((resolve) => (over = resolve));
    await before;
    try {
      return await this.#atWork(send, take);
    } finally {
      over();
    }
  }

  async #atWork(send: () => Promise<void>, take: Take): Promise<Done<Result> | Death> {
    const began = performance.now();
    const { transferLimitMs, timeLimitMs, memoryLimitMiB } = this.#limits;
    const watch = watchMemory(this.pid, memoryLimitMiB, () => void this.kill('memory'));
    try {
      if (!this.#started)
        await this.#within(START_LIMIT_MS, 'start', () => this.#line.expect('ready'));
      this.#started = true;
      await this.#within(transferLimitMs, 'transfer', async () => {
        await Promise.race([send(), this.#closed]);
        await this.#line.expect('received');
      });
      return await this.#within(timeLimitMs, 'time', () => this.#done(take));
    } catch (error) {
      if (error instanceof Displaced) throw error;
      this.#spoilt = true;
      if (error instanceof NoRoom) return this.#death ?? 'transfer';
      await this.kill('crash');
      if (error instanceof ChildGone) return this.#causeOfDeath();
      throw error;
    } finally {
      watch.stop();
      this.#busyMs += performance.now() - began;
    }
  }

  #causeOfDeath(): Death {
    if (!this.#started && this.#death === 'crash') return 'start';
    const heapFull = this.#complaint.includes('heap out of memory');
    return this.#death === 'crash' && heapFull ? 'memory' : this.#death!;
  }

  async #within<T>(limitMs: number, reason: Death, work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => void this.kill(reason), limitMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  async #done(take: Take): Promise<Done<Result>> {
    const report = await this.#line.step();
    if (report.step === 'full') throw new NoRoom('What was made of the bytes found no room.');
    if (report.step !== 'done') throw new ChildGone();
    const result = judged(() => this.#program.parse(report.result));
    const { payload: length } = report;
    if (length === null) return { result, payload: undefined };
    if (length > this.#limits.longestReply) throw new ChildGone();
    const payload = await take(length);
    if (payload.length !== length) throw new ChildGone();
    return { result, payload };
  }

  async #send(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    let left = job.size;
    await this.#line.write(Buffer.from(JSON.stringify(job)));
    if (left > 0)
      for await (const chunk of bytes) {
        const wanted = chunk.subarray(0, left);
        left -= wanted.length;
        for (let at = 0; at < wanted.length; at += CHUNK_BYTES)
          await this.#line.write(wanted.subarray(at, at + CHUNK_BYTES));
        if (left === 0 || this.#gone) break;
      }
    await this.#line.write(new Uint8Array(0));
  }

  /** A job whose bytes lie in a file. */
  async #say(job: Job & { readonly pair: number }): Promise<void> {
    const said = this.#line.write(Buffer.from(JSON.stringify(job)));
    await Promise.all([said, this.#line.write(new Uint8Array(0))]);
  }

  #complain(text: string): void {
    this.#complaint = (this.#complaint + text).slice(-KEPT_COMPLAINT);
  }
}

const LOW_PRIORITY = 5;

function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // Gone already, which whoever gives it work will notice; or a system without priorities.
  }
}

/** It serves for one time limit and may break it by one more; the threads that help it count as well. */
const cpuSecondsFor = (timeLimitMs: number): number => Math.ceil((timeLimitMs * 4) / 1000) + 5;
