import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { readPorts } from '../../scripts/ports.ts';
import { staleDurations } from '../../scripts/spec-durations.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Made and not committed, at the root only. */
const DATA_FOLDER = 'data';
const LEFT_OUT =
  /^(node_modules|\.git|\.runtime.*|dist|\.dist-.*|coverage|results|package-lock\.json)$/;
const TEXT =
  /\.(ts|js|mjs|cjs|json|md|ya?ml|toml|txt|sh|html|service|example)$|\/(run|LICENSE|Dockerfile|Caddyfile|\.[a-z]+)$/;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function* walk(folder: string): Generator<{ path: string; isFolder: boolean }> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    if (folder === '' && entry.name === DATA_FOLDER) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    yield { path, isFolder: entry.isDirectory() };
    if (entry.isDirectory()) yield* walk(path);
  }
}

const everything = [...walk('')];
const files = everything.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
const folders = everything.filter(({ isFolder }) => isFolder).map(({ path }) => path);

/** The files that a file imports by path, types included. */
const importsOf = (path: string): readonly string[] =>
  ts
    .preProcessFile(read(path))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative(ROOT, join(ROOT, dirname(path), fileName)))
    .filter((target) => existsSync(join(ROOT, target)) && target.endsWith('.ts'));

function closureOf(starts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...starts];
  for (let path = open.pop(); path !== undefined; path = open.pop())
    if (!seen.has(path)) {
      seen.add(path);
      open.push(...importsOf(path));
    }
  return seen;
}

/** The titles of the tests in a suite, as far as they are written out. */
function titlesIn(path: string): readonly string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'it') {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true));
  return titles;
}

/** Files of adapters/ that provide this port: a class that implements it, or a function that returns it. */
const adaptersOf = (port: string): readonly string[] => {
  const given = new RegExp(
    `\\bimplements\\s[^{]*\\b${port}\\b|\\)\\s*:\\s*(Promise<)?${port}\\b|:\\s*${port}\\s*=[^>]`,
  );
  return files.filter((path) => /^adapters\/.*\.ts$/.test(path) && given.test(read(path)));
};

const specs = files.filter((path) => /^contract-tests\/(?!self\/).*\.spec\.ts$/.test(path));

for (const { name, file, suite, contract } of readPorts().filter(({ suite }) => suite !== ''))
  describe(`the contract of ${name} (ports/${file})`, () => {
    it('has a suite with a test for each of its promises', () => {
      expect(files).to.include(suite);
      expect(contract).not.to.deep.equal([]);
      expect(titlesIn(suite)).to.include.members(contract.map((it) => it.replace(/\.$/, '')));
    });

    it('is run for every adapter', () => {
      const running = specs.filter((path) => importsOf(path).includes(suite));
      expect(running, `specs that run ${suite}`).not.to.deep.equal([]);
      const adapters = adaptersOf(name);
      expect(adapters, `adapters of ${name}`).not.to.deep.equal([]);
      expect([...closureOf(running)]).to.include.members(adapters);
    });
  });

describe('the decisions', () => {
  it('are all in the index, and the index has no others', () => {
    const stored = files.filter((path) => /^docs\/adr\/\d{4}-.*\.md$/.test(path));
    const named = [...read('docs/adr/README.md').matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)];
    expect(named.map(([, target]) => `docs/adr/${target}`)).to.deep.equal(stored.sort());
  });

  it('each have context, decision and consequences', () => {
    for (const path of files.filter((it) => /^docs\/adr\/\d{4}-/.test(it)))
      for (const part of ['## Context', '## Decision', '## Consequences'])
        expect(read(path), path).to.include(`\n${part}\n`);
  });
});

describe('the documents', () => {
  it('describe every folder in the tree of docs/ARCHITECTURE.md, and no missing one', () => {
    const [, tree = ''] = /```tree\n([\s\S]*?)```/.exec(read('docs/ARCHITECTURE.md')) ?? [];
    const above: string[] = [];
    const described: string[] = [];
    for (const [, indent = '', name = ''] of tree.matchAll(/^( *)(\S+)\/ /gm)) {
      above.splice(indent.length / 2, Infinity, name);
      described.push(above.join('/'));
    }
    const unexplained = folders.filter(
      (path) => path.split('/').length <= 2 && !described.includes(path),
    );
    const imagined = described.filter((path) => !folders.includes(path));
    expect({ unexplained, imagined }).to.deep.equal({ unexplained: [], imagined: [] });
  });

  it('contain no broken links', () => {
    const dead = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)]
          .map(([, target = '']) => join(dirname(path), target))
          .filter((target) => !existsSync(join(ROOT, target)))
          .map((target) => `${path} → ${target}`),
      );
    expect(dead).to.deep.equal([]);
  });
});

describe('the kept durations of the specs', () => {
  it('name no spec that does not exist', () => {
    expect(staleDurations()).to.deep.equal([]);
  });
});

describe('the files', () => {
  it('contain no path of the development machine and no registry host', () => {
    const machine = new RegExp(
      `(^|[\\s"'\`(=:])/(${['work', 'root', 'home', 'Users'].join('|')})/`,
      'm',
    );
    const registry = new RegExp(`\\b${'registry'}\\.[a-z0-9-]+\\.[a-z]+`, 'i');
    const naming = [...files.filter((path) => TEXT.test(`/${path}`)), 'package-lock.json'].filter(
      (path) => {
        const text = read(path);
        return machine.test(text) || registry.test(text) || /"resolved": "\w+:/.test(text);
      },
    );
    expect(naming).to.deep.equal([]);
  });

  // The linter limits each file to 400 lines and each function to 120.
  it('of the product have a median of 50 to 110 lines', () => {
    const sizes = files
      .filter((path) => /^(ports|core|adapters|composition)\/.*\.ts$/.test(path))
      .map((path) => read(path).split('\n').length)
      .sort((a, b) => a - b);
    const at = (share: number) => sizes[Math.floor(share * (sizes.length - 1))];
    const line = `${sizes.length} files of the product: median ${at(0.5)} lines, p90 ${at(0.9)}`;
    process.stdout.write(`  ${line}\n`);
    expect(at(0.5)).to.be.within(50, 110);
  });
});
