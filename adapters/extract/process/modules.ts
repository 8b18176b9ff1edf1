import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = `${sep}node_modules`;

/** The outermost `node_modules` folder of a package, which contains its dependencies as well. */
export function modulesOf(name: string): string {
  const path = fileURLToPath(import.meta.resolve(name));
  return path.slice(0, path.indexOf(MODULES) + MODULES.length);
}
