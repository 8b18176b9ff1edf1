import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const inFolder = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/adr', 'docs/guides'].flatMap(inFolder),
];

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (path: string): readonly string[] =>
  [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Written by the operator, and not committed. */
const UNCOMMITTED = ['deploy/.env'];

/** A code span that is a path of this repository. */
const PATH =
  /`((?:core|ports|adapters|composition|contract-tests|bench|drill|scripts|deploy)\/[\w./-]*\w)`/g;

describe('the documents', () => {
  for (const path of documents) {
    it(`${path} names files and folders that exist`, () => {
      const named = [...withoutCode(read(path)).matchAll(PATH)].map(([, target = '']) => target);
      const missing = named.filter(
        (target) => !UNCOMMITTED.includes(target) && !existsSync(join(ROOT, target)),
      );
      expect(missing).to.deep.equal([]);
    });

    it(`${path} links to headings that exist`, () => {
      const links = [...withoutCode(read(path)).matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)];
      const dead = links
        .map(([, target = '', anchor = '']) => ({
          file: target === '' ? path : join(dirname(path), target),
          anchor,
        }))
        .filter(({ file, anchor }) => !anchorsIn(file).includes(anchor))
        .map(({ file, anchor }) => `${file}#${anchor}`);
      expect(dead).to.deep.equal([]);
    });
  }
});
