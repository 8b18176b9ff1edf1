import type { Breather } from '../../ports/time-and-ids.ts';
import type { Turns } from './turns.ts';

/**
 * Coalesces concurrent calls for one key: calls that arrive during a run join the next run, which gets their number.
 * All calls of a run share its result.
 */
export type Rounds = <T>(name: string, work: (many: number) => Promise<T>) => Promise<T>;

/**
 * Coalescer of one process. A key uses memory only while a call is waiting. Between two runs it yields, so that
 * pending calls can join: work that blocks the event loop would otherwise leave them no opportunity.
 */
export function inRounds(turns: Turns, breather: Breather): Rounds {
  const gathering = new Map<string, { many: number; readonly end: Promise<unknown> }>();
  return <T>(name: string, work: (many: number) => Promise<T>): Promise<T> => {
    const joined = gathering.get(name);
    if (joined) {
      joined.many += 1;
      return joined.end as Promise<T>;
    }
    const round: { many: number; readonly end: Promise<T> } = {
      many: 1,
      end: turns(`round ${name}`, async () => {
        await breather.breathe();
        gathering.delete(name);
        return work(round.many);
      }),
    };
    gathering.set(name, round);
    return round.end;
  };
}
