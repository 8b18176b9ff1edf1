import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, createAtomically, step } from './steps.mjs';

const PLACE = join(ROOT, 'dist');
const STAMP = '.sources';
const FOLDERS = ['ports', 'core', 'adapters', 'composition', 'web'];
const BUNDLER = 'scripts/bootstrap/bundle.mjs';
const WEB_BUNDLER = 'scripts/bootstrap/web.mjs';
const SETTINGS = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  BUNDLER,
  WEB_BUNDLER,
  'scripts/bootstrap/licences.mjs',
];

/** Compiles to dist/ unless it was compiled from just these sources. A package without sources comes compiled. */
export async function ensureBuild(node) {
  if (!existsSync(join(ROOT, 'tsconfig.build.json'))) return;
  const digest = digestOfSources();
  const built = () => stamp() === digest;
  if (built()) return;
  // As deep as dist/ itself, so that the source maps are right once it is moved there.
  await createAtomically(PLACE, '.dist-', built, async (draft) => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const words = [tsc, '-p', 'tsconfig.build.json', '--outDir', draft];
    const failed = (output) => `The build failed:\n${output}`;
    await step('Building dist/', node, words, { cwd: ROOT }, failed);
    await step('Joining its modules', node, [join(ROOT, BUNDLER), draft], { cwd: ROOT }, failed);
    await step('Bundling the app', node, [join(ROOT, WEB_BUNDLER), draft], { cwd: ROOT }, failed);
    writeFileSync(join(draft, STAMP), digest);
    return draft;
  });
}

const stamp = () => {
  const file = join(PLACE, STAMP);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

function digestOfSources() {
  const hash = createHash('sha256');
  for (const file of [...SETTINGS, ...FOLDERS.flatMap((folder) => [...sourcesIn(folder)])])
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

function* sourcesIn(folder) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sourcesIn(path);
    else yield path;
  }
}
