import type { Scheduler } from '../../ports/runtime.ts';
import type { KeyedMutex } from './keyed-mutex.ts';

/**
 * Coalesces concurrent calls for one key: calls that arrive during a run join the next run, which gets their number.
 * All calls of a run share its result.
 */
export type Coalescer = <T>(name: string, work: (many: number) => Promise<T>) => Promise<T>;

/**
 * Coalescer of one process. A key uses memory only while a call is waiting. Between two runs it yields, so that
 * pending calls can join: work that blocks the event loop would otherwise leave them no opportunity.
 */
export function createCoalescer(mutex: KeyedMutex, scheduler: Scheduler): Coalescer {
  const gathering = new Map<string, { many: number; readonly end: Promise<unknown> }>();
  return <T>(name: string, work: (many: number) => Promise<T>): Promise<T> => {
    const joined = gathering.get(name);
    if (joined) {
      joined.many += 1;
      return joined.end as Promise<T>;
    }
    const round: { many: number; readonly end: Promise<T> } = {
      many: 1,
      end: mutex(`round ${name}`, async () => {
        await scheduler.yield();
        gathering.delete(name);
        return work(round.many);
      }),
    };
    gathering.set(name, round);
    return round.end;
  };
}
