import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { confinedCommand, type SandboxOptions } from './confinement.ts';
import { FilePairs } from './file-pairs.ts';
import type { SystemConfinement } from './namespaces.ts';
import { ChildExitedError, parseOrFail, FrameChannel } from './frame-channel.ts';
import { enforceMemoryLimit } from './memory-limit.ts';
import { OutOfTempSpaceError, type SharedFiles } from './shared-files.ts';
import { CHUNK_BYTES } from './child-messages.ts';

/** The module that runs in the process, and the parser of its results. */
export interface Program<Result> extends Omit<
  SandboxOptions,
  'heapMiB' | 'fileBytes' | 'cpuSeconds'
> {
  /**
   * Whether the bytes of a job and its results are in files that both processes have open, or go through the pipes.
   * With files, two jobs overlap: the bytes of the next one are written, and the results of the last one are read,
   * while one is running.
   */
  readonly sharesFiles?: true;
  /** Parses a result of the child, which is not trusted; TypeError if its shape is wrong. */
  parse(result: unknown): Result;
}

export interface ProcessLimits {
  /** For one job, from the moment that all of its bytes have arrived. */
  readonly timeLimitMs: number;
  readonly memoryLimitMiB: number;
  /** Time limit for all bytes of one job to arrive. */
  readonly transferLimitMs: number;
  /** Maximum size of a result payload in bytes. */
  readonly maxReplyBytes: number;
  /** Default none. */
  readonly confinement?: SystemConfinement;
}

/** The result of a job: facts, and a payload if there is one. */
export interface JobResult<Result> {
  readonly result: Result;
  readonly payload: Buffer | undefined;
}

/**
 * Why a process ended: it exceeded a limit, crashed on the file, did not start, waited too long for the file or for
 * space for its bytes, or was idle.
 */
export type ExitReason = 'time' | 'memory' | 'crash' | 'start' | 'transfer' | 'retired';

/** The process died over another job before this one started, so nothing is known about this one. */
export class JobNotStartedError extends Error {
  override readonly name = 'JobNotStartedError';
}

/** Reads a number of bytes of the result. */
type ReplyHandler = (length: number) => Promise<Buffer>;

const START_LIMIT_MS = 30_000;
const KEPT_COMPLAINT = 2048;

/** A sandboxed child process, which runs one job after another. */
export class SandboxedProcess<Job extends { readonly size: number }, Result> {
  readonly #program: Program<Result>;
  readonly #limits: ProcessLimits;
  readonly #child: ChildProcess;
  readonly #line: FrameChannel;
  readonly #pairs: FilePairs | undefined;
  readonly #closed: Promise<unknown>;
  #queue: Promise<unknown> = Promise.resolve();
  #death: ExitReason | undefined;
  #gone = false;
  #started = false;
  #spoilt = false;
  #busyMs = 0;
  #complaint = '';

  /** Throws if shared files are needed and cannot be created. */
  constructor(program: Program<Result>, limits: ProcessLimits) {
    this.#program = program;
    this.#limits = limits;
    const { file, args, env } = confinedCommand(
      {
        ...program,
        heapMiB: limits.memoryLimitMiB,
        ...(program.sharesFiles && { fileBytes: limits.maxReplyBytes }),
        cpuSeconds: cpuSecondsFor(limits.timeLimitMs),
      },
      limits.confinement,
    );
    const pairs = program.sharesFiles && new FilePairs();
    const child = spawn(file, args, {
      env,
      cwd: dirname(program.entry),
      stdio: ['pipe', 'pipe', 'pipe', ...(pairs?.childs ?? [])],
    });
    pairs?.handOver();
    this.#child = child;
    this.#line = new FrameChannel(child.stdin!, child.stdout!, limits.maxReplyBytes);
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

  /** Ready for another job: alive, and far from its CPU time limit. */
  get fit(): boolean {
    const { timeLimitMs } = this.#limits;
    return !this.#gone && !this.#spoilt && !this.#death && this.#busyMs < timeLimitMs;
  }

  /** The last lines of its standard error. */
  get complaint(): string {
    return this.#complaint;
  }

  /**
   * The result of the job, or why the process died. An error of `bytes` is rethrown. With pipes, such an error ends
   * the process, and there is one job at a time. JobNotStartedError if it died over another job.
   */
  run(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<JobResult<Result> | ExitReason> {
    return this.#pairs
      ? this.#pairs.lend((files, pair) => this.#byFiles({ ...job, pair }, bytes, files))
      : this.#byPipes(job, bytes);
  }

  /** Kills immediately; the first reason counts. Resolves when the process has ended. */
  async kill(reason: ExitReason): Promise<void> {
    this.#death ??= reason;
    this.#child.kill('SIGKILL');
    await this.#closed;
  }

  #byPipes(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<JobResult<Result> | ExitReason> {
    return this.#inTurn(
      () => this.#send(job, bytes),
      () => this.#line.payload(),
    );
  }

