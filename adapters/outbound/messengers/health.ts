import type { HealthProbe } from '../../../ports/health.ts';
import type { OutboundRules } from '../connector.ts';
import { statusOf } from '../status.ts';
import { brokenDown, failureOf, tooSlow } from './failures.ts';

/** Whether the platform can be reached, without a token. No request is sent if no bot is `wanted`. */
export const messengerProbe = (
  baseUrl: string,
  rules: OutboundRules,
  timeMs: number,
  wanted: () => Promise<boolean>,
): HealthProbe => ({
  name: 'messenger',
  check: async () => {
    if (!(await wanted())) return { status: 'off', detail: 'No bot is connected.' };
    try {
      const status = await statusOf(new URL(`${baseUrl}/`), {}, rules, timeMs, tooSlow);
      // An RPC server may reject GET; any response shows that it is reachable.
      if (status >= 500 && status !== 501) throw brokenDown(status);
      return { status: 'ok', detail: 'It answers.' };
    } catch (error) {
      throw failureOf(error);
    }
  },
});
