import { expect } from 'chai';
import { Parser } from 'commonmark';
import fc from 'fast-check';
import { anchor, createCitationStream, type PromptPassage } from '../../core/answers/index.ts';
import type { Citation } from '../../ports/conversations.ts';
import { slice } from '../search-documents.ts';

/** Passages with various offsets in their objects, after astral characters. */
const BEFORE = 'Before 👩🏽‍🚀. ';
const START = [...BEFORE].length;

const TEXTS = [
  'The lighthouse on Grey Skerry is forty metres high, and was built in 1889.[12] The keeper said “stop” loudly and left. It was −5 °C.',
  'The rent is EUR 1,450.00 a month. The pipe is 5" wide and made of steel. Café Müller opens at nine.',
  'Башня построена в 1889 году, и её высота составляет сорок метров. Смотритель живёт рядом.',
  'Der Turm ist vierzig Meter hoch und wurde im Jahr 1889 gebaut; die Straße führt am Ufer vorbei.',
  '塔高四十米，建于一八八九年。他说“停”很大声地离开了。',
];

const OFFERED = TEXTS.map((text, i): PromptPassage => {
  const passage = { objectId: `object-${i + 1}`, ord: 1, charStart: START, text };
  return {
    passage: { ...passage, charEnd: START + [...text].length },
    docType: 'other',
    filename: `${i + 1}.txt`,
    title: '',
    version: 1,
    pages: [],
  };
});

interface Answer {
  readonly text: string;
  readonly citations: readonly Citation[];
}

function read(pieces: readonly string[], offered = OFFERED): Answer {
  const reader = createCitationStream(() => offered);
  const reported = [...pieces.map((piece) => reader.feed(piece)), reader.end()];
  return {
    text: reported.map(({ text }) => text).join(''),
    citations: reported.flatMap(({ citations }) => citations),
  };
}

const snippets = ({ citations }: Answer) => citations.map(({ snippet }) => snippet);

function expectAnswer(said: string, text: string, ...quoted: readonly string[]): void {
  const answer = read([said]);
  expect(answer.text, said).to.equal(text);
  expect(snippets(answer), said).to.deep.equal(quoted);
  expectSound(answer, said);
}

/** Invariants of any answer. */
function expectSound({ text, citations }: Answer, said: string): void {
  for (const { objectId, ord, snippet, charStart, charEnd } of citations) {
    const { passage } = OFFERED[Number(objectId.slice(-1)) - 1] ?? {};
    expect(snippet, said).to.equal(slice(BEFORE + passage?.text, charStart, charEnd));
    expect(snippet, said).to.match(/[\p{L}\p{N}]/u);
    expect(ord).to.equal(passage?.ord);
  }
  const indexes = citations.map(({ index }) => index);
  expect(indexes, said).to.deep.equal(indexes.map((_, i) => i + 1));
  const markers = [...text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n));
  expect([...new Set(markers)], said).to.deep.equal(indexes);
  expect(text, said).to.not.match(/\[\d{4,20}\]/);
  expect(text.includes('\0'), said).to.equal(false);
  expect(text.isWellFormed(), said).to.equal(true);
  expectHarmless(text, said);
}

const parser = new Parser();

/** A Markdown renderer finds no link, remote content, HTML or hidden definition. */
function expectHarmless(text: string, said: string): void {
  const found: string[] = [];
  const walker = parser.parse(text).walker();
  for (let event = walker.next(); event; event = walker.next())
    if (['link', 'image', 'html_inline', 'html_block'].includes(event.node.type))
      found.push(event.node.type);
  expect(found, `${said}\n→ ${text}`).to.deep.equal([]);
  const labels = [...text.matchAll(/(?<!\\)\[((?:\\.|[^[\]\\])+)\]/g)].map(([label]) => label);
  const uses = labels.slice(0, 20).join('\n\n');
  const defined = parser.parse(`${text}\n\n${uses}`).walker();
  for (let event = defined.next(); event; event = defined.next())
    expect(event.node.type, `${said}\n→ ${text}`).to.not.be.oneOf(['link', 'image']);
}

