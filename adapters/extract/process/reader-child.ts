import { disableNetwork } from './disable-network.ts';
import type { Job } from './protocol.ts';
import { runChildLoop } from './child-loop.ts';

disableNetwork();

await runChildLoop<Job>(async () => {
  const { readFile } = await import('../readers/dispatch.ts');
  return async (job, bytes) => {
    const { result, text } = await readFile(job, bytes);
    return result.outcome === 'text' ? { result, payload: Buffer.from(text, 'utf8') } : { result };
  };
});
