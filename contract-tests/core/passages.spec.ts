import { expect } from 'chai';
import fc from 'fast-check';
import { codePointLength } from '../../core/text/code-points.ts';
import { passagesOf } from '../../core/text/passages.ts';
import { layoutOf } from '../../core/text/layout.ts';
import { sentencesOf } from '../../core/text/sentences.ts';
import type { TextSpan } from '../../ports/search.ts';
import { documentTexts, immediateScheduler, slice } from '../search-documents.ts';
import { texts } from '../samples.ts';

async function passages(text: string): Promise<readonly TextSpan[]> {
  const found: TextSpan[] = [];
  for await (const passage of passagesOf(text, immediateScheduler)) found.push(passage);
  return found;
}

const longTexts = (): fc.Arbitrary<string> =>
  fc
    .tuple(fc.oneof(documentTexts(), texts()), fc.integer({ min: 1, max: 8 }))
    .map(([text, times]) => text.repeat(times));

describe('passages', () => {
  it('contain all of a text but white space, each character once, in order, at correct offsets', () =>
    fc.assert(
      fc.asyncProperty(longTexts(), async (text) => {
        let last = 0;
        let between = '';
        const letters = [...text];
        const part = (start: number, end: number) => letters.slice(start, end).join('');
        for (const [i, { ord, charStart, charEnd, text: own }] of (
          await passages(text)
        ).entries()) {
          expect(ord).to.equal(i);
          expect(charStart).to.be.at.least(last);
          expect(own).to.equal(part(charStart, charEnd)).and.not.equal('');
          between += part(last, charStart);
          last = charEnd;
        }
        expect((between + part(last, letters.length)).trim()).to.equal('');
      }),
      { numRuns: 60 },
    ));

  it('are within their length limits', async () => {
    const sentence = 'The tenant pays the rent on the third working day of each month. ';
    const found = await passages(sentence.repeat(200));
    for (const { charStart, charEnd } of found)
      expect(charEnd - charStart).to.be.within(300, 1_000);
    for (const { text } of found) expect(text).to.match(/^The .*\.$/s);
  });

  it('end at paragraphs', async () => {
    const paragraph = `${'Words without any end of a sentence '.repeat(14).trim()}`;
    const found = await passages(Array.from({ length: 6 }, () => paragraph).join('\n\n'));
    expect(found.map(({ text }) => text)).to.deep.equal(Array.from({ length: 6 }, () => paragraph));
  });

  it('are bounded in a text without breaks, and never split a character', async () => {
    const found = await passages('𝕏é'.repeat(3_000));
    expect(found.length).to.be.above(5);
    for (const { text } of found) {
      expect(codePointLength(text)).to.be.at.most(1_000);
      expect(text).to.equal(text.toWellFormed());
    }
  });

  it('are shorter in scripts with more information per character', async () => {
    const found = await passages('数据库的性能很重要。'.repeat(300));
    for (const { charStart, charEnd } of found) expect(charEnd - charStart).to.be.at.most(400);
  });

  it('yield to other work', async () => {
    let turns = 0;
    const scheduler = { yield: () => Promise.resolve(void (turns += 1)) };
    for (const text of ['A sentence. '.repeat(20_000), ' '.repeat(240_000)]) {
      turns = 0;
      for await (const { charEnd } of passagesOf(text, scheduler)) expect(charEnd).to.be.above(0);
      expect(turns, text.slice(0, 9)).to.be.at.least(3);
    }
  });
});

