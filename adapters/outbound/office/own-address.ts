import { DownloadRefused, type OwnAddress } from '../../../ports/office.ts';
import { placeOf } from '../destinations.ts';
import { Watch } from '../watch.ts';
import { failureOf, tooSlow } from './failures.ts';

/** Looks at this service from outside, by the name that others are given. */
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
        : { ok: false, reason: 'Something else answers under the address of this service.' };
    } catch (error) {
      if (failureOf(error) instanceof DownloadRefused)
        return { ok: false, reason: 'Nobody answers under the address of this service.' };
      throw error;
    } finally {
      watch.end(new Error('It has been looked at.'));
    }
  },
};
