#!/usr/bin/env node
// The command line: runs the build under a Node that is new enough, in the folder of whoever calls it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { command, setUp } from '../scripts/bootstrap/setup.mjs';
import { ROOT, become } from '../scripts/bootstrap/steps.mjs';

await command(async () => {
  const cli = join(ROOT, 'dist/composition/cli.js');
  const node = await setUp({ build: true });
  if (node === process.execPath) await import(pathToFileURL(cli).href);
  else await become(node, [cli, ...process.argv.slice(2)], {});
});
