import { expect } from 'chai';
import fc from 'fast-check';
import { ArchivePaths } from '../../core/transfer/archive-paths.ts';

const file = (name: string) => new ArchivePaths().file('files', name).slice('files/'.length);

describe('paths of an export', () => {
  const CASES: readonly (readonly [string, string])[] = [
    ['plain.txt', 'plain.txt'],
    ['Größe – Übersicht 税.pdf', 'Größe – Übersicht 税.pdf'],
    ['a:b?c*.txt', 'a_b_c_.txt'],
    ['CON', 'CON_'],
    ['nul.tar.gz', 'nul_.tar.gz'],
    ['Com1.txt', 'Com1_.txt'],
    ['console.txt', 'console.txt'],
    ['ends with dots...', 'ends with dots'],
    ['... ', '_'],
    ['..', '_'],
    ['.hidden', '.hidden'],
    ['tab\there', 'tab_here'],
    ['C:\\x/y', 'C__x_y'],
  ];
  for (const [name, expected] of CASES)
    it(`${JSON.stringify(name)} becomes ${JSON.stringify(expected)}`, () =>
      expect(file(name)).to.equal(expected));

  it('are cut in bytes before their extension', () => {
    expect(file(`${'名'.repeat(255)}.docx`)).to.equal(`${'名'.repeat(65)}.docx`);
    expect(file(`${'😀'.repeat(255)}`)).to.equal('😀'.repeat(50));
  });

  it('gives a folder one path for all its files, and two folders with one name two paths', () => {
    const places = new ArchivePaths();
    expect(places.folder('files', 'one', 'Tax')).to.equal('files/Tax');
    expect(places.folder('files', 'two', 'TAX')).to.equal('files/TAX (2)');
    expect(places.folder('files', 'one', 'Tax')).to.equal('files/Tax');
    expect(places.file('files', 'tax')).to.equal('files/tax (3)');
    expect(places.file('files', 'later')).to.equal('files/later');
    expect(places.folder('files', 'three', 'Later')).to.equal('files/Later (2)');
  });

  it('are unique for any names, and valid on every system', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'A', 'a.', 'a (2)', 'a.txt', 'A.TXT', 'a (2).txt', 'con', '..', 'ａ'),
      fc.string({ unit: 'binary', maxLength: 300 }).map((each) => each.toWellFormed()),
    );
    const wish = fc.record({ name, folder: fc.boolean(), parent: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
        const places = new ArchivePaths();
        const parents = ['files'];
        const taken: string[] = [];
        for (const [i, { name: requested, folder, parent }] of wishes.entries()) {
          const under = parents[parent % parents.length]!;
          const place = folder
            ? places.folder(under, String(i), requested)
            : places.file(under, requested);
          if (folder) parents.push(place);
          taken.push(place.normalize('NFKC').toLowerCase());
          const last = place.slice(under.length + 1);
          expect(place.startsWith(`${under}/`)).to.equal(true);
          expect(Buffer.byteLength(last)).to.be.within(1, 255);
          expect(last).not.to.match(/[<>:"/\\|?*\p{Cc}]|[. ]$|^\.\.?$/u);
          expect(last).not.to.match(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        }
        expect(new Set(taken).size).to.equal(taken.length);
      }),
      { numRuns: 300 },
    );
  });

  it('of ten thousand files with one name are assigned quickly', () => {
    const places = new ArchivePaths();
    for (let i = 0; i < 10_000; i++) places.file('files', 'scan.pdf');
    expect(places.file('files', 'Scan.pdf')).to.equal('files/Scan (10001).pdf');
  });
});
