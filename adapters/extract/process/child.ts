import { giveUpNetwork } from './no-network.ts';
import type { Job } from './protocol.ts';
import { serve } from './serve.ts';

giveUpNetwork();

await serve<Job>(async () => {
  const { readFile } = await import('../readers/read.ts');
  return async (job, bytes) => {
    const { result, text } = await readFile(job, bytes);
    return result.outcome === 'text' ? { result, payload: Buffer.from(text, 'utf8') } : { result };
  };
});
