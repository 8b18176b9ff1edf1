import type { Outcome } from './drill.ts';

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** A line of the table. */
export function rowOf(outcome: Outcome): Record<string, string | number> {
  const counts = new Map<string, number>();
  for (const [refusal, count] of Object.entries(outcome.refused)) {
    const [status = ''] = refusal.split(' ');
    counts.set(status, (counts.get(status) ?? 0) + count);
  }
  const refused = [...counts].map(([status, count]) => `${status}×${count}`);
  return {
    drill: outcome.drill,
    profile: outcome.profile,
    acknowledged: outcome.acknowledged,
    refused: refused.join(' ') || '0',
    unanswered: outcome.unanswered,
    survived: outcome.survived,
    lost: outcome.lost.length,
    twice: outcome.twice.length,
    'first write s': tenths(outcome.firstSuccess),
    'all ready s': tenths(outcome.allReady),
  };
}

/** The same for people who watch the progress. */
export const lineOf = (outcome: Outcome): string =>
  Object.entries(rowOf(outcome))
    .slice(2)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') + `, in ${tenths(outcome.seconds)} s`;

/** What must not happen. */
export function faultsOf({ lost, twice, wrong, damage }: Outcome): readonly string[] {
  const titled = (title: string, all: readonly string[]) => all.map((it) => `${title}: ${it}`);
  return [
    ...titled('lost', lost),
    ...titled('twice', twice),
    ...titled('answered', wrong),
    ...titled('doctor', damage),
  ];
}
