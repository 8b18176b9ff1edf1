import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { confinedCommand, type Confinement } from './confinement.ts';
import { frame, FrameReader } from './frames.ts';
import { watchMemory } from './resident-memory.ts';
import { NoRoom, SharedFiles } from './shared-files.ts';
import { CHUNK_BYTES, parseStep, type Step } from './steps.ts';

/** What runs in the process, and how its results are judged. */
export interface Program<Result> extends Omit<Confinement, 'heapMiB' | 'fileBytes' | 'cpuSeconds'> {
  /** Whether the bytes of a job and those that are made of it lie in files that both have open. By the pipes otherwise. */
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

const START_LIMIT_MS = 30_000;
const KEPT_COMPLAINT = 2048;

/** One child process, which does one job after another and can do nothing else. */
export class ConfinedProcess<Job extends { readonly size: number }, Result> {
  readonly #program: Program<Result>;
  readonly #limits: ProcessLimits;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #files: SharedFiles | undefined;
  readonly #payloads: AsyncGenerator<Buffer, void>;
  readonly #closed: Promise<unknown>;
  #death: Death | undefined;
  #gone = false;
  #started = false;
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
    const files = program.sharesFiles && new SharedFiles();
    const child = spawn(file, args, {
      env,
      cwd: dirname(program.entry),
      stdio: ['pipe', 'pipe', 'pipe', ...(files?.childs ?? [])],
    });
    files?.handOver();
    const [stdin, stdout, stderr] = [child.stdin!, child.stdout!, child.stderr!];
    this.#child = child;
    this.#input = stdin;
    this.#files = files;
    if (program.givesWay) giveWay(child.pid);
    this.#payloads = payloadsOf(stdout, limits.longestReply);
    this.#closed = once(child, 'close').catch((error: Error) => this.#complain(error.message));
    void this.#closed.then(() => {
      this.#gone = true;
      return files?.close();
    });
    // Writing to a process that has just died fails; that it died is what counts.
    stdin.on('error', () => undefined);
    stderr.on('data', (chunk: Buffer) => this.#complain(chunk.toString('latin1')));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Fit for another job: alive, and not yet so long at work that the system would end it. */
  get fit(): boolean {
    return !this.#gone && this.#death === undefined && this.#busyMs < this.#limits.timeLimitMs;
  }

  /** The last lines it wrote about its own failure. */
  get complaint(): string {
    return this.#complaint;
  }

  /** What the job came to, or what the process died of. An error of `bytes` is thrown on, the process killed. */
  async run(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<Done<Result> | Death> {
    const began = performance.now();
    const watch = watchMemory(
      this.pid,
      this.#limits.memoryLimitMiB,
      () => void this.kill('memory'),
    );
    try {
      if (!this.#started) await this.#within(START_LIMIT_MS, 'start', () => this.#expect('ready'));
      this.#started = true;
      await this.#within(this.#limits.transferLimitMs, 'transfer', async () => {
        await Promise.race([this.#send(job, bytes), this.#closed]);
        await this.#expect('received');
      });
      return await this.#within(this.#limits.timeLimitMs, 'time', () => this.#done());
    } catch (error) {
      const room = !(error instanceof NoRoom);
      await this.kill(room ? 'crash' : 'transfer');
      if (!room || error instanceof ChildGone) return this.#causeOfDeath();
      throw error;
    } finally {
      watch.stop();
      this.#busyMs += performance.now() - began;
    }
  }

  /** At once, and the first reason given stays. Resolves when the process is gone. */
  async kill(reason: Death): Promise<void> {
    this.#death ??= reason;
    this.#child.kill('SIGKILL');
    await this.#closed;
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

  async #expect(step: 'ready' | 'received'): Promise<void> {
    if ((await this.#step()).step !== step) throw new ChildGone();
  }

  async #done(): Promise<Done<Result>> {
    const report = await this.#step();
    if (report.step === 'full') throw new NoRoom('What was made of the bytes found no room.');
    if (report.step !== 'done') throw new ChildGone();
    const result = judged(() => this.#program.parse(report.result));
    const { payload } = report;
    return { result, payload: payload === null ? undefined : await this.#made(payload) };
  }

  async #made(length: number): Promise<Buffer> {
    if (length > this.#limits.longestReply) throw new ChildGone();
    const made = await (this.#files?.take(length) ?? this.#payload());
    if (made.length !== length) throw new ChildGone();
    return made;
  }

  async #step(): Promise<Step> {
    const payload = await this.#payload();
    return judged(() => parseStep(payload));
  }

  async #payload(): Promise<Buffer> {
    const { value, done } = await this.#payloads.next();
    if (done === true) throw new ChildGone();
    return value;
  }

  async #send(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#files) {
      const size = await this.#files.give(bytes, job.size);
      await this.#write(Buffer.from(JSON.stringify({ ...job, size })));
      return this.#write(new Uint8Array(0));
    }
    let left = job.size;
    await this.#write(Buffer.from(JSON.stringify(job)));
    if (left > 0)
      for await (const chunk of bytes) {
        const wanted = chunk.subarray(0, left);
        left -= wanted.length;
        for (let at = 0; at < wanted.length; at += CHUNK_BYTES)
          await this.#write(wanted.subarray(at, at + CHUNK_BYTES));
        if (left === 0 || this.#gone) break;
      }
    await this.#write(new Uint8Array(0));
  }

  /** Resolves when the pipe has taken the payload, so that no more than one waits in memory. */
  #write(payload: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#input.write(frame(payload), () => resolve());
    });
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

/** It ended, or writes what it never would: whatever speaks there is not our program any more. */
class ChildGone extends Error {}

async function* payloadsOf(stream: Readable, longest: number): AsyncGenerator<Buffer, void> {
  const frames = new FrameReader(longest);
  try {
    for await (const chunk of stream) yield* frames.push(chunk as Buffer);
  } catch (error) {
    throw new ChildGone('The pipe broke.', { cause: error });
  }
}

function judged<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ChildGone('Not a report.', { cause: error });
  }
}

/** It serves for one time limit and may break it by one more; the threads that help it count as well. */
const cpuSecondsFor = (timeLimitMs: number): number => Math.ceil((timeLimitMs * 4) / 1000) + 5;
