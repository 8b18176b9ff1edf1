import type { Breather } from '../../ports/time-and-ids.ts';
import type { Turns } from './turns.ts';

/**
 * Does at once what many ask for under one name: whoever comes while a round of it runs joins the next one, which is
 * told how many they are. Everybody waits for the round they are in, and shares its end.
 */
export type Rounds = <T>(name: string, work: (many: number) => Promise<T>) => Promise<T>;

/**
 * Rounds of one process. A name takes room only while somebody waits under it. A round begins a breath after the one
 * before it, so that whoever is on the way joins it: where the work keeps everybody waiting nobody could otherwise.
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