describe('citing a model', () => {
  it('puts the citation in the position of the quotation', () => {
    expectAnswer('It is high "forty metres high" [1].', 'It is high [1].', 'forty metres high');
    expectAnswer('Высота 40 м "сорок метров" [3].', 'Высота 40 м [1].', 'сорок метров');
    expectAnswer('Er ist hoch „vierzig Meter hoch“ [4].', 'Er ist hoch [1].', 'vierzig Meter hoch');
    expectAnswer('塔很高"塔高四十米"[5]。', '塔很高[1]。', '塔高四十米');
    expectAnswer('塔很高“塔高四十米”【5】。', '塔很高[1]。', '塔高四十米');
    expectAnswer('塔很高 「塔高四十米」 [5]。', '塔很高 [1]。', '塔高四十米');
    expectAnswer(
      'A «сорок метров» [3], »vierzig Meter« [4]',
      'A [1], [2]',
      'сорок метров',
      'vierzig Meter',
    );
  });

  it('removes a quotation that is not found, with its marker', () => {
    expectAnswer('It is high "fifty miles deep in the ground" [1]. Yes.', 'It is high. Yes.');
    expectAnswer(
      'It is high "forty metres high" [2], and "forty metres high" [9] so.',
      'It is high, and so.',
    );
    expectAnswer('no ("none of it is there" [1]).', 'no.');
    expectAnswer('很高 "塔低四十一里" [5]。', '很高。');
    expectAnswer('x "…" [1] y "" [1] z', 'x y z');
  });

  it('numbers citations in order of appearance, and the same range once', () => {
    expectAnswer(
      'A "built in 1889" [1] and "forty metres high" [1], again "built in 1889" [1].',
      'A [1] and [2], again [1].',
      'built in 1889',
      'forty metres high',
    );
    expectAnswer('"сорок метров" [3] "The rent is" [2]', '[1] [2]', 'сорок метров', 'The rent is');
  });

  it('searches every passage of a marker', () => {
    expectAnswer('X "The rent is" [1][2], Y "The rent is" [2, 3].', 'X [1], Y [1].', 'The rent is');
    const twice = [
      ...OFFERED,
      { ...OFFERED[0], passage: { ...OFFERED[0]?.passage, objectId: 'b' } },
    ];
    const answer = read(['X "built in 1889" [1, 6].'], twice as PromptPassage[]);
    expect(answer.text).to.equal('X [1][2].');
    expect(answer.citations.map(({ objectId }) => objectId)).to.deep.equal(['object-1', 'b']);
  });

  it('uses passages that were shown during the answer', () => {
    const offered = OFFERED.slice(0, 1);
    const reader = createCitationStream(() => offered);
    expect(reader.feed('It is high "forty metres high" [1]. ').text).to.equal('It is high [1].');
    offered.push(...OFFERED.slice(1));
    expect(reader.feed('It costs "The rent is" [2]. ').citations).to.have.length(1);
  });

  it('distinguishes quotation marks', () => {
    const stop = 'The keeper said “stop” loudly and left';
    expectAnswer('He "The keeper said "stop" loudly and left" [1].', 'He [1].', stop);
    expectAnswer(
      'the so-called "Tower" is 40 m high "forty metres high" [1]',
      'the so-called "Tower" is 40 m high [1]',
      'forty metres high',
    );
    expectAnswer(
      'Wide: "The pipe is 5" wide and made" [2].',
      'Wide: [1].',
      'The pipe is 5" wide and made',
    );
    expectAnswer('他喊 "他说"停"很大声" [5]。', '他喊 [1]。', '他说“停”很大声');
    expectAnswer('所谓"塔"高40米"塔高四十米"[5]。', '所谓"塔"高40米[1]。', '塔高四十米');
    expectAnswer(
      `It's the keepers' "forty metres high" [1]`,
      `It's the keepers' [1]`,
      'forty metres high',
    );
    expectAnswer('a **"forty metres high"** [1]. b', 'a [1]. b', 'forty metres high');
    expectAnswer(
      'a "forty metres high." [1] b "built in 1889". [1]',
      'a [1] b. [2]',
      'forty metres high',
      'built in 1889',
    );
    expectAnswer('He said "stop" and went.', 'He said "stop" and went.');
  });

  it('keeps a marker without a quotation if the passage contains the sentence before it', () => {
    expectAnswer(
      'the rent is EUR 1,450.00 a month [2]. Yes.',
      'the rent is EUR 1,450.00 a month [1]. Yes.',
      'The rent is EUR 1,450.00 a month',
    );
    expectAnswer(
      'So. Смотритель живет рядом. [3]',
      'So. Смотритель живет рядом. [1]',
      'Смотритель живёт рядом',
    );
    expectAnswer(
      'The rent is low [2]. In [2024] it was not. [1]',
      'The rent is low. In (2024) it was not.',
    );
    expectAnswer('[1] [2]: x', ': x');
  });

  it('collapses white space and preserves line breaks', () => {
    expectAnswer(
      'a\r\n\r\n- b "none of that is there" [1]\n  - c "built in 1889" [1]  \n',
      'a\n\n- b\n  - c [1]\n',
      'built in 1889',
    );
    expectAnswer('"none of that is there" [1] The rest', 'The rest');
    expectAnswer('Oui\u00a0"none of that is there" [1] ! a  b', 'Oui! a b');
  });

  it('emits no links and nothing that loads content', () => {
    const expected: readonly (readonly [string, string])[] = [
      ['![a](http://x/y.png) ![a][r] ![a](<u>) ![a ](u "title")', 'a a a a'],
      ["[t](http://x/(y)) [![a](u)](v) [t](u 'x')", 't a t'],
      ['<https://x.de/?a=b> <me@x.de> http://x.de', 'https://x.de/?a=b me@x.de http://x.de'],
      ['[r]: http://x\n> [r]: http://x', 'r: http://x\n> r: http://x'],
      ['a <b>b</b> <img src=x onerror="y">c <script>d</script> <!-- e -->f', 'a b c d f'],
      ['a < b, a <= b, p<0.05', 'a < b, a <= b, p<0.05'],
      ['Map<String> and x <y, so', 'Map< String> and x < y, so'],
      ['end <img src="http://x', 'end'],
      ['end <iframe', 'end'],
      ['a\0b', 'ab'],
      ['[sic] stays', '[sic] stays'],
    ];
    for (const [said, text] of expected) expectAnswer(said, text);
    for (const said of [
      '!\\[a](u)',
      '<<b>img src=x>',
      '![a]"x" [9](u)',
      '[1<b>2](u)]',
      '"built in 1889" [1]: http://x',
      '"built in 1889" [1](http://x)',
      '[foo \\"built in 1889" [1]: u',
      '[a\nb]: u',
      '[a]\n(u)',
      '<[1a](u)@b.c>',
      '<div\nonclick=x',
      '[a][12](u)',
      '![x](http://x "built in 1889" [1])',
    ])
      expectSound(read([said]), said);
  });

  it('emits text as soon as it is final', () => {
    const reader = createCitationStream(() => OFFERED);
    expect(reader.feed('It is high ').text).to.equal('It is high');
    expect(reader.feed('"forty metres hi').text).to.equal('');
    expect(reader.feed('gh" [1]').text).to.equal('');
    const reported = reader.feed('. A');
    expect(reported.text).to.equal(' [1]. A');
    expect(reported.citations).to.have.length(1);
    expect(reader.feed(' "quoted').text).to.equal('');
    expect(reader.feed(' '.padEnd(3_000, 'word ')).text).to.match(/^ "quoted word word /);
    expect(reader.feed('\n\nnext [brackets').text).to.match(/\n\nnext$/);
    expect(reader.feed('] are').text).to.equal(' [brackets] are');
    expect(reader.end().text).to.equal('');
  });
});

describe('an anchor', () => {
  const found = (quote: string, n: number) => {
    const text = TEXTS[n - 1] ?? '';
    const place = anchor(quote, text);
    return place && text.slice(place.start, place.end);
  };

  it('ignores case, accents, width, punctuation and white space', () => {
    expect(found('FORTY metres\n high and was', 1)).to.equal('forty metres high, and was');
    expect(found('cafe muller opens', 2)).to.equal('Café Müller opens');
    expect(found('ｒｅｎｔ　ｉｓ ＥＵＲ', 2)).to.equal('rent is EUR');
    expect(found('ее высота', 3)).to.equal('её высота');
    expect(found('die strasse führt', 4)).to.equal('die Straße führt');
    expect(found('塔高四十米,建于', 5)).to.equal('塔高四十米，建于');
  });

  it('tolerates a fifth of differing words if the others are close together', () => {
    expect(found('forty meters high and was built in 1889', 1)).to.match(/^forty .* 1889$/);
    expect(found('The keeper said stop very loudly and left', 1)).to.equal(
      'The keeper said “stop” loudly and left',
    );
    expect(found('wurde im Jahre 1889 gebaut die Straße', 4)).to.equal(
      'wurde im Jahr 1889 gebaut; die Straße',
    );
    expect(found('the high keeper loudly forty 1889', 1)).to.equal(undefined);
    expect(found('forty metres tall', 1)).to.equal(undefined);
    const far = `one two three ${'filler '.repeat(40)}four five six`;
    expect(anchor('one two three four five six', far)).to.equal(undefined);
  });

  it('splits no word and no figure', () => {
    expect(anchor('40 m', 'It is 140 m')).to.equal(undefined);
    expect(anchor('5 m', 'It is 1.5 m')).to.equal(undefined);
    expect(anchor('art', 'a party')).to.equal(undefined);
    expect(anchor('art', 'a party of art')).to.deep.equal({ start: 11, end: 14 });
    for (const nothing of ['', '…', ' - ', '"'])
      expect(anchor(nothing, '… - "')).to.equal(undefined);
  });

  it('is found for any part of a text between word boundaries', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEXTS), fc.nat(), fc.nat(), (text, from, to) => {
        const words = [...text.matchAll(/\S+/g)];
        const [a = 0, b = 0] = [from % words.length, to % words.length].sort((x, y) => x - y);
        const quote = text.slice(
          words[a]?.index,
          (words[b]?.index ?? 0) + (words[b]?.[0].length ?? 0),
        );
        if (!/[\p{L}\p{N}]/u.test(quote)) return;
        const place = anchor(quote, text);
        expect(place && text.slice(place.start, place.end)).to.equal(quote);
      }),
    );
  });
});

