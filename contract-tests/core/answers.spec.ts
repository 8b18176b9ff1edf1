import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryUnitOfWork } from '../../adapters/memory/unit-of-work.ts';
import { answerQuestion, type DocumentAnswer } from '../../core/answers/index.ts';
import { expectedAnswerType } from '../../core/answers/cues.ts';
import type { SearchFilter } from '../../ports/search.ts';
import {
  aDocument,
  documentTexts,
  EVERYTHING,
  queries,
  indexDocuments,
  slice,
  type Document,
} from '../search-documents.ts';
import { newScope } from '../samples.ts';

const uow = new MemoryUnitOfWork();

async function ask(
  documents: readonly Document[],
  question: string,
  filter: SearchFilter = EVERYTHING,
  language = 'en',
): Promise<DocumentAnswer> {
  const scope = newScope();
  await uow.write(scope, (stores) => indexDocuments(stores, documents, language));
  return uow.read(scope, (stores) => answerQuestion(stores, question, filter));
}

const LEASE = aDocument(
  'LEASE\n\nThis lease is made between Acme GmbH (the landlord) and Jane Smith (the tenant). The term starts on 1 March 2024 and expires on 28 February 2027. The monthly rent is EUR 1,450.00, payable by the third working day of each month.\n\nPets are not allowed without written consent.',
  { filename: 'lease.txt', title: 'Lease', docType: 'contract' },
);
const OTHERS = [
  aDocument('The weather in spring is hard to tell. Rain falls often.', {
    filename: 'weather.txt',
  }),
  aDocument('A recipe for bread: flour, water, salt and time.', { filename: 'bread.txt' }),
];
const LIBRARY = [LEASE, ...OTHERS];

const markers = (content: string) => [...content.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n));

/** Invariants of any answer. */
function expectSound(answer: DocumentAnswer, documents: readonly Document[]): void {
  const texts = new Map(documents.map(({ object, text }) => [object.id, text]));
  for (const { objectId, snippet, charStart, charEnd, ord } of answer.citations) {
    expect(snippet).to.equal(slice(texts.get(objectId) ?? '', charStart, charEnd));
    expect(snippet).to.not.equal('');
    expect(ord).to.be.at.least(0);
  }
  const indexes = answer.citations.map(({ index }) => index);
  expect(indexes).to.deep.equal(indexes.map((_, i) => i + 1));
  expect([...new Set(markers(answer.content))]).to.have.members(indexes);
  expect(answer.content).to.not.equal('');
}

