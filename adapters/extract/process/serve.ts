import { Console } from 'node:console';
import { readSync, writeSync } from 'node:fs';
import { frame, FrameReader } from './frames.ts';
import { CHUNK_BYTES, GIVEN, MADE, type Step } from './steps.ts';

/** What a child makes of one job and its bytes. */
export type Work<Job> = (
  job: Job,
  bytes: Uint8Array,
) => Promise<{ readonly result: object; readonly payload?: Uint8Array }>;

const send = (payload: Uint8Array): unknown => process.stdout.write(frame(payload));
const say = (step: Step): unknown => send(Buffer.from(JSON.stringify(step)));

/** How the bytes of a job come, and how those that are made of them go. */
export type Carriage = 'pipe' | 'files';

/**
 * The whole life of a child: jobs come one after another, each with its bytes and an empty frame behind them; where it
 * shares files with its parent, the bytes lie in these. The end of input is the end of the process.
 */
export async function serve<Job extends { readonly size: number }>(
  load: () => Promise<Work<Job>>,
  carriage: Carriage = 'pipe',
): Promise<never> {
  // Standard output carries frames; what libraries have to say goes the other way.
  globalThis.console = new Console(process.stderr);
  // A terminal or a service manager signals the whole group; when to end is up to the parent alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
  // Readers abandon promises of their libraries; the answer does not wait for those.
  process.on('unhandledRejection', () => undefined);
  const work = await load();
  say({ step: 'ready' });
  const frames = new FrameReader(CHUNK_BYTES);
  let job: Job | undefined;
  let bytes = Buffer.alloc(0);
  let held = 0;
  for await (const chunk of process.stdin) {
    for (const payload of frames.push(chunk as Buffer)) {
      if (job === undefined) {
        job = JSON.parse(payload.toString('utf8')) as Job;
        bytes = Buffer.alloc(job.size);
        held = 0;
      } else if (payload.length > 0) {
        held += payload.copy(bytes, held);
      } else {
        if (carriage === 'files') held = filled(bytes);
        say({ step: 'received' });
        const { result, payload: reply } = await work(job, bytes.subarray(0, held));
        const kept = reply === undefined || carriage === 'pipe' || written(reply);
        say(kept ? { step: 'done', result, payload: reply?.length ?? null } : { step: 'full' });
        if (reply && carriage === 'pipe') send(reply);
        job = undefined;
        bytes = Buffer.alloc(0);
      }
    }
  }
  process.exit();
}

function filled(bytes: Buffer): number {
  let held = 0;
  while (held < bytes.length) {
    const more = readSync(GIVEN, bytes, held, bytes.length - held, held);
    if (more === 0) break;
    held += more;
  }
  return held;
}

/** Whether all of it found room. */
function written(reply: Uint8Array): boolean {
  try {
    for (let at = 0; at < reply.length;) at += writeSync(MADE, reply, at, reply.length - at, at);
    return true;
  } catch (error) {
    process.stderr.write(String(error));
    return false;
  }
}
