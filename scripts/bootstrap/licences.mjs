import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Writes the licences of the packages that were bundled. `base` is the folder that the paths of the bundles begin at;
 * `copied` are folders of packages whose files were copied.
 */
export function writeLicences(file, base, bundles, copied = []) {
  const bundled = bundles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageFolder);
  const folders = [...new Set([...bundled, ...copied].map((path) => join(base, path)))];
  writeFileSync(
    file,
    folders
      .sort()
      .map(licenceOf)
      .join(`\n${'-'.repeat(80)}\n\n`),
  );
}

/** The folder of the package that a bundled file is part of; none for a file of the project. */
function packageFolder(input) {
  const path = input.split(sep).join('/');
  const within = path.lastIndexOf('node_modules/');
  if (within < 0) return [];
  const from = within + 'node_modules/'.length;
  const [scope, name] = path.slice(from).split('/');
  return [path.slice(0, from) + (scope.startsWith('@') ? `${scope}/${name}` : scope)];
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`;
}
