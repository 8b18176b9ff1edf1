import { globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect } from 'chai';
import {
  DEMO_FOLDER,
  readDemoWorkspace,
  visibleDocuments,
  type DemoWorkspace,
} from '../../scripts/demo/workspace.ts';

const LANGUAGES = ['de', 'en', 'es', 'fr', 'ru', 'zh'];
const MAX_BYTES = 2_500_000;
const MAX_FILE_BYTES = 100_000;
const FILES = join(DEMO_FOLDER, 'files');
/** Formats with a text that a test can search without a reader. */
const PLAIN = /\.(csv|eml|html|md|txt|url|ics|json)$/;

describe('the files of the demo', () => {
  let workspace: DemoWorkspace;
  before(async () => {
    workspace = await readDemoWorkspace();
  });
  const files = globSync('**/*.*', { cwd: FILES }).sort();

  it('are the documents of its list', () => {
    const listed = workspace.documents.map(({ file }) => file);
    expect(listed.toSorted()).to.deep.equal(files);
  });

  it('are 300 without the hidden ones and those in the trash', () => {
    expect(visibleDocuments(workspace)).to.have.length(300);
  });

  it('are in six languages and in many formats', () => {
    const counts = Object.groupBy(visibleDocuments(workspace), ({ language }) => language);
    expect(Object.keys(counts).sort()).to.deep.equal(LANGUAGES);
    for (const language of LANGUAGES) expect(counts[language]?.length, language).to.be.above(30);
    expect(new Set(files.map((file) => extname(file))))
      .to.have.property('size')
      .above(11);
  });

  it('are small', () => {
    const sizes = files.map((file) => statSync(join(FILES, file)).size);
    expect(Math.max(...sizes)).to.be.below(MAX_FILE_BYTES);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.below(MAX_BYTES);
  });

  it('differ from one another', () => {
    const texts = files.map((file) => readFileSync(join(FILES, file)).toString('latin1'));
    expect(new Set(texts)).to.have.property('size', files.length);
  });

  it('are in folders that the list names', () => {
    const folders = new Set(workspace.themes.flatMap(({ folders }) => folders));
    const used = workspace.documents.flatMap(({ folder }) => folder ?? []);
    expect(used.filter((folder) => !folders.has(folder))).to.deep.equal([]);
    expect([...folders].filter((folder) => !used.includes(folder))).to.deep.equal([]);
  });

  it('have addresses of reserved domains only', () => {
    const plain = globSync('**/*.*', { cwd: DEMO_FOLDER }).filter((file) => PLAIN.test(file));
    const elsewhere = plain.flatMap((file) => {
      const text = readFileSync(join(DEMO_FOLDER, file), 'utf8');
      return [...text.matchAll(/(?:@|https?:\/\/)([\w-]+(?:\.[\w-]+)+)/g)]
        .map(([, host = '']) => host)
        .filter((host) => !host.endsWith('.example'));
    });
    expect(elsewhere).to.deep.equal([]);
  });
});
