import { expect } from 'chai';
import fc from 'fast-check';
import { termsOf } from '../../core/text/analyse.ts';
import { normalizeCase, withoutAccents } from '../../core/text/fold.ts';
import {
  beginningOf,
  primaryStem,
  commonBeginning,
  documentForms,
  LATIN_LANGUAGES,
  mayHaveForms,
  prefixStems,
  queryForms,
} from '../../core/text/stems.ts';
import { termSimilarities, wordResemblances } from '../../core/search/rerank.ts';
import { isStopWord, questionLanguages } from '../../core/text/stop-words.ts';
import { tokensOf } from '../../core/text/tokens.ts';
import { TERM_GAP } from '../../ports/search.ts';
import { texts } from '../samples.ts';

/** The index terms of a text without the alternative spellings. */
const chief = (text: string, language: string) => {
  const terms = termsOf(text, language);
  const gap = terms.indexOf(TERM_GAP);
  return gap < 0 ? terms : terms.slice(0, gap);
};

/** Words that a stemmer of some language changes. */
const endings =
  'emment amment heden encia uzione ational ies ying ingly edly fulness ization ements logies ungen keit ' +
  'eurs issantes aciones idades mente iendo azione baar erig aak s e y ed ing';
const ending = fc.constantFrom('', ...endings.split(' '));
const made = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'aeiounrstlmdgyk1'), minLength: 1, maxLength: 6 }),
    ending,
    ending,
  )
  .map((parts) => parts.join(''));
const known = fc.constantFrom(
  ...['dying', 'die', 'lying', 'lie', 'went', 'go', 'mice', 'mouse', 'skies', 'sky', 'by', 'a'],
);
const words = () => fc.oneof({ weight: 4, arbitrary: made }, known);

