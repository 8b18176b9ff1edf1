import type { Drill, FaultContext } from '../drill.ts';

/** As under a supervisor: a dead process is restarted immediately. */
const killing =
  (what: 'serve' | 'worker') =>
  async ({ installation, over }: FaultContext): Promise<void> => {
    const startAgain = await installation.kill(what);
    over();
    await startAgain();
  };

export const killDrills: readonly Drill[] = [
  {
    name: 'kill-serve',
    profile: 'standalone',
    does: 'kill -9 of the only process, in the middle of uploads and operations on pictures',
    rounds: 3,
    fault: killing('serve'),
  },
  {
    name: 'kill-serve',
    profile: 'team',
    does: 'kill -9 of one of two that serve',
    rounds: 3,
    fault: killing('serve'),
  },
  {
    name: 'kill-worker',
    profile: 'team',
    does: 'kill -9 of the worker',
    rounds: 3,
    fault: killing('worker'),
  },
];
