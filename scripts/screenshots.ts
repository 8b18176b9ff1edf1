import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PICTURES_SPEC, writeReadmePictures } from './demo/pictures.ts';

/**
 * Pictures of every screen and state of the app, in light and dark, on a desktop and a phone: runs the browser specs that
 * write them, on the standalone profile. The list of screens is in `contract-tests/app/tour-screens.ts`. `npm run screenshots [FOLDER]`; the folder is `screenshots/` unless it is given.
 *
 * `npm run screenshots -- --readme` makes those of the README instead: the screens in `contract-tests/app/demo-screens.ts`
 * with the demo workspace, as small files in `docs/pictures`. Documents are in Russian and Chinese too: the machine needs
 * fonts for them.
 */
const ROOT = join(import.meta.dirname, '..');
const README_PICTURES = join(ROOT, 'docs/pictures');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: 'boolean', default: false } },
});

/** Runs the specs, which write into the folder. Returns the exit status. */
function takePictures(specs: readonly string[], folder: string): number {
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/mocha/bin/mocha.js'), ...specs],
    {
      cwd: ROOT,
      env: { ...process.env, PROGRAM: 'compiled', BACKENDS: 'sqlite', SCREENSHOT_DIR: folder },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return status ?? 1;
}

async function readmePictures(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'ow-pictures-'));
  try {
    const status = takePictures([PICTURES_SPEC], folder);
    if (status !== 0) return status;
    const names = await writeReadmePictures(folder, README_PICTURES);
    console.log(`${names.length} pictures in ${README_PICTURES}`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function allPictures(): number {
  const folder = resolve(positionals[0] ?? join(ROOT, 'screenshots'));
  const specs = globSync('contract-tests/app/*.spec.ts', { cwd: ROOT })
    .filter((spec) => readFileSync(join(ROOT, spec), 'utf8').includes('capture('))
    .sort();
  rmSync(folder, { recursive: true, force: true });
  const status = takePictures(specs, folder);
  console.log(`${readdirSync(folder).length} pictures in ${folder}`);
  return status;
}

process.exitCode = values.readme ? await readmePictures() : allPictures();
