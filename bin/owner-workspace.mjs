#!/usr/bin/env node
// The command line: runs the build under a Node that is new enough, in the caller's working directory. Commands that serve
// run in a child process under a supervisor, which restarts it after a crash.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { command, setUp } from '../scripts/bootstrap/setup.mjs';
import { ROOT, becomeNode } from '../scripts/bootstrap/steps.mjs';
import { supervise } from '../scripts/bootstrap/supervise.mjs';

const SERVING = ['start', 'serve', 'worker'];

await command(async () => {
  const cli = join(ROOT, 'dist/composition/cli.js');
  const node = await setUp({ build: true });
  const words = process.argv.slice(2);
  if (SERVING.includes(words[0])) await supervise(node, [cli, ...words], {});
  else if (node === process.execPath) await import(pathToFileURL(cli).href);
  else await becomeNode(node, [cli, ...words], {});
});