  async #byFiles(
    job: Job & { readonly pair: number },
    bytes: AsyncIterable<Uint8Array>,
    files: SharedFiles,
  ): Promise<JobResult<Result> | ExitReason> {
    try {
      const size = await this.#brought(files, job, bytes);
      // Sent in advance, so that the child can start without a round trip.
      const said = this.#say({ ...job, size });
      return await this.#inTurn(
        () => (this.#isLost ? Promise.reject(new JobNotStartedError()) : said),
        (length) => files.take(length),
      );
    } catch (error) {
      if (error instanceof OutOfTempSpaceError) return 'transfer';
      throw error;
    }
  }

  /** It had started, and died over another job or none. */
  get #isLost(): boolean {
    return this.#started && (this.#gone || this.#death !== undefined);
  }

  /** The number of bytes received. After a timeout the process runs no more jobs. */
  async #brought(files: SharedFiles, { size }: Job, bytes: AsyncIterable<Uint8Array>) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#spoilt = true;
        // Later bytes must not affect the next job.
        files.close().catch((error: Error) => this.#complain(error.message));
        reject(new OutOfTempSpaceError('The bytes did not arrive in time.'));
      }, this.#limits.transferLimitMs);
    });
    try {
      return await Promise.race([files.give(bytes, size), late, this.#closed.then(() => 0)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** After the earlier jobs have received their messages from the child. */
  async #inTurn(
    send: () => Promise<void>,
    take: ReplyHandler,
  ): Promise<JobResult<Result> | ExitReason> {
    const before = this.#queue;
    let over = (): void => undefined;
    this.#queue = new Promise<void>((resolve) => (over = resolve));
    await before;
    try {
      return await this.#atWork(send, take);
    } finally {
      over();
    }
  }

  async #atWork(
    send: () => Promise<void>,
    take: ReplyHandler,
  ): Promise<JobResult<Result> | ExitReason> {
    const began = performance.now();
    const { transferLimitMs, timeLimitMs, memoryLimitMiB } = this.#limits;
    const watch = enforceMemoryLimit(this.pid, memoryLimitMiB, () => void this.kill('memory'));
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
      if (error instanceof JobNotStartedError) throw error;
      this.#spoilt = true;
      if (error instanceof OutOfTempSpaceError) return this.#death ?? 'transfer';
      await this.kill('crash');
      if (error instanceof ChildExitedError) return this.#causeOfDeath();
      throw error;
    } finally {
      watch.stop();
      this.#busyMs += performance.now() - began;
    }
  }

  #causeOfDeath(): ExitReason {
    if (!this.#started && this.#death === 'crash') return 'start';
    const heapFull = this.#complaint.includes('heap out of memory');
    return this.#death === 'crash' && heapFull ? 'memory' : this.#death!;
  }

  async #within<T>(limitMs: number, reason: ExitReason, work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => void this.kill(reason), limitMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  async #done(take: ReplyHandler): Promise<JobResult<Result>> {
    const report = await this.#line.step();
    if (report.step === 'full') throw new OutOfTempSpaceError('There was no space for the result.');
    if (report.step !== 'done') throw new ChildExitedError();
    const result = parseOrFail(() => this.#program.parse(report.result));
    const { payload: length } = report;
    if (length === null) return { result, payload: undefined };
    if (length > this.#limits.maxReplyBytes) throw new ChildExitedError();
    const payload = await take(length);
    if (payload.length !== length) throw new ChildExitedError();
    return { result, payload };
  }

  async #send(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    let left = job.size;
    await this.#line.write(Buffer.from(JSON.stringify(job)));
    if (left > 0)
      for await (const chunk of bytes) {
        const requested = chunk.subarray(0, left);
        left -= requested.length;
        for (let at = 0; at < requested.length; at += CHUNK_BYTES)
          await this.#line.write(requested.subarray(at, at + CHUNK_BYTES));
        if (left === 0 || this.#gone) break;
      }
    await this.#line.write(new Uint8Array(0));
  }

  /** A job whose bytes are in a file. */
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
    // The process has ended already, which its next user will notice; or the system has no priorities.
  }
}

/** It serves for the CPU time of one limit and may exceed it by one more job; its helper threads count as well. */
const cpuSecondsFor = (timeLimitMs: number): number => Math.ceil((timeLimitMs * 4) / 1000) + 5;
