import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * A tour of an afternoon: one person signs in, adds 60 files, tidies up, asks, corrects, shares, plans, lets the agent file
 * something, hides a document, exports, and imports into an empty workspace; all of it in a browser, with the compiled service.
 * `npm run tour`. It runs on SQLite, and on Postgres with Redis where they are reachable, and fails without a Chromium.
 * SCREENSHOT_DIR names a folder for its pictures.
 */
const ROOT = join(import.meta.dirname, '..');
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const SPEC = 'contract-tests/app/afternoon/tour.ts';

const { status } = spawnSync(
  process.execPath,
  // Without a browser there are no steps at all, which is a failure here.
  [MOCHA, SPEC, '--fail-zero', '--reporter=spec', ...process.argv.slice(2)],
  { cwd: ROOT, env: { ...process.env, PROGRAM: 'compiled' }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
