import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_QUERY_TERMS, parseQuery, parseQuestion, type Query } from '../../core/search/query.ts';
import type { QueryTerm } from '../../ports/search.ts';
import { queries } from '../search-documents.ts';
import { texts } from '../samples.ts';

/** The first form of each query term, as typed. */
const shown = (atoms: readonly QueryTerm[]): readonly string[] =>
  atoms.map(([run]) => (run ? run.terms.join(' ') + (run.prefix ? '*' : '') : ''));
const read = (text: string) => {
  const { any, all, none } = parseQuery(text);
  return { any: shown(any), all: shown(all), none: shown(none) };
};
const only = (over: Partial<Record<keyof Query, readonly string[]>>) => ({
  any: [],
  all: [],
  none: [],
  ...over,
});

describe('query language', () => {
  it('parses words, phrases, exclusions and prefixes', () => {
    expect(read('annual reports "net profit" -draft inv*')).to.deep.equal({
      any: ['annual', 'report', 'inv*'],
      all: ['net profit'],
      none: ['draft'],
    });
    expect(read('-"net profit" -inv* „gut und schön“ «тест»')).to.deep.equal({
      any: [],
      all: ['gut und schon', 'тест'],
      none: ['net profit', 'inv*'],
    });
  });

  it('removes function and question words, unless there are no others', () => {
    expect(read('what is the notice period')).to.deep.equal(only({ any: ['notic', 'period'] }));
    expect(read('was ist die Kündigungsfrist')).to.deep.equal(only({ any: ['kundigungsfrist'] }));
    expect(read('the who')).to.deep.equal(only({ any: ['the', 'who'] }));
    expect(read('"the who"')).to.deep.equal(only({ all: ['the who'] }));
    expect(parseQuestion('who is it?').any).to.deep.equal([]);
  });

  it('removes words that only name the kind of the answer, unless there are no others', () => {
    const requested = (question: string) => shown(parseQuestion(question).any);
    expect(requested('How long is the notice period?')).to.deep.equal(['notic', 'period']);
    expect(requested('До какого числа должна быть поставка?')).to.have.length(1);
    expect(requested('Wie heißt der Vermieter?')).to.deep.equal(['vermiet']);
    expect(requested('¿Cómo se llama el inquilino?')).to.have.length(1);
    expect(requested('What is my number?')).to.deep.equal(['number']);
    expect(read('long number').any).to.deep.equal(['long', 'number']);
  });

  it('treats a name without spaces as one term, and a number in any spelling', () => {
    expect(read('INV-2024-001 anna@example.org')).to.deep.equal(
      only({ any: ['inv 2024 001', 'anna exampl org'] }),
    );
    expect(read('state-of-the-art')).to.deep.equal(only({ any: ['state', 'art'] }));
    expect(read('fox/dog src/core/text')).to.deep.equal(
      only({ any: ['fox', 'dog', 'src core text'] }),
    );
    const [number] = parseQuery('1,000,000').any;
    expect(number?.map(({ terms }) => terms)).to.deep.equal([['1', '000', '000'], ['1000000']]);
    expect(shown(parseQuestion('INV-2024-001').any)).to.deep.equal(['inv', '2024', '001']);
  });

  it('parses Chinese without spaces, and a single letter as a prefix', () => {
    expect(read('数据库是什么')).to.deep.equal(only({ any: ['数据', '据库'] }));
    expect(read('水')).to.deep.equal(only({ any: ['水*'] }));
    expect(read('"第3章"')).to.deep.equal(only({ all: ['第 3 章*'] }));
  });

  it('finds no terms in punctuation', () => {
    for (const text of ['???', '- -- "" *', '" "', '-"', '*', '🏳️‍🌈'])
      expect(read(text), text).to.deep.equal(only({}));
  });

  it('parses any input, within the limit of terms', () =>
    fc.assert(
      fc.property(fc.oneof(queries(), texts(), fc.string({ unit: 'grapheme' })), (text) => {
        for (const { any, all, none } of [parseQuery(text), parseQuestion(text)]) {
          const atoms = [...any, ...all, ...none];
          expect(atoms.length).to.be.at.most(MAX_QUERY_TERMS);
          for (const atom of atoms) {
            expect(atom.length).to.be.above(0);
            for (const { terms } of atom) {
              expect(terms.length).to.be.above(0);
              for (const term of terms) expect(term).to.match(/^\S+$/u);
            }
          }
        }
      }),
      { numRuns: 200, examples: [['"'], ['-'], ['"a" "b'], ['-"*'], ['a"b'], ['“x”*']] },
    ));

  it('parses long garbage as fast as words', function () {
    this.timeout(5_000);
    for (const rubbish of ['.', '"', '-', "a'", 'a.', '[ ', 'ﷺ', '数', '1,000']) {
      const text = rubbish.repeat(200_000);
      expect(parseQuery(text).any.length, rubbish).to.be.at.most(MAX_QUERY_TERMS);
      expect(parseQuestion(text).any.length, rubbish).to.be.at.most(MAX_QUERY_TERMS);
    }
  });

  it('limits a very long query', () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `word${i}`).join(' ');
    const { any, all, none } = parseQuery(`"${words}" -z ${words} "a b"`);
    expect(any.length + all.length + none.length).to.be.at.most(MAX_QUERY_TERMS);
  });
});