const PARTS = fc.constantFrom(
  ...[
    '"',
    '"',
    '“',
    '”',
    '«',
    '»',
    '「',
    '」',
    '[',
    ']',
    '[1]',
    '[2]',
    ' [1]',
    '[1, 3]',
    '[12]',
    '[2024]',
    '!',
    '![',
    '](',
    '](u)',
    '(',
    ')',
  ],
  ...[
    '<',
    '>',
    '<b>',
    '</b>',
    '<img src="',
    "<a href='x'>",
    '<!--',
    '-->',
    '<http://x>',
    '@',
    'x',
    '1',
    '\\',
    ':',
    ']:',
    '[r]: u',
    ' "t"',
    '`',
    '*',
    '**',
    '_',
  ],
  ...[
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '- ',
    '> ',
    '.',
    '. ',
    ',',
    '。',
    '\0',
    '👩🏽‍🚀',
    '\ud83d',
    "'",
    '’',
    '&lt;',
    '=',
    '-',
    '/',
    'u',
  ],
  ...[
    'forty metres high',
    'The rent is',
    'сорок метров',
    'vierzig Meter hoch',
    '塔高四十米',
    'claim',
    '"forty metres high" [1]',
    '"invented by me" [2]',
    '“停”',
  ],
);
const SAID = fc.array(PARTS, { maxLength: 40 }).map((parts) => parts.join(''));

