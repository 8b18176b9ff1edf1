import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { FileResults } from '../../scripts/specs/file-results.ts';
import { runMocha } from '../../scripts/specs/mocha-process.ts';
import { closingLines } from '../../scripts/specs/report.ts';
import { runSpecs, type Verdict } from '../../scripts/specs/run-specs.ts';
import { eventually } from '../http/harness.ts';

const fixture = (name: string): string => `contract-tests/self/runner-fixtures/${name}.fixture.ts`;

/** Far beyond every start on a busy machine. Specs about the watchdog have its timer in their hands. */
const LIMITS = { silentMs: 240_000, lingerMs: 20_000 };

describe('the runner of the specs', function () {
  this.timeout(120_000);

  let folder: string;
  const printed: string[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ow-runner-'));
    printed.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs fixtures. One timer of the watchdog fires as soon as a fixture has written the named file. */
  async function verdictOf(
    batches: readonly (readonly string[])[],
    fileThatFires?: string,
    firingMs = LIMITS.silentMs,
  ): Promise<Verdict> {
    const env = { ...process.env, RUNNER_FIXTURE_DIR: folder };
    const schedule = (ms: number, fire: () => void): (() => void) => {
      let isCancelled = ms !== firingMs;
      void (async () => {
        while (!isCancelled && !existsSync(join(folder, fileThatFires ?? ''))) await pause(20);
        if (!isCancelled) fire();
      })();
      return () => void (isCancelled = true);
    };
    return runSpecs({
      batches: batches.map((names) => names.map(fixture)),
      lanes: 1,
      run: async (files) => {
        if (fileThatFires !== undefined) await rm(join(folder, fileThatFires), { force: true });
        const watched = fileThatFires !== undefined && { schedule };
        return runMocha({ files, env, print: (line) => printed.push(line), ...LIMITS, ...watched });
      },
    });
  }

  const closing = (verdict: Verdict): readonly string[] => [...closingLines(verdict)];
  const failing = (verdict: Verdict) =>
    verdict.failing.map(({ file, title, message }) => ({ file, title, message }));

  it('passes files that pass, and counts their tests', async () => {
    const verdict = await verdictOf([['passing']]);
    expect(verdict.hasPassed).to.equal(true);
    expect(closing(verdict)).to.deep.equal(['', '2 passed, 0 failed, 1 skipped']);
  });

  it('fails with a file that fails twice', async () => {
    const verdict = await verdictOf([['failing', 'passing']]);
    expect(verdict.hasPassed).to.equal(false);
    expect(closing(verdict)).to.deep.equal([
      '',
      'failing: 1',
      `  ${fixture('failing')}: failing fails: as always`,
      '3 passed, 1 failed, 1 skipped',
    ]);
  });

  it('lists a file that fails once as unstable, and passes', async () => {
    const verdict = await verdictOf([['unstable', 'passing']]);
    expect(verdict.hasPassed).to.equal(true);
    expect(closing(verdict)).to.deep.equal([
      '',
      'unstable: 1',
      `  ${fixture('unstable')}: unstable fails once: only once`,
      '4 passed, 0 failed, 1 skipped',
    ]);
  });

  it('counts tests behind a failed hook as failed', async () => {
    const verdict = await verdictOf([['before-failing']]);
    expect(verdict).to.include({ hasPassed: false, passed: 1, failed: 3, skipped: 0 });
    expect(verdict.failing[0]?.title).to.include('"before all" hook');
    expect(verdict.failing[0]?.message).to.equal('no ground');
  });

  it('names the test in which a process died, and runs the files behind it', async () => {
    const verdict = await verdictOf([['dying', 'passing']]);
    expect(verdict).to.include({ hasPassed: false, passed: 3, failed: 2, skipped: 1 });
    expect(failing(verdict)).to.deep.equal([
      {
        file: fixture('dying'),
        title: 'dying kills the process',
        message: 'the process ended before its tests (SIGKILL)',
      },
    ]);
  });

  it('names a file that can not be read, and runs the others', async () => {
    const verdict = await verdictOf([['passing', 'unreadable']]);
    expect(verdict).to.include({ hasPassed: false, passed: 2, failed: 1, skipped: 1 });
    expect(failing(verdict)).to.deep.equal([
      {
        file: fixture('unreadable'),
        title: 'loading',
        message: 'the process ended before its tests (status 1)',
      },
    ]);
  });

  it('kills a process that is silent, with its children, and names the test', async () => {
    const verdict = await verdictOf([['hanging']], 'hanging');
    expect(verdict).to.include({ hasPassed: false, passed: 1, failed: 2 });
    const [failure] = failing(verdict);
    expect(failure).to.deep.equal({
      file: fixture('hanging'),
      title: 'hanging never ends, and its child neither',
      message: 'no output for 240 s; the process was killed',
    });
    expect(printed.at(-1)).to.equal(
      `  FAILED ${failure?.file}: ${failure?.title}: ${failure?.message}`,
    );
    const child = Number(readFileSync(join(folder, 'hanging'), 'utf8'));
    expect(
      await eventually(
        async () => isRunning(child),
        (it) => !it,
      ),
    ).to.equal(false);
  });

  it('kills a process that lives on after its last test', async () => {
    const verdict = await verdictOf([['lingering']], 'lingering', LIMITS.lingerMs);
    expect(verdict).to.include({ hasPassed: false, passed: 1, failed: 1 });
    expect(verdict.failing[0]?.message).to.equal(
      'the process still ran 20 s after its last test and was killed',
    );
  });

  it('ends what a file has left running, and says so', async () => {
    const verdict = await verdictOf([['leaking', 'passing']]);
    expect(verdict).to.include({ hasPassed: false, passed: 3, failed: 2 });
    expect(printed.join('\n')).to.include(`${fixture('leaking')} left running: a local server`);
  });

  it('does not run files again if too many have failed', async () => {
    const files = Array.from({ length: 7 }, (_, nth) => `file-${nth}`);
    const ran: string[] = [];
    const verdict = await runSpecs({
      batches: [files],
      lanes: 1,
      run: async (some) => {
        ran.push(...some);
        const results = new FileResults();
        for (const file of some)
          results.add({ event: 'failed', of: 'test', file, title: 'once', message: 'broken' });
        results.add({ event: 'ended' });
        return results;
      },
    });
    expect(verdict).to.include({ hasPassed: false, failed: 7 });
    expect(ran).to.deep.equal(files);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
