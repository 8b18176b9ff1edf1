import { ChildProcessThumbnailer } from '../adapters/extract/thumbnailer.ts';
import { thumbnailerContract } from './suites/thumbnailer.ts';

/** Children of this process that are alive. One that has just ended is forgotten two turns of the loop later. */
const processes = async () => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
};

describe('child processes: Thumbnailer', () =>
  thumbnailerContract(async () => ({
    thumbnailer: new ChildProcessThumbnailer({ timeLimitMs: 5_000, maxWaiting: 6 }),
    timeLimitMs: 15_000,
    room: 8,
    processes,
  })));
