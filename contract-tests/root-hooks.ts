import { relative } from 'node:path';
import fc from 'fast-check';
import Mocha from 'mocha';
import { readFailureDetails } from './failure-details.ts';
import { endLeftovers, endShared } from './leftovers.ts';
import { SPEC_SEED } from './seed.ts';

/** Time for the hook alone: databases are dropped in it. */
const END_LIMIT_MS = 30_000;

fc.configureGlobal({ seed: SPEC_SEED });

/** The root hooks of every mocha process (see .mocharc.cjs). */
export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    const root = this.test?.parent;
    if (root) groupByFile(root);
  },
  async afterEach(this: Mocha.Context): Promise<void> {
    if (this.currentTest?.state !== 'failed') return;
    for (const details of await readFailureDetails()) process.stdout.write(`${details}\n`);
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(END_LIMIT_MS);
    const left = await endShared();
    if (left.length > 0) throw new Error(`The files of a process left running: ${left.join(', ')}`);
  },
};

/**
 * Puts the suites of each file into a suite of the file, which has no title. Its last hook fails if the file has left
 * something running. It runs after the hooks of the file's own suites, also if one of those failed.
 */
function groupByFile(root: Mocha.Suite): void {
  const files = Map.groupBy(root.suites, ({ file }) => file);
  root.suites = [];
  for (const [file = '', suites] of files) {
    const group = Mocha.Suite.create(root, '');
    // A root suite has no part in the titles of its tests.
    group.root = true;
    group.file = file;
    group.timeout(END_LIMIT_MS);
    // `addSuite` would also replace the time limits of the suites.
    group.suites = suites;
    for (const suite of suites) suite.parent = group;
    group.afterAll('end what is left running', async () => {
      const left = await endLeftovers();
      if (left.length > 0)
        throw new Error(`${relative('', file)} left running: ${left.join(', ')}`);
    });
  }
}
