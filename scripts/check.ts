import { spawn } from 'node:child_process';

/**
 * All static checks. They run independently, two at a time, the longest first; the output of each is printed when it
 * ends. `scripts/check.ts lint types` runs these checks only.
 */
const PARTS = [
  ['lint', 'eslint', '.', '--max-warnings', '0'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['core-types', 'tsc', '-p', 'core/tsconfig.json'],
  ['web-types', 'tsc', '-p', 'web/tsconfig.json'],
  ['app-spec-types', 'tsc', '-p', 'contract-tests/app/tsconfig.json'],
  ['worker-types', 'tsc', '-p', 'web/service-worker/tsconfig.json'],
  ['hash-worker-types', 'tsc', '-p', 'web/hash-worker/tsconfig.json'],
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  [
    'boundaries',
    'depcruise',
    'ports',
    'core',
    'adapters',
    'composition',
    'web',
    'contract-tests',
    'bench',
    'drill',
  ],
  ['reference', process.execPath, 'scripts/reference.ts', '--check'],
] as const;

const AT_ONCE = 2;

const run = (
  command: string,
  words: readonly string[],
): Promise<{ readonly passed: boolean; readonly said: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };
    const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('error', (error) =>
      resolve({ passed: false, said: `${command}: ${error.message}\n` }),
    );
    child.once('close', (code) => resolve({ passed: code === 0, said }));
  });

const named = process.argv.slice(2);
const wanted = PARTS.filter(
  ([name]) => named.length === 0 || named.some((it) => name.endsWith(it)),
);
const known = named.every((it) => PARTS.some(([name]) => name.endsWith(it)));
if (!known) console.error(`The parts are ${PARTS.map(([name]) => name).join(', ')}.`);

const summary: string[] = [];
let sound = known;
const queue = [...wanted];
const lane = async (): Promise<void> => {
  for (let part = queue.shift(); part; part = queue.shift()) {
    const [name, command, ...words] = part;
    const from = performance.now();
    const { passed, said } = await run(command, words);
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    console.log(`> ${name}\n${said.trimEnd()}`.trimEnd());
    summary.push(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    sound &&= passed;
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, lane));
console.log(`\n${summary.join('\n')}`);
process.exitCode = sound ? 0 : 1;