describe('answers', () => {
  it('consist of sentences of the documents with citations of their positions', async () => {
    const expected: readonly (readonly [string, string])[] = [
      ['When does the lease expire?', '28 February 2027'],
      ['How much is the monthly rent?', 'EUR 1,450.00'],
      ['Who is the landlord?', 'Acme GmbH'],
      ['Are pets allowed?', 'Pets are not allowed without written consent.'],
    ];
    for (const [question, gold] of expected) {
      const answer = await ask(LIBRARY, question);
      expectSound(answer, LIBRARY);
      const [first] = answer.citations;
      expect(first, question).to.include({
        index: 1,
        objectId: LEASE.object.id,
        filename: 'lease.txt',
        title: 'Lease',
        docType: 'contract',
      });
      expect(first?.snippet, question).to.include(gold);
      expect(answer.content, question).to.match(/^[^[]*\[1\]/);
      expect(answer.content.startsWith(first?.snippet.split('. ')[0] ?? '?')).to.equal(true);
    }
  });

  it('contain the relevant sentence of a note that is named after its content', async () => {
    const text = 'Three things for Tuesday. The boiler is serviced at noon. Call Anna about it.';
    const documents = [aDocument(text, { filename: `${text}.md`, title: text }), ...OTHERS];
    for (const [question, sentence] of [
      ['When is the boiler serviced?', 'The boiler is serviced at noon.'],
      ['Who do I call?', 'Call Anna about it.'],
    ] as const) {
      const answer = await ask(documents, question);
      expect(answer.citations[0]?.snippet, question).to.equal(sentence);
    }
  });

  it('quote documents in other languages in those languages', async () => {
    const expected: readonly (readonly [string, string, string, string])[] = [
      [
        'de',
        'Die Kaltmiete beträgt 980 Euro. Herr Müller ist der Vermieter.',
        'Wie hoch ist die Miete?',
        '980 Euro',
      ],
      [
        'ru',
        'Арендная плата составляет 45 000 руб. в месяц. Договор подписан в мае.',
        'Сколько составляет арендная плата?',
        '45 000 руб.',
      ],
      [
        'fr',
        "Le salaire annuel est de 42 000 euros. La période d'essai dure trois mois.",
        'Quel est le salaire annuel ?',
        '42 000 euros',
      ],
      [
        'es',
        'El contrato fue firmado por María López. El importe asciende a 750 euros.',
        '¿Quién firmó el contrato?',
        'María López',
      ],
      ['zh', '会议决定新产品将于九月发布。预算为三十万元。', '预算是多少？', '三十万元'],
    ];
    for (const [language, text, question, gold] of expected) {
      const documents = [aDocument(text), ...OTHERS];
      const answer = await ask(documents, question, EVERYTHING, language);
      expectSound(answer, documents);
      expect(answer.citations[0]?.snippet, question).to.include(gold);
    }
  });

  it('state that nothing was found, with the reason, in the language of the question', async () => {
    const silent = async (question: string, documents = LIBRARY, filter = EVERYTHING) => {
      const answer = await ask(documents, question, filter);
      expect(answer.citations, question).to.deep.equal([]);
      expect(markers(answer.content)).to.deep.equal([]);
      return answer.content;
    };
    expect(await silent('What is the airspeed of a swallow?')).to.equal(
      'I found nothing about this in your documents.',
    );
    expect(await silent('Wo liegt Timbuktu?')).to.match(/^In Ihren Dokumenten/);
    expect(await silent('Какая погода в Париже?')).to.match(/^В ваших документах/);
    expect(await silent('Où est Tombouctou ?')).to.match(/^Je n’ai rien trouvé/);
    expect(await silent('¿Dónde está Tombuctú?')).to.match(/^No he encontrado/);
    expect(await silent('天气怎么样？')).to.match(/^在您的文档中/);
    for (const question of ['???', 'Who?', '🏳️‍🌈']) await silent(question);

    expect(await silent('When does it expire?', [])).to.equal(
      'There are no documents to search yet.',
    );
    const elsewhere: SearchFilter = { visibility: 'visible', collectionId: 'empty' };
    expect(await silent('When does the lease expire?', LIBRARY, elsewhere)).to.match(
      /^There is nothing to search in the folder/,
    );
    const inLease: SearchFilter = { visibility: 'visible', objectIds: [LEASE.object.id] };
    expect(await silent('Where is Timbuktu?', LIBRARY, inLease)).to.equal(
      'I found nothing about this in the folder or files you chose.',
    );
    const unread = (['pending', 'pending', 'absent'] as const).map((textState) =>
      aDocument('', { textState }),
    );
    expect(await silent('Where is Timbuktu?', [...LIBRARY, ...unread])).to.equal(
      'I found nothing about this in your documents. 2 files are still being read. One file cannot be read.',
    );
    expect(await silent('Wo liegt Timbuktu?', unread.slice(0, 1))).to.match(
      / Eine Datei wird noch gelesen\.$/,
    );
  });

  it('report how many files were and were not searched, as far as visible to the caller', async () => {
    const documents = [
      ...LIBRARY,
      aDocument('', { textState: 'pending', collectionId: 'one' }),
      aDocument('secret', { isHidden: true }),
      aDocument('gone', { deletedAt: 1 }),
    ];
    const counted = async (filter: SearchFilter) =>
      (await ask(documents, 'rent?', filter)).coverage;
    expect(await counted(EVERYTHING)).to.deep.equal({ searched: 3, unread: 1 });
    expect(await counted({ visibility: 'any' })).to.deep.equal({ searched: 4, unread: 1 });
    const inOne: SearchFilter = { visibility: 'visible', collectionId: 'one' };
    expect(await counted(inOne)).to.deep.equal({ searched: 0, unread: 1 });
    const objectIds = documents.map(({ object }) => object.id);
    expect(await counted({ visibility: 'visible', objectIds })).to.deep.equal({
      searched: 3,
      unread: 1,
    });
    expect(await counted({ ...inOne, objectIds })).to.deep.equal({ searched: 0, unread: 1 });
    const contracts: SearchFilter = { visibility: 'visible', docType: 'contract', objectIds };
    expect(await counted(contracts)).to.deep.equal({ searched: 1, unread: 0 });
  });

  it('search only the objects of the filter', async () => {
    const twin = aDocument(LEASE.text.replace('28 February 2027', '1 May 2030'), {
      collectionId: 'b',
    });
    const cited = async (filter: SearchFilter) =>
      new Set(
        (await ask([...LIBRARY, twin], 'When does the lease expire?', filter)).citations.map(
          (c) => c.objectId,
        ),
      );
    expect(await cited({ visibility: 'visible', collectionId: 'b' })).to.deep.equal(
      new Set([twin.object.id]),
    );
    expect(await cited({ visibility: 'visible', objectIds: [LEASE.object.id] })).to.deep.equal(
      new Set([LEASE.object.id]),
    );
    expect(await cited({ visibility: 'hidden' })).to.deep.equal(new Set());
  });

  it('show sentences without reference marks and Markdown, and cite them unchanged', async () => {
    const documents = [
      aDocument(
        'The zeppelin was built in 1900.[7] It was **very** long [12].\n\n- [ ] The [hangar](http://x.y) of the `zeppelin` has __two__ doors.\n\n| Plan | Price |\n|------|-------|\n| Dirigible | $20 |',
      ),
      ...OTHERS,
    ];
    const shown = async (question: string) => {
      const answer = await ask(documents, question);
      expectSound(answer, documents);
      return [answer.content.split('\n')[0], answer.citations[0]?.snippet];
    };
    expect(await shown('When was the zeppelin built, and how long was it?')).to.deep.equal([
      'The zeppelin was built in 1900. [1] It was very long. [1]',
      'The zeppelin was built in 1900.[7] It was **very** long [12].',
    ]);
    expect(await shown('How many doors does the hangar have?')).to.deep.equal([
      'The hangar of the zeppelin has two doors. [1]',
      '- [ ] The [hangar](http://x.y) of the `zeppelin` has __two__ doors.',
    ]);
    expect(await shown('What is the price of the dirigible?')).to.deep.equal([
      'Dirigible · $20 [1]',
      '| Dirigible | $20 |',
    ]);
  });

  it('do not quote a heading, a name or a question alone', async () => {
    const manual = `# Flat manual\n\n## 1. Deposit\n\nThe tenant pays €2,300 before moving in.\n\n## 2. Heating\n\nTurn the knob to the left.\n\nCan I keep a parrot?\nOnly with written consent.\n\nContents\n\nGarbage collection . . . . . . . . . 12\n\nGarbage is taken away on Mondays.`;
    const documents = [aDocument(manual, { filename: 'x.md' }), ...OTHERS];
    const cases: readonly (readonly [string, RegExp])[] = [
      ['What is the deposit?', /^The tenant pays €2,300/],
      ['How does the heating work?', /^Turn the knob to the left\. \[1\]/],
      ['Can I keep a parrot?', /^Can I keep a parrot\? \[1\] Only with written consent\. \[1\]/],
      ['When is the garbage collection?', /^Garbage is taken away on Mondays/],
    ];
    for (const [question, expected] of cases)
      expect((await ask(documents, question)).content, question).to.match(expected);
    // Unless there is no other text.
    expect((await ask([aDocument('# Deposit')], 'What is the deposit?')).content).to.equal(
      'Deposit [1]',
    );
  });

  it('stay within one paragraph, and continue if a sentence alone is not sufficient', async () => {
    const documents = [
      aDocument(
        'In the spring of 2019 eleven grafts failed. The binding had been left on too long.\n\nThe grafts of 2020 thrive.',
      ),
      ...OTHERS,
    ];
    const { content } = await ask(documents, 'Why did the grafts fail in 2019?');
    expect(content.split('\n')[0]).to.equal(
      'In the spring of 2019 eleven grafts failed. [1] The binding had been left on too long. [1]',
    );
  });

  it('prefer a sentence with the expected answer type', async () => {
    const lease = aDocument(
      'This agreement is made between Jane Smith ("the Tenant") and Acme GmbH ("the Landlord").\n\nIf the rent is 10 days late, 5 % are charged. The rent is €1,150 for each month that begins.\n\nThe Tenant keeps the House clean.',
    );
    const first = async (question: string) =>
      (await ask([lease, ...OTHERS], question)).citations[0]?.snippet;
    expect(await first('How much is the rent?')).to.match(/^The rent is €1,150/);
    expect(await first('Who is the tenant?')).to.include('Jane Smith');
  });

  it('do not repeat the content of duplicate files', async () => {
    const copies = ['a', 'b', 'c'].map((name) =>
      aDocument(`The *zeppelin* lands at  noon${name === 'a' ? '!' : '.'}`, { filename: name }),
    );
    const { citations } = await ask(copies, 'When does the zeppelin land?');
    expect(citations).to.have.length(1);
  });

  it('contain no further reference if the first sentence is sufficient', async () => {
    const others = [
      ...OTHERS,
      aDocument('Pay attention to the working lights of the term.'),
      aDocument('The lease of life of a lamp expires early.'),
    ];
    const { content, citations } = await ask([LEASE, ...others], 'How much is the monthly rent?');
    expect(citations).to.have.length(1);
    expect(content).to.not.include('See also');
  });

  it('are empty for a figure, a code or a name that occurs nowhere', async () => {
    const documents = [
      aDocument('Invoice 7731 has a total of EUR 6,902.00. Error E20: the water does not drain.'),
      aDocument('The trip to Lisbon cost 812 euros.'),
      ...LIBRARY,
    ];
    const answered = async (question: string) =>
      (await ask(documents, question)).citations.length > 0;
    for (const [known, unknown] of [
      ['What is the total of invoice 7731?', 'What is the total of invoice 9999?'],
      ['What does error E20 mean?', 'What does error E99 mean?'],
      ['How much did the trip to Lisbon cost?', 'Was there a trip to Brazil with Wilhelmina?'],
    ] as const) {
      expect(await answered(known), known).to.equal(true);
      expect(await answered(unknown), unknown).to.equal(false);
    }
  });

  it('prefer the language of the question', async () => {
    const documents = [
      aDocument('El periodo de prueba es de dos meses. Las vacaciones son de 23 días.'),
      aDocument('The lease ends with the notice period of three months. The house is old.'),
    ];
    const { citations } = await ask(documents, 'How long is the notice period?');
    expect(citations[0]?.objectId).to.equal(documents[1]?.object.id);
  });

  it('have one or two sentences per citation, five citations, and each sentence once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(documentTexts(), fc.integer({ min: 1, max: 5 })), { maxLength: 5 }),
        queries(),
        async (created, question) => {
          const documents = created.map(([text, times]) => aDocument(text.repeat(times)));
          const answer = await ask(documents, question);
          expectSound(answer, documents);
          expect(answer.citations.length).to.be.at.most(5);
          const places = answer.citations.map((c) => `${c.objectId} ${c.charStart}`);
          expect(new Set(places).size).to.equal(places.length);
          for (const { objectId, charStart, charEnd } of answer.citations)
            for (const other of answer.citations)
              if (other.objectId === objectId && other.charStart > charStart)
                expect(other.charStart).to.be.at.least(charEnd);
        },
      ),
      { numRuns: 80 },
    ));

  it('detect the expected type of an answer', () => {
    const kinds: readonly (readonly [string, readonly string[]])[] = [
      [
        'time',
        [
          'When was it?',
          'In welchem Jahr?',
          'Когда это было?',
          'Quand ?',
          '¿Cuándo?',
          '什么时候？',
        ],
      ],
      [
        'number',
        [
          'How many are there?',
          'Wie viele?',
          'Сколько их?',
          'Combien ?',
          '¿Cuántos hay?',
          '有多少？',
        ],
      ],
      [
        'person',
        ['Who did it?', 'Wer war es?', 'Кто это?', 'Qui est-ce ?', '¿Quién fue?', '谁做的？'],
      ],
      [
        'place',
        ['Where is it?', 'Wo ist es?', 'Где это?', 'Où est-il ?', '¿Dónde está?', '在哪里？'],
      ],
      ['reason', ['Why?', 'Warum?', 'Почему?', 'Pourquoi ?', '¿Por qué?', '为什么？']],
      ['thing', ['What is a zeppelin?', 'Что такое дирижабль?']],
    ];
    for (const [kind, questions] of kinds)
      for (const question of questions)
        expect(expectedAnswerType(question), question).to.equal(kind);
  });
});
