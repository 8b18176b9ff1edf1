import { DownloadRefused, type OwnAddress } from '../../../ports/office.ts';
import { placeOf } from '../destinations.ts';
import { Watch } from '../watch.ts';
import { failureOf, tooSlow } from './failures.ts';

/** Checks this service from outside, through its public URL. */
export const ownAddress: OwnAddress = {
  answers: async (baseUrl, timeMs) => {
    const { exchange, shortAnswer } = await import('./exchange.ts');
    const watch = new Watch({ idleMs: timeMs, totalMs: timeMs }, tooSlow);
    watch.begin();
    try {
      const question = { url: `${baseUrl}/health` };
      const asked = exchange({ allowed: placeOf(baseUrl) }, question, timeMs, watch);
      const { status, text } = await shortAnswer(asked, 4_096);
      return status === 200 && /"status":\s*"ok"/.test(text)
        ? { ok: true, detail: 'This service answers under its own address.' }
        : { ok: false, reason: 'A different server is running at the address of this service.' };
    } catch (error) {
      if (failureOf(error) instanceof DownloadRefused)
        return { ok: false, reason: 'The address of this service cannot be reached.' };
      throw error;
    } finally {
      watch.end(new Error('It has been looked at.'));
    }
  },
};
