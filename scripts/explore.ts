import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { firstFailure, hasFailed } from './specs/file-results.ts';
import { runMocha } from './specs/mocha-process.ts';

/**
 * Runs every spec with random choices again and again, each time with a new seed, until the time is over. Prints for each
 * failure the seed, the path of fast-check and a command that repeats it. Ends with status 1 if there was one.
 * Usage: `npm run explore -- --minutes=30 [FILE…]`.
 */
const ROOT = join(import.meta.dirname, '..');
const DEFAULT_MINUTES = '10';
const MAX_SEED = 2 ** 31;
const LIMITS = { silentMs: 600_000, lingerMs: 20_000 };
/** Properties, the suites that contain some, and fuzzers. */
const RANDOM = /\bfc\.|\bSPEC_SEED\b|\/suites\//;

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: DEFAULT_MINUTES } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes: a positive number is expected.');
const until = Date.now() + minutes * 60_000;

const specs = globSync('contract-tests/**/*.spec.ts', { cwd: ROOT }).sort();
const files =
  positionals.length > 0
    ? positionals
    : specs.filter((file) => RANDOM.test(readFileSync(join(ROOT, file), 'utf8')));

let runs = 0;
let failures = 0;
while (Date.now() < until) {
  const seed = randomInt(MAX_SEED);
  console.log(`seed ${seed}: ${files.length} spec files`);
  for (const file of files) {
    if (Date.now() >= until) break;
    runs++;
    if (!(await explore(file, seed))) failures++;
  }
}
console.log(`${runs} runs of spec files, ${failures} of them failed`);
process.exitCode = failures > 0 ? 1 : 0;

async function explore(file: string, seed: number): Promise<boolean> {
  const lines: string[] = [];
  const env = { ...process.env, PROGRAM: 'compiled', SPEC_SEED: String(seed) };
  const print = (line: string) => void lines.push(line);
  const result = (await runMocha({ files: [file], env, print, ...LIMITS })).of(file);
  if (!hasFailed(result)) return true;
  const { title, message } = firstFailure(result);
  console.log(lines.join('\n'));
  console.log(`FAILED ${file}: ${title}\n${message}`);
  console.log(`repeat it: SPEC_SEED=${seed} npm test -- ${file}`);
  return false;
}
