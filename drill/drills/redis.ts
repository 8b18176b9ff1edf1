import { pause } from '../child.ts';
import type { Drill } from '../drill.ts';

const AWAY_MS = 3_000;
const HANGS_MS = 10_000;

export const redis: readonly Drill[] = [
  {
    name: 'redis-kill',
    profile: 'team',
    does: 'kill -9 of Redis, which comes back empty after three seconds',
    fault: async ({ ground }) => {
      const server = await ground.redis();
      await server.kill();
      await pause(AWAY_MS);
      await server.start();
    },
  },
  {
    name: 'redis-flush',
    profile: 'team',
    does: 'everything in Redis removed',
    rounds: 2,
    fault: async ({ ground }) => (await ground.redis()).flush(),
  },
  {
    name: 'redis-hang',
    profile: 'team',
    does: 'Redis takes connections and does not answer for ten seconds',
    fault: async ({ ground }) => {
      const server = await ground.redis();
      server.hang();
      await pause(HANGS_MS).finally(() => server.goOn());
    },
  },
];
