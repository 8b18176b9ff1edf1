import { DownloadError, type SelfReachability } from '../../../ports/office.ts';
import { destinationOfUrl } from '../destination-policy.ts';
import { RequestTimeout } from '../request-timeout.ts';
import { failureOf, tooSlow } from './failures.ts';

/** Checks this service from outside, through its public URL. */
export const selfReachability: SelfReachability = {
  answers: async (baseUrl, timeMs) => {
    const { exchange, shortAnswer } = await import('./exchange.ts');
    const watch = new RequestTimeout({ idleMs: timeMs, totalMs: timeMs }, tooSlow);
    watch.begin();
    try {
      const question = { url: `${baseUrl}/health` };
      const response = exchange({ allowed: destinationOfUrl(baseUrl) }, question, timeMs, watch);
      const { status, text } = await shortAnswer(response, 4_096);
      return status === 200 && /"status":\s*"ok"/.test(text)
        ? { ok: true, detail: 'This service answers under its own address.' }
        : { ok: false, reason: 'A different server is running at the address of this service.' };
    } catch (error) {
      if (failureOf(error) instanceof DownloadError)
        return { ok: false, reason: 'The address of this service cannot be reached.' };
      throw error;
    } finally {
      watch.end(new Error('It has been looked at.'));
    }
  },
};
