import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const CRUISER = join(ROOT, 'node_modules/.bin/depcruise');
const FOLDERS = ['ports', 'core', 'adapters', 'composition', 'web', 'contract-tests'];

const rules = (createRequire(import.meta.url)(CONFIG) as { forbidden: { name: string }[] })
  .forbidden;

/** A valid source tree: every allowed dependency, once. */
const SOUND: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: { inversify: '*', express: '*', 'snowball-stemmers': '*' },
    devDependencies: { chai: '*', preact: '*' },
  }),
  ...Object.fromEntries(
    ['inversify', 'express', 'snowball-stemmers', 'chai', 'preact'].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
      [`node_modules/${name}/index.js`, 'module.exports = 1;'],
    ]),
  ),
  'ports/time.ts': 'export type Time = number;',
  'ports/store.ts': "import type { Time } from './time.ts';\nexport type Store = Time;",
  'core/text/index.ts': "import stemmers from 'snowball-stemmers';\nexport const text = stemmers;",
  'core/objects/rules.ts': 'export const rules = 1;',
  'core/objects/index.ts':
    "import type { Store } from '../../ports/store.ts';\nimport { rules } from './rules.ts';\nimport { text } from '../text/index.ts';\nexport const objects: Store = rules + text;",
  'core/index.ts': "export { objects } from './objects/index.ts';",
  'adapters/http/edge.ts':
    "import express from 'express';\nimport { objects } from '../../core/index.ts';\nexport const edge = [express, objects];",
  'adapters/knex/store.ts':
    "import { join } from 'node:path';\nimport type { Store } from '../../ports/store.ts';\nexport const store: Store = join.length;",
  'composition/cli.ts':
    "import 'inversify';\nimport '../adapters/http/edge.ts';\nimport '../adapters/knex/store.ts';",
  'web/main.tsx': "import 'preact';\nimport './screen.tsx';",
  'web/screen.tsx': 'export const screen = 1;',
  'contract-tests/some.spec.ts': "import 'chai';\nimport '../core/objects/rules.ts';",
};

/** For each rule an import that violates it, from a separate file. */
const BROKEN: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'ports-stand-alone': ['ports/a.ts', '../core/index.ts'],
  'core-sees-ports': ['core/objects/b.ts', 'node:path'],
  'analyser-sees-stemmers': ['core/text/c.ts', 'express'],
  'driven-adapters-never-see-core': ['adapters/knex/d.ts', '../../core/index.ts'],
  'adapters-are-strangers': ['adapters/knex/e.ts', '../http/edge.ts'],
  'composition-sees-all-unseen': ['adapters/http/f.ts', '../../composition/cli.ts'],
  'inversify-stays-in-composition': ['adapters/http/g.ts', 'inversify'],
  'modules-meet-at-the-index': ['core/text/h.ts', '../objects/rules.ts'],
  'core-is-entered-at-an-index': ['adapters/http/i.ts', '../../core/objects/rules.ts'],
  'app-knows-the-interface-only': ['web/q.ts', '../ports/time.ts'],
  'service-without-the-app': ['adapters/http/r.ts', '../../web/screen.tsx'],
  'product-without-its-tests': ['composition/j.ts', '../contract-tests/some.spec.ts'],
  'product-without-dev-packages': ['composition/k.ts', 'chai'],
  'no-cycles': ['ports/l.ts', './m.ts'],
  'no-orphans': ['contract-tests/n.ts', ''],
  'no-dead-files-of-the-app': ['web/s.ts', 'preact'],
  'no-dead-files': ['adapters/knex/o.ts', '../../ports/store.ts'],
  'nothing-unresolved': ['composition/p.ts', './nowhere.ts'],
};

interface Report {
  readonly summary: { readonly violations: readonly { from: string; rule: { name: string } }[] };
}

/** The violations that the rules report for a tree of these files, as `rule: file`. */
async function violations(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const tree = await realpath(await mkdtemp(join(tmpdir(), 'ow-boundaries-')));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    }
    await copyFile(join(ROOT, 'tsconfig.json'), join(tree, 'tsconfig.json'));
    const words = [CRUISER, '--config', CONFIG, '--output-type', 'json', ...FOLDERS];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: tree });
    return (JSON.parse(stdout) as Report).summary.violations.map(
      (it) => `${it.rule.name}: ${it.from}`,
    );
  } finally {
    await rm(tree, { recursive: true });
  }
}

describe('the module boundaries', () => {
  let found: readonly string[];

  before(async () => {
    const arrows = Object.values(BROKEN).map(([from, to]) => [from, to && `import '${to}';`]);
    found = await violations({
      ...SOUND,
      ...Object.fromEntries(arrows),
      'ports/m.ts': "import './l.ts';",
    });
  });

  it('hold for the source tree', async () => {
    expect(await violations(SOUND)).to.deep.equal([]);
  });

  it('are all tested here', () => {
    expect(Object.keys(BROKEN)).to.have.members(rules.map(({ name }) => name));
  });

  for (const [name, [from, to]] of Object.entries(BROKEN))
    it(`${name}: rejects ${to === '' ? from : `${from} → ${to}`}`, () => {
      expect(found).to.include(`${name}: ${from}`);
    });
});
