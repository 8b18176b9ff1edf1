import type { HealthProbe } from '../../../ports/health.ts';
import type { OutboundPolicy } from '../ssrf-guard.ts';
import { lazyFetchStatus } from '../lazy-http-status.ts';
import { brokenDown, failureOf, tooSlow } from './failures.ts';

/** Whether the platform can be reached, without a token. No request is sent if no bot is `requested`. */
export const messengerProbe = (
  baseUrl: string,
  rules: OutboundPolicy,
  timeMs: number,
  requested: () => Promise<boolean>,
): HealthProbe => ({
  name: 'messenger',
  check: async () => {
    if (!(await requested())) return { status: 'off', detail: 'No bot is connected.' };
    try {
      const status = await lazyFetchStatus(new URL(`${baseUrl}/`), {}, rules, timeMs, tooSlow);
      // An RPC server may reject GET; any response shows that it is reachable.
      if (status >= 500 && status !== 501) throw brokenDown(status);
      return { status: 'ok', detail: 'It answers.' };
    } catch (error) {
      throw failureOf(error);
    }
  },
});
