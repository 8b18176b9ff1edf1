import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanInstall } from './npm.mjs';
import { ROOT, createAtomically } from './steps.mjs';

const LOCK = join(ROOT, 'package-lock.json');
const PLACE = join(ROOT, 'node_modules');
const STAMP = '.owner-workspace';

/**
 * Installs the dependencies unless they match the lock file. Without a lock file this is an installed package, whose
 * dependencies npm has installed.
 */
export async function ensurePackages(node) {
  if (!existsSync(LOCK)) return;
  const lock = readFileSync(LOCK, 'utf8');
  const machine = `${process.platform} ${process.arch} `;
  const options = machine + createHash('sha256').update(lock).digest('hex');
  const stamped = () => stamp() === options;
  if (stamped()) return;
  // After an install by hand, to add a package, a second install is not needed.
  if ((stamp() ?? machine).startsWith(machine) && agreesWith(lock))
    return writeFileSync(join(PLACE, STAMP), options);
  await createAtomically(PLACE, '.runtime-packages-', stamped, async (draft) => {
    mkdirSync(draft);
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(ROOT, file), join(draft, file));
    await cleanInstall(node, draft, 'Installing the dependencies');
    writeFileSync(join(draft, 'node_modules', STAMP), options);
    return join(draft, 'node_modules');
  });
}

const stamp = () => {
  const file = join(PLACE, STAMP);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/** Whether npm's record of the last complete install matches the lock file. */
function agreesWith(lock) {
  const note = join(PLACE, '.package-lock.json');
  if (!existsSync(note)) return false;
  const installed = JSON.parse(readFileSync(note, 'utf8')).packages;
  return Object.entries(JSON.parse(lock).packages).every(
    ([path, { version, integrity, optional }]) =>
      path === '' ||
      (installed[path]
        ? installed[path].version === version && installed[path].integrity === integrity
        : optional),
  );
}
