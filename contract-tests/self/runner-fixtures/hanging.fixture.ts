import { spawn } from 'node:child_process';
import { writeToFolder } from './folder.ts';

describe('hanging', () => {
  it('passes', () => undefined);
  it('never ends, and its child neither', function () {
    this.timeout(0);
    const child = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1_000)'], {
      detached: true,
      stdio: 'ignore',
    });
    writeToFolder('hanging', String(child.pid));
    return new Promise(() => undefined);
  });
  it('is not reached', () => undefined);
});
