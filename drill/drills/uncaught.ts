import { join } from 'node:path';
import type { Drill, FaultContext } from '../drill.ts';

/** Throws the errors; not a part of the service. */
const STRAY = join(import.meta.dirname, '../stray-errors.ts');

/** As under a supervisor: a process that has exited is restarted immediately. */
const throwing = async ({ installation, over }: FaultContext): Promise<void> => {
  const startAgain = await installation.throwUncaught();
  over();
  await startAgain();
};

const drill = { name: 'uncaught', rounds: 3, env: { NODE_OPTIONS: `--import=${STRAY}` } };

export const uncaught: readonly Drill[] = [
  {
    ...drill,
    profile: 'standalone',
    does: 'an uncaught error in the only process, under load',
    fault: throwing,
  },
  {
    ...drill,
    profile: 'team',
    does: 'an uncaught error in one of two servers',
    fault: throwing,
  },
];