describe('analyser', () => {
  it('unifies inflected forms in the language of the text', () => {
    const same: readonly (readonly [string, string, string])[] = [
      ['en', 'running organizations', 'runs organization'],
      ['ru', 'договоры аренды', 'договором аренде'],
      ['de', 'Verträge Häusern', 'Vertrages Hauses'],
      ['fr', 'contrats signées', 'contrat signé'],
      ['es', 'informaciones contratos', 'información contrato'],
    ];
    for (const [language, one, other] of same)
      expect(chief(one, language), language).to.deep.equal(chief(other, language));
  });

  it('folds case, accents and compatibility forms; ё becomes е, but й does not become и', () => {
    expect(chief('CAFÉ ﬁx ＡＢＣ１２', '')).to.deep.equal(chief('cafe fix abc12', ''));
    expect(chief('ёлка', '')).to.deep.equal(chief('елка', ''));
    expect(chief('майка', '')).to.not.deep.equal(chief('маика', ''));
    expect(withoutAccents(normalizeCase('Straße Łódź Ångström ς'))).to.equal(
      'strasse lodz angstrom σ',
    );
  });

  it('matches a word typed without accents, or with transliterated umlauts', () => {
    const met = (typed: string, written: string, language: string) =>
      queryForms(normalizeCase(typed)).some((form) => termsOf(written, language).includes(form));
    for (const [typed, written, language] of [
      ['publiee', 'publiée', 'fr'],
      ['informacion', 'información', 'es'],
      ['Mueller', 'Müller', 'de'],
      ['Müller', 'Mueller', 'de'],
      ['lopez', 'López', 'es'],
    ] as const)
      expect(met(typed, written, language), typed).to.equal(true);
  });

  it('splits text without spaces into overlapping bigrams, each character beginning a term', () => {
    expect(termsOf('数据库 水', 'zh')).to.deep.equal(['数据', '据库', '库', '水']);
    expect(termsOf('2024年𠀀𠀁', 'zh')).to.deep.equal(['2024', '年𠀀', '𠀀𠀁', '𠀁']);
    expect(termsOf('한국어 カタカナ', '')).to.deep.equal([
      ...['한국', '국어', '어'],
      ...['カタ', 'タカ', 'カナ', 'ナ'],
    ]);
  });

  it('splits names, numbers and apostrophes like a reader', () => {
    expect(termsOf('INV-2024-001', 'en')).to.deep.equal(['inv', '2024', '001']);
    expect(termsOf('anna.s@example.org', 'en')).to.deep.equal(['anna', 's', 'exampl', 'org']);
    expect(termsOf("l'homme O'Brien’s don't", 'fr').slice(0, 2)).to.deep.equal(['l', 'homm']);
    expect(chief("O'Brien’s", 'en')).to.deep.equal(chief('obrien', 'en'));
    expect(termsOf('1,000,000.50', 'en')).to.deep.equal([
      '1',
      '000',
      '000',
      '50',
      TERM_GAP,
      '1000000',
      '50',
    ]);
  });

  it('returns terms without white space and of bounded length for any text', () =>
    fc.assert(
      fc.property(
        fc.oneof(texts(), fc.string({ unit: 'grapheme', maxLength: 60 })),
        fc.constantFrom('', 'en', 'ru', 'xx'),
        (text, language) => {
          for (const term of termsOf(text, language)) {
            expect(term).to.match(/^\S+$/u);
            expect([...term].length).to.be.at.most(100);
          }
        },
      ),
      { numRuns: 100 },
    ));

  it('treats composed and decomposed text alike', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('é', 'ü', 'ё', 'й', 'ñ', 'a', 'T', ' ', '한', '가', 'が', "'"), {
          maxLength: 20,
        }),
        (letters) => {
          const text = letters.join('');
          const decomposed = text.normalize('NFD');
          // Bigrams are made of the original code points, so only words are compared.
          const words = (written: string) =>
            chief(written, 'fr').filter((term) => /^[a-z\u0400-\u04ff]/.test(term));
          expect(words(decomposed)).to.deep.equal(words(text));
        },
      ),
      { numRuns: 100 },
    ));

  it('folding is idempotent', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        const folded = withoutAccents(normalizeCase(text));
        expect(withoutAccents(normalizeCase(folded))).to.equal(folded);
      }),
      { numRuns: 300 },
    ));

  it('lets every word of a query match the same word of a document in any language', () =>
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'aeiounrstlmdgéüßçñœyk'),
          minLength: 1,
          maxLength: 12,
        }),
        fc.constantFrom(...LATIN_LANGUAGES, ''),
        (word, language) => {
          const [form = ''] = documentForms(word, language);
          expect(queryForms(word)).to.include(form);
        },
      ),
      { numRuns: 300 },
    ));

  it('returns the primary stem and the common prefix of a word without computing all forms', () => {
    const letters = 'aeiounrstlmdgäöüéßçñœyk' + 'абвгеёийклностуыья';
    const ending = fc.constantFrom('', 'ing', 'ies', 'ungen', 'ment', 'ções', 'ями', 'ться', 'jes');
    const created = fc
      .tuple(fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 9 }), ending)
      .map((parts) => parts.join(''));
    const known = fc.constantFrom(
      ...['dying', 'lying', 'went', 'öl', 'über', 'mice', 'by', 'ñu', 'ёж', 'людей', 'ïle', '1st'],
    );
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: created }, known), (word) => {
        const forms = queryForms(word);
        expect(primaryStem(word)).to.equal(forms[0] ?? '');
        const beginning = commonBeginning(word);
        for (const form of forms)
          if (beginning !== undefined)
            expect(beginning.startsWith(beginningOf(form)), `${word}: ${form}`).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
    expect(commonBeginning('running')).to.equal('ru');
  });

  it('decides by the prefix that a word has none of the wanted forms', () => {
    fc.assert(
      fc.property(words(), fc.nat(12), (word, length) => {
        for (const form of [...queryForms(word), word])
          for (const sought of [form, form.slice(0, length + 1)])
            expect(mayHaveForms([sought, 'other'])(word), `${word}: ${sought}`).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
    expect(mayHaveForms(['renting'])('renovation')).to.equal(false);
    expect(mayHaveForms(['renting'])('rented')).to.equal(false);
    expect(mayHaveForms(['rent'])('renting')).to.equal(true);
  });

  it('decides without stemming that a word is not similar', () => {
    fc.assert(
      fc.property(words(), words(), fc.nat(9), (word, other, from) => {
        for (const form of [
          primaryStem(other),
          primaryStem(word),
          primaryStem(word).slice(from),
          other,
        ])
          expect(wordResemblances([form])(word), `${word}: ${form}`).to.deep.equal(
            termSimilarities([form])(primaryStem(word)),
          );
      }),
      { numRuns: 3_000 },
    );
    expect(wordResemblances(['mietvertrag'])('miete')).to.have.length(1);
    expect(wordResemblances(['mietvertrag'])('garten')).to.have.length(0);
  });

  it('splits ASCII text like any other text', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...`aB9'_-. \nkK`), maxLength: 30 }),
        (text) => {
          expect(tokensOf(text)).to.deep.equal(tokensOf(`${text} é`).slice(0, -1));
        },
      ),
      { numRuns: 1_000 },
    ));

  it('returns stems that are shorter than a prefix of their words', () => {
    expect(prefixStems('universit')).to.include('univers');
    expect(prefixStems('договоро')).to.include('договор');
    expect(prefixStems('organiz')).to.not.include('org');
    expect(prefixStems('inv')).to.deep.equal([]);
  });

  it('returns tokens with correct offsets, in order', () =>
    fc.assert(
      fc.property(texts(), (text) => {
        let [started, last] = [0, 0];
        for (const { start, end, plain } of tokensOf(text)) {
          // One character may stand for several words, which then have the same position.
          expect(start).to.be.at.least(started);
          if (start !== started) expect(start).to.be.at.least(last);
          expect(end).to.be.above(start);
          expect(plain.length).to.be.above(0);
          [started, last] = [start, end];
        }
        expect(last).to.be.at.most(text.length);
      }),
      { numRuns: 100 },
    ));

  it('detects the language of a question by its script and function words', () => {
    const reported = (question: string) =>
      questionLanguages(tokensOf(question).map((t) => t.plain));
    expect(reported('When does the lease end?')).to.deep.equal(['en']);
    expect(reported('Wann endet der Vertrag?')).to.deep.equal(['de']);
    expect(reported('Quand se termine le contrat ?')).to.deep.equal(['fr']);
    expect(reported('¿Cuándo termina el contrato?')).to.deep.equal(['es']);
    expect(reported('Когда кончается договор?')).to.deep.equal(['ru']);
    expect(reported('合同什么时候到期？')).to.deep.equal(['zh']);
    expect(isStopWord('die', ['de'])).to.equal(true);
    expect(isStopWord('die', ['en'])).to.equal(false);
  });
});
