#!/usr/bin/env node
// The command line. Runs the build under a Node that is new enough; says nothing of its own on standard output.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ROOT, knownNode } from '../scripts/bootstrap.mjs';

const cli = join(ROOT, 'dist/composition/cli.js');
const runtime = knownNode();
if (!runtime || !existsSync(cli)) {
  process.stderr.write('owner-workspace: not built yet; run `npm run setup` first.\n');
  process.exit(1);
}
if (runtime === process.execPath) await import(cli);
else {
  const child = spawn(runtime, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
  });
}
