import { Console } from 'node:console';
import { readSync, writeSync } from 'node:fs';
import { frame, FrameReader } from './frames.ts';
import { CHUNK_BYTES, givenIn, madeIn, type Step } from './child-messages.ts';

/** Runs one job with its bytes. */
export type Work<Job> = (job: Job, bytes: Uint8Array) => Made;
type Made = Promise<{ readonly result: object; readonly payload?: Uint8Array }>;

const send = (payload: Uint8Array): unknown => process.stdout.write(frame(payload));
const say = (step: Step): unknown => send(Buffer.from(JSON.stringify(step)));

/** A job; if the child shares files with its parent, with the index of the pair that contains its bytes. */
type Sent<Job> = Job & { readonly size: number; readonly pair?: number };

/**
 * The main loop of a child: jobs arrive one after another, each followed by its bytes and an empty frame, unless
 * these are in a file. The next job may arrive while one is running. The end of input ends the process.
 */
export async function runChildLoop<Job extends { readonly size: number }>(
  load: () => Promise<Work<Job>>,
): Promise<never> {
  // Standard output is for frames; output of libraries is redirected.
  globalThis.console = new Console(process.stderr);
  // A terminal or a service manager signals the whole group; only the parent decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
  // Libraries leave promises unsettled; the result does not wait for those.
  process.on('unhandledRejection', () => undefined);
  const work = await load();
  say({ step: 'ready' });
  const frames = new FrameReader(CHUNK_BYTES);
  let job: Sent<Job> | undefined;
  let bytes = Buffer.alloc(0);
  let held = 0;
  for await (const chunk of process.stdin) {
    for (const payload of frames.push(chunk as Buffer)) {
      if (job === undefined) {
        job = JSON.parse(payload.toString('utf8')) as Sent<Job>;
        bytes = Buffer.alloc(job.size);
        held = 0;
      } else if (payload.length > 0) {
        held += payload.copy(bytes, held);
      } else {
        if (job.pair !== undefined) held = filled(bytes, givenIn(job.pair));
        say({ step: 'received' });
        await answer(job, work(job, bytes.subarray(0, held)));
        job = undefined;
        bytes = Buffer.alloc(0);
        freeBuffers();
      }
    }
  }
  process.exit();
}

async function answer({ pair }: { readonly pair?: number }, created: Made): Promise<void> {
  const { result, payload } = await created;
  const stored = payload === undefined || pair === undefined || written(payload, madeIn(pair));
  say(stored ? { step: 'done', result, payload: payload?.length ?? null } : { step: 'full' });
  if (payload && pair === undefined) send(payload);
}

/**
 * Buffers are freed only by garbage collection, which V8 does not trigger, since they are large but few. Triggered
 * here if the process was started with `--expose-gc`; after a job there is little else to scan.
 */
function freeBuffers(): void {
  globalThis.gc?.({ type: 'minor', execution: 'sync' });
}

function filled(bytes: Buffer, file: number): number {
  let held = 0;
  while (held < bytes.length) {
    const more = readSync(file, bytes, held, bytes.length - held, held);
    if (more === 0) break;
    held += more;
  }
  return held;
}

/** Whether all of it could be written. */
function written(reply: Uint8Array, file: number): boolean {
  try {
    for (let at = 0; at < reply.length;) at += writeSync(file, reply, at, reply.length - at, at);
    return true;
  } catch (error) {
    process.stderr.write(String(error));
    return false;
  }
}
