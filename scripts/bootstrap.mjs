// Plain JavaScript for Node 18: it runs on the Node of the machine and prepares the pinned one.
import { join } from 'node:path';
import { command, setUp } from './bootstrap/setup.mjs';
import { ROOT, FatalError, execInPlace, becomeNode, environment, say } from './bootstrap/steps.mjs';
import { supervise } from './bootstrap/supervise.mjs';

const USAGE = `usage: node scripts/bootstrap.mjs TASK [WORD…]
  setup            runtime, dependencies and build
  build            the same; it is the last part of setup
  start [WORD…]    setup, then serve, and serve again if that ends unexpectedly
  test [WORD…]     setup, then the specs
  bench FILE [WORD…]  setup, then a TypeScript file of ours
  run FILE [WORD…]    a TypeScript file of ours, without a build
  tool NAME [WORD…]   a program of the dependencies, without a build`;

const within = (file) => join(ROOT, file);

async function hand(file, words, { build }) {
  const node = await setUp({ build });
  await becomeNode(node, [within(file), ...words], { cwd: ROOT, env: environment(node) });
}

async function start(words) {
  const node = await setUp({ build: true });
  const options = { cwd: ROOT, env: environment(node) };
  await supervise(node, [within('dist/composition/cli.js'), 'start', ...words], options);
}

const [task, ...words] = process.argv.slice(2);
const [first = '', ...rest] = words;

await command(async () => {
  switch (task) {
    case 'setup':
    case 'build':
      await setUp({ build: true });
      return say('> Ready.');
    case 'start':
      return start(words);
    case 'test':
      return hand('scripts/test.ts', words, { build: true });
    case 'bench':
      return hand(first, rest, { build: true });
    case 'run':
      return hand(first, rest, { build: false });
    case 'tool': {
      const node = await setUp({ build: false });
      return execInPlace(first, rest, { cwd: ROOT, env: environment(node) });
    }
    default:
      throw new FatalError(USAGE, 2);
  }
});