/** Split at any positions, also inside surrogate pairs. */
const cut = (text: string, places: readonly number[]): readonly string[] => {
  const ends = [...places.map((place) => place % (text.length + 1)), text.length].sort(
    (a, b) => a - b,
  );
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
};

describe('any answer of a model', () => {
  it('is well-formed and contains no active markup', () => {
    fc.assert(
      fc.property(SAID, (said) => expectSound(read([said]), said)),
      { numRuns: 2_000 },
    );
  }).timeout(60_000);

  it('does not depend on chunk boundaries', () => {
    fc.assert(
      fc.property(SAID, fc.array(fc.nat(), { maxLength: 30 }), (said, places) => {
        const whole = read([said]);
        expect(read(cut(said, places))).to.deep.equal(whole);
        expect(read(said.split(''))).to.deep.equal(whole);
      }),
      { numRuns: 500 },
    );
  }).timeout(60_000);

  it('loses no word outside of quotations and markers', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('word', 'слово', '字', '"', '“', "'", '[', ']', '<', ' ', '.', '\n', '!'),
        ),
        (parts) => {
          const said = parts.join('');
          const words = (text: string) => [...text.matchAll(/word|слово|字/g)].join();
          // Without digits there are no markers, and without `>` or `=` no tags except at the end: an unfinished tag
          // or declaration extends to the end.
          const end = said.replace(/<!.*$/s, '').replace(/<[^<]*$/, '');
          expect(words(read([end]).text)).to.equal(words(end));
        },
      ),
      { examples: [[['<', '!', 'word', '<']], [['word', '<', '!', ' ', 'word', '\n', 'word']]] },
    );
  });

  it('emits citations together with their markers', () => {
    fc.assert(
      fc.property(SAID, (said) => {
        const reader = createCitationStream(() => OFFERED);
        const reported = [...said.split('').map((unit) => reader.feed(unit)), reader.end()];
        for (const { text, citations } of reported)
          for (const { index } of citations) expect(text).to.include(`[${index}]`);
      }),
      { numRuns: 300 },
    );
  });

  it('takes linear time', () => {
    const hostile = [
      '"',
      '[',
      '<',
      '![',
      '" ',
      '[](',
      '[a](',
      '"" [1]',
      '" [1]',
      'a [1] ',
      '<a ',
      '<x a="',
      '(',
      ' ',
      '\\',
      '"said "stop" [1] ',
      '"a b c d e f" [1,2,3,4,5] ',
    ];
    for (const unit of hostile) {
      // Quadratic time would take hours.
      const said = unit.repeat(Math.ceil(100_000 / unit.length));
      expectSameLetters(read([said]).text, unit);
    }
  }).timeout(400_000);
});

function expectSameLetters(text: string, unit: string): void {
  for (const letter of new Set(text))
    expect(unit.includes(letter) || letter === ' ', letter).to.equal(true);
}
