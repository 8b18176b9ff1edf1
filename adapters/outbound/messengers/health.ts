import type { BotState } from '../../../ports/bots.ts';
import type { HealthProbe } from '../../../ports/health.ts';
import type { OutboundPolicy } from '../ssrf-guard.ts';
import { lazyFetchStatus } from '../lazy-http-status.ts';
import { brokenDown, failureOf, tooSlow } from './failures.ts';

/**
 * Whether the platform can be reached, without a token. No request is sent if no bot is `requested`. Bots with a problem do
 * not make the check fail, since a bot and its token are matters of its owner.
 */
export const messengerProbe = (
  baseUrl: string,
  rules: OutboundPolicy,
  timeMs: number,
  requested: () => Promise<boolean>,
  troubles: () => Promise<readonly BotState[]>,
): HealthProbe => ({
  name: 'messenger',
  check: async () => {
    if (!(await requested())) return { status: 'off', detail: 'No bot is connected.' };
    try {
      const status = await lazyFetchStatus(new URL(`${baseUrl}/`), {}, rules, timeMs, tooSlow);
      // An RPC server may reject GET; any response shows that it is reachable.
      if (status >= 500 && status !== 501) throw brokenDown(status);
      return { status: 'ok', detail: `It answers.${troubleText(await troubles())}` };
    } catch (error) {
      throw failureOf(error);
    }
  },
});

/** Without numbers, which would include bots of other owners. */
function troubleText(states: readonly BotState[]): string {
  const silent = states.some((state) => state !== 'polling' && state !== 'webhook');
  return [
    silent ? ' At least one bot receives no updates.' : '',
    states.includes('polling') ? ' At least one bot is polled because its webhook failed.' : '',
  ].join('');
}
