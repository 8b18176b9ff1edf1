import type { Drill, FaultContext } from '../drill.ts';

const restarting =
  (signal: NodeJS.Signals) =>
  async ({ ground }: FaultContext): Promise<void> => {
    const postgres = await ground.postgres();
    await postgres.stop(signal);
    await postgres.start();
  };

export const postgres: readonly Drill[] = [
  {
    name: 'postgres-restart',
    profile: 'team',
    does: 'Postgres stopped in order (fast) and started again',
    fault: restarting('SIGINT'),
  },
  {
    name: 'postgres-crash',
    profile: 'team',
    does: 'Postgres stopped at once (immediate): it recovers from its log',
    fault: restarting('SIGQUIT'),
  },
];
