import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { MAX_PICTURE_BYTES } from '../../scripts/demo/pictures.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'docs/pictures';
const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)" \/>\s*<img src="([^"]+)" alt="([^"]+)"/g;

describe('the pictures in the README', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const shown = [...readme.matchAll(PICTURE)].map(([, dark = '', light = '', alt = '']) => ({
    dark,
    light,
    alt,
  }));
  const files = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

  it('are shown in light and dark, with a description', () => {
    expect(shown).to.have.lengthOf.above(4);
    for (const { dark, light, alt } of shown) {
      expect(dark).to.equal(light.replace(/-light\.webp$/, '-dark.webp'));
      expect(alt).to.have.lengthOf.above(20);
    }
    expect(readme.match(/<img /g)).to.have.length(shown.length);
  });

  it('are the files that the command makes', () => {
    const used = shown.flatMap(({ dark, light }) => [dark, light]);
    expect(files.toSorted()).to.deep.equal(used.toSorted());
  });

  it('are small', () => {
    const large = files.filter((file) => statSync(join(ROOT, file)).size >= MAX_PICTURE_BYTES);
    expect(large).to.deep.equal([]);
  });
});
