import { Console } from 'node:console';
import { giveUpNetwork } from './no-network.ts';
import { frame, FrameReader } from './frames.ts';
import { CHUNK_BYTES, type Job, type Report } from './protocol.ts';
import type { Answer } from '../readers/read.ts';

giveUpNetwork();
// Standard output carries frames; what libraries have to say goes the other way.
globalThis.console = new Console(process.stderr);
// A terminal or a service manager signals the whole group; when to end is up to the parent alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Readers abandon promises of their libraries; the answer does not wait for those.
process.on('unhandledRejection', () => undefined);

const send = (payload: Uint8Array): unknown => process.stdout.write(frame(payload));
const say = (report: Report): unknown => send(Buffer.from(JSON.stringify(report)));

/** Files come one after another: a job, its bytes, an empty frame. The end of input is the end of the process. */
async function serve(): Promise<void> {
  const { readFile } = await import('../readers/read.ts');
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
        answer(await readFile(job, bytes.subarray(0, held)));
        job = undefined;
        bytes = Buffer.alloc(0);
      }
    }
  }
}

function answer({ result, text }: Answer): void {
  say({ step: 'done', result });
  if (result.outcome === 'text') send(Buffer.from(text, 'utf8'));
}

await serve();
process.exit();