describe('sentences', () => {
  const cases: readonly (readonly string[])[] = [
    [
      'Dr. Smith met J. R. R. Tolkien at 5 p.m. yesterday.',
      '"Really?" he asked.',
      'See Fig. 3, e.g. the lower part.',
    ],
    ['It cost $3.50.', 'Version 2.0 of www.example.com is out...', 'Then what?!', 'Nothing.'],
    [
      'Арендная плата — 45 000 руб. в месяц.',
      'Срок до 31 декабря 2025 г.',
      'Поэт А. С. Пушкин жил в г. Москве.',
    ],
    ['Договор заключён с Ивановым А. П.', 'Плата вносится и т.д.', 'Всё.'],
    [
      'Am 3. Oktober 1990 wurde z.B. gefeiert.',
      'Ludwig XIV. war König.',
      'Es kostete ca. 3 Mio. Euro usw.',
      'Danach kam Hr. Müller.',
    ],
    ['M. Dupont est arrivé.', '« Bonjour ! » dit-il.', 'Il est né en 150 av. J.-C. à Rome.'],
    ['¿Dónde está?', '¡Aquí!', 'El Sr. López llegó.'],
  ];
  it('end at sentence ends and not at abbreviations, initials, ordinals and numbers', () => {
    for (const sentences of cases) {
      const text = sentences.join(' ');
      expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).to.deep.equal(
        sentences,
      );
    }
  });

  it('need no space in Chinese', () => {
    const text = '他来了。“好吗？”她问。真的！';
    expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).to.deep.equal([
      '他来了。',
      '“好吗？”',
      '她问。',
      '真的！',
    ]);
  });

  it('end at blank lines, list items and short lines, but not at a wrapped line', () => {
    const text =
      'Title\n\nA first paragraph that goes on in a line long enough\nto be wrapped, and ends.\n- one\n- two\nName: Bob';
    expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).to.deep.equal([
      'Title',
      'A first paragraph that goes on in a line long enough\nto be wrapped, and ends.',
      '- one',
      '- two',
      'Name: Bob',
    ]);
  });

  it('do not end at the number of a section or list item, at leader dots, or before a footnote mark', () => {
    const sentences = [
      '## 2. Rent',
      '1. Grate the beetroots well and fry them in the pan.',
      '12. Serve them.',
      'It was built in 1900.[7]',
      'She won in 1901.[8][9]',
      '2.1 Syntax . . . . . . . . . 2',
      'Then it ends.',
    ];
    const text = sentences.join('\n').replaceAll('[7]\n', '[7] ');
    expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).to.deep.equal(
      sentences,
    );
  });

  it('treat each table row and each heading separately', () => {
    const rows = [
      '### A heading that is a good deal longer than most of them',
      '| A first cell with many words in it | and another one |',
      '| --- | --- |',
      '| a second row with as many words in it | twenty |',
      'Item                               Number   Price',
      'A long name of a thing               1       20.00',
      'lisbon,portugal,2023-04-02,2023-04-09,eight hundred and twelve',
      'oslo,norway,2023-09-14,2023-09-18,one thousand and forty',
    ];
    const text = rows.join('\n');
    expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).to.deep.equal(rows);
  });

  it('contain every word of any text, in order', () =>
    fc.assert(
      fc.property(fc.oneof(documentTexts(), texts()), (text) => {
        let last = 0;
        let between = '';
        for (const { start, end } of sentencesOf(text)) {
          expect(start).to.be.at.least(last);
          between += text.slice(last, start);
          last = end;
        }
        expect((between + text.slice(last)).trim()).to.equal('');
      }),
      { numRuns: 100 },
    ));

  it('take linear time', function () {
    this.timeout(10_000);
    for (const text of [
      '.'.repeat(200_000),
      '. '.repeat(200_000),
      '\n '.repeat(200_000),
      '"'.repeat(200_000),
      'A.'.repeat(200_000),
      ' .'.repeat(200_000),
      '1.'.repeat(200_000),
      'a,b'.repeat(100_000),
      '[1]'.repeat(100_000),
      '.[1'.repeat(100_000),
    ])
      expect(layoutOf(text).length).to.be.at.least(0);
    expect(slice('a𝕏b', 1, 2)).to.equal('𝕏');
  });
});

describe('layout', () => {
  const roles = (text: string) =>
    layoutOf(text).map(({ role, under }) => [role, ...under].join(' '));

  it('distinguishes headings, labels, rows, contents, code and questions from prose', () => {
    const text = [
      'Annual Report\n\nNobody came. It rained.',
      '# One\n\n## Two\n\nText. Is it so?',
      '# Three\n\nIncluded:\n- one\n- two',
      'Name | Sum\nBoat\tFerry\nA1\t2',
      'Chapter . . . . . 7',
      '```\nx = 1\n```',
      'Rent: 20 euros\n\nThe end.',
    ].join('\n\n');
    expect(roles(text)).to.deep.equal([
      'heading',
      'prose 0',
      'prose 0',
      'heading',
      'heading 3',
      'prose 3 4',
      'question 3 4',
      'heading',
      'label 7',
      'prose 7 8',
      'prose 7 8',
      'prose 7',
      'label 7',
      'row 7 12',
      'contents 7',
      'code 7',
      'code 7',
      'code 7',
      'prose 7',
      'prose 7',
    ]);
  });

  it('treats a first line as the title of what follows, but no list of short lines as headings', () => {
    expect(roles('Jane Smith\nBorn in 1970\n\nBuilt 3 ships.')).to.deep.equal([
      'opening',
      'prose 0',
      'prose 0',
    ]);
    expect(roles('Buy 2 apples\n\nRing the plumber\n\nFeed the cat')).to.deep.equal([
      'prose',
      'prose',
      'prose',
    ]);
  });
});
