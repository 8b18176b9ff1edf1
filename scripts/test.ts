import { spawn, type ChildProcess } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Runs the specs. All of them are shared out to mocha processes of which three run at a time: those that talk to a served
 * process wait for most of their time. Whoever names files or options gets one mocha with just these.
 */
const ROOT = join(import.meta.dirname, '..');
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const AT_ONCE = 3;
const HTTP_SHARES = 16;
const SUM = /^(\d+) passed, (\d+) failed, (\d+) skipped$/;

const words = process.argv.slice(2);
const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exitCode = 1;
  });

process.exitCode = await (words.length > 0 ? single(words) : shared());

function single(told: readonly string[]): Promise<number> {
  return ended(start(told, 'inherit'));
}

async function shared(): Promise<number> {
  const queue = shares();
  const totals = { passed: 0, failed: 0, skipped: 0 };
  let status = 0;
  const said = new Set<string>();
  const lane = async (): Promise<void> => {
    for (let files = queue.shift(); files; files = queue.shift()) {
      const child = start(files, 'pipe');
      const finished = ended(child);
      const sum = await told(child, said);
      status ||= await finished;
      for (const key of ['passed', 'failed', 'skipped'] as const) totals[key] += sum[key];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return status;
}

/** The specs of served processes dealt out in turn, so that no share has all the long ones; everything else in one. */
function shares(): string[][] {
  const files = globSync('contract-tests/**/*.spec.ts', { cwd: ROOT }).sort();
  const served = files.filter((file) => file.startsWith('contract-tests/http/'));
  const others = files.filter((file) => !served.includes(file));
  const dealt = Array.from({ length: HTTP_SHARES }, (_, share) =>
    served.filter((__, i) => i % HTTP_SHARES === share),
  );
  return [others, ...dealt];
}

function start(told: readonly string[], output: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [MOCHA, ...told], {
    cwd: ROOT,
    stdio: ['ignore', output, 'inherit'],
  });
  running.add(child);
  return child;
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** Passes on what a share prints, its sum aside. What was left out is the same for all and said once. */
async function told(child: ChildProcess, said: Set<string>) {
  let sum = { passed: 0, failed: 0, skipped: 0 };
  if (!child.stdout) return sum;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, passed, failed, skipped] = SUM.exec(line) ?? [];
    if (passed !== undefined)
      sum = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
    else if (!line.startsWith('left out:')) console.log(line);
    else if (!said.has(line)) {
      said.add(line);
      console.log(line);
    }
  }
  return sum;
}
