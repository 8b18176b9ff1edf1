import { spawn } from 'node:child_process';

/**
 * Everything that can be said of the code without running it, each part for itself, so that one run tells all.
 * `scripts/check.ts lint types` runs those parts only.
 */
const PARTS = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['core-types', 'tsc', '-p', 'core/tsconfig.json'],
  ['lint', 'eslint', '.', '--max-warnings', '0'],
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  [
    'boundaries',
    'depcruise',
    'ports',
    'core',
    'adapters',
    'composition',
    'contract-tests',
    'bench',
  ],
  ['reference', process.execPath, 'scripts/reference.ts', '--check'],
] as const;

const run = (command: string, words: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.once('exit', (code) => resolve(code === 0));
  });

const named = process.argv.slice(2);
const wanted = PARTS.filter(
  ([name]) => named.length === 0 || named.some((it) => name.endsWith(it)),
);
const known = named.every((it) => PARTS.some(([name]) => name.endsWith(it)));
if (!known) console.error(`The parts are ${PARTS.map(([name]) => name).join(', ')}.`);

const summary: string[] = [];
let sound = known;
for (const [name, command, ...words] of wanted) {
  console.log(`> ${name}`);
  const from = performance.now();
  const passed = await run(command, words);
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  summary.push(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  sound &&= passed;
}
console.log(`\n${summary.join('\n')}`);
process.exitCode = sound ? 0 : 1;
