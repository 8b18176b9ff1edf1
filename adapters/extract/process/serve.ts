import { Console } from 'node:console';
import { frame, FrameReader } from './frames.ts';
import { CHUNK_BYTES, type Step } from './steps.ts';

/** What a child makes of one job and its bytes. */
export type Work<Job> = (
  job: Job,
  bytes: Uint8Array,
) => Promise<{ readonly result: object; readonly payload?: Uint8Array }>;

const send = (payload: Uint8Array): unknown => process.stdout.write(frame(payload));
const say = (step: Step): unknown => send(Buffer.from(JSON.stringify(step)));

/**
 * The whole life of a child: jobs come one after another, each with its bytes and an empty frame behind them. The end
 * of input is the end of the process.
 */
export async function serve<Job extends { readonly size: number }>(
  load: () => Promise<Work<Job>>,
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
        say({ step: 'received' });
        const { result, payload: reply } = await work(job, bytes.subarray(0, held));
        say({ step: 'done', result, payload: reply !== undefined });
        if (reply) send(reply);
        job = undefined;
        bytes = Buffer.alloc(0);
      }
    }
  }
  process.exit();
}
