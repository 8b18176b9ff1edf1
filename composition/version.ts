import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of this program, as its package says. */
export function productVersion(): string {
  const path = findPackageJSON(import.meta.url);
  if (path === undefined) throw new Error('The package.json of this program is missing.');
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version;
}
