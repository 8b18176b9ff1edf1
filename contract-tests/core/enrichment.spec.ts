import { expect } from 'chai';
import fc from 'fast-check';
import { readSamples } from '../../bench/enrichment-samples.ts';
import {
  docTypeOfFile,
  enrich,
  ENTITY_KINDS,
  findEntities,
  type EnrichmentInput,
} from '../../core/enrichment/index.ts';
import { DOC_TYPES } from '../../ports/objects.ts';
import { OBJECT_KINDS } from '../../ports/text-extraction.ts';

const scheduler = { yield: () => Promise.resolve() };
const FILE = {
  kind: 'pdf',
  format: 'pdf',
  filename: 'scan.pdf',
  title: '',
  pages: 1,
  addedAt: Date.UTC(2024, 5, 15),
} as const;

const of = (text: string, more: Partial<EnrichmentInput> = {}) =>
  enrich(scheduler, { ...FILE, language: 'en', text, ...more });
const entities = async (text: string, language = 'en') =>
  (await of(text, { language })).entities as Record<string, string[]>;

/** Invariants of any result: bounded, well-formed, of its schema. Checked with four hundred code points. */
async function expectSound(text: string, more: Partial<EnrichmentInput> = {}): Promise<void> {
  const found = await of(text, more);
  const long = (value: string) => [...value].length;
  expect(DOC_TYPES).to.include(found.docType);
  expect(long(found.title)).to.be.at.most(120);
  expect(long(found.summary)).to.be.at.most(600);
  expect(long(found.description)).to.be.at.most(200);
  expect(found.keywords.length).to.be.at.most(10);
  expect(Object.keys(found.entities)).to.have.members([...ENTITY_KINDS]);
  const reported = [found.title, found.summary, found.description, ...found.keywords];
  for (const list of Object.values(found.entities) as string[][]) {
    expect(list.length).to.be.at.most(50);
    expect(new Set(list).size).to.equal(list.length);
    reported.push(...list);
  }
  for (const each of reported) expect(each.isWellFormed()).to.equal(true);
  expect(found.meetingDate === null || Number.isSafeInteger(found.meetingDate)).to.equal(true);
}

describe('enrichment', function () {
  this.timeout(60_000);

  it('returns valid results within the limits for any text', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc
            .array(
              fc.constantFrom(
                ...[
                  'Invoice',
                  'Mr.',
                  '12.',
                  '03.',
                  '2024',
                  '\n',
                  '\n\n',
                  ' ',
                  'ООО «',
                  '$1',
                  '+7',
                  '(',
                  ')',
                ],
                ...[
                  '@a.b',
                  'https://',
                  '中文',
                  '😀',
                  '____',
                  '# ',
                  'Dear ',
                  'Протокол ',
                  '12 марта',
                  '\ud800',
                ],
              ),
              { maxLength: 60 },
            )
            .map((parts) => parts.join('')),
        ),
        fc.constantFrom('', 'en', 'ru', 'de', 'zh', 'xx'),
        fc.constantFrom(...OBJECT_KINDS),
        (text, language, kind) => expectSound(text, { language, kind }),
      ),
      { numRuns: 300 },
    ));

  it('takes linear time for repetitive text', async () => {
    const parts =
      'x|1|1 |A.|A b |Ab Cd |@a|a@|a.b@|1.|1,|$1|www.|(|Mr. |De la |+1 (|12 |Aa-|«|ООО «|111 |1/|A’|\u00a0|ABCD |AB12 |Bank of |# a\n|<|A<|_|[ ]|. |a. |\n|\t|中|«1» |Jan |1 Jan |Иванов |И. |— |http://a|-|\u0301|😀|e.V. |Dr. Dr. ';
    for (const part of parts.split('|')) {
      const text = part.repeat(Math.ceil(120_000 / part.length));
      await expectSound(text);
    }
  });

  it('analyses the beginning of a text only', async () => {
    const text = `Dear Ann,\n${'Nothing of note. '.repeat(8_000)}`;
    const found = await of(`${text} late@example.com`);
    expect(found.entities['emails']).to.deep.equal([]);
    expect(await of(text)).to.deep.equal(found);
  });

  for (const [part, least, floor] of [
    ['held-out', 80, 0.95],
    ['fresh', 43, 0.85],
  ] as const)
    it(`detects the types of the ${part} documents`, async () => {
      const samples = readSamples(part);
      let right = 0;
      for (const sample of samples)
        if ((await of(sample.text, sample)).docType === sample.docType) right += 1;
      expect(samples.length).to.be.at.least(least);
      expect(right / samples.length).to.be.at.least(floor);
    });

  for (const [kind, format, filename, docType] of [
    ['image', 'jpg', 'holiday.jpg', 'photo'],
    ['image', 'heic', 'IMG_0042.HEIC', 'photo'],
    ['image', 'png', 'IMG_0042.PNG', 'photo'],
    ['image', 'png', 'Screenshot 2024-05-01 at 10.00.00.png', 'screenshot'],
    ['image', 'jpg', 'Screenshot_20240501-100000.jpg', 'screenshot'],
    ['image', 'png', 'Снимок экрана 2024-05-01.png', 'screenshot'],
    ['image', 'png', 'Bildschirmfoto vom 01.05.png', 'screenshot'],
    ['image', 'png', "Capture d'écran.png", 'screenshot'],
    ['image', 'png', '截屏2024.png', 'screenshot'],
    ['image', 'png', 'logo.png', 'other'],
    ['image', 'svg', 'logo.svg', 'other'],
    ['text', 'py', 'tides.py', 'code'],
    ['text', 'txt', 'a.txt', 'other'],
    ['spreadsheet', 'csv', 'a.csv', 'spreadsheet'],
    ['presentation', 'pptx', 'a.pptx', 'presentation'],
    ['document', 'epub', 'a.epub', 'book'],
    ['note', 'md', 'a.md', 'note'],
    ['audio', 'mp3', 'a.mp3', 'other'],
  ] as const)
    it(`classifies ${filename} of kind ${kind} as ${docType} before it is read`, () => {
      expect(docTypeOfFile({ kind, format, filename })).to.equal(docType);
    });

  const DATES: readonly (readonly [string, string, readonly string[]])[] = [
    ['en', 'on 2024-03-12 and 2024/3/13', ['2024-03-12', '2024/3/13']],
    ['en', 'signed 3/12/2024 or 12.03.2024', ['3/12/2024', '12.03.2024']],
    [
      'en',
      'March 12, 2024; 5th of May 2023; Mar. 3',
      ['March 12, 2024', '5th of May 2023', 'Mar. 3'],
    ],
    [
      'ru',
      '12 марта 2024 г., «05» мая 2023 года, 1 января.',
      ['12 марта 2024 г.', '«05» мая 2023 года', '1 января'],
    ],
    ['de', 'am 12. März 2024 und am 3. Oktober', ['12. März 2024', '3. Oktober']],
    ['fr', 'le 1er mars 2024 et le 14 août 2023', ['1er mars 2024', '14 août 2023']],
    ['es', 'el 12 de marzo de 2024', ['12 de marzo de 2024']],
    ['zh', '会议于2024年3月12日举行', ['2024年3月12日']],
    ['en', 'version 1.2.3, address 10.0.0.1, 31.02.2024, 45/13/2024, room 12', []],
  ];
  for (const [language, text, dates] of DATES)
    it(`finds the dates of: ${text}`, async () => {
      expect((await entities(text, language))['dates']).to.deep.equal(dates);
    });

  for (const [text, amounts] of [
    ['1 234,56 € and $1,234.56', ['1 234,56 €', '$1,234.56']],
    ['5 000 руб., RUB 5000, £20', ['5 000 руб.', 'RUB 5000', '£20']],
    ['15 100 руб. 00 коп. и 2,5 млн руб.', ['15 100 руб. 00 коп.', '2,5 млн руб.']],
    ["CHF 1'200.50; 30 000 рублей; 100元", ["CHF 1'200.50", '30 000 рублей', '100元']],
    ['20 eurocents, 7 people, 12 March 2024, EUROPE 5', []],
  ] as const)
    it(`finds the amounts of: ${text}`, async () => {
      expect((await entities(text))['amounts']).to.deep.equal(amounts);
    });

  for (const [text, phones] of [
    ['+49 30 1234567 or (503) 555-0142', ['+49 30 1234567', '(503) 555-0142']],
    ['8 (912) 345-67-89, +7 912 345-67-89', ['8 (912) 345-67-89', '+7 912 345-67-89']],
    ['Tel: 030/1234567, тел. 345-67-89', ['030/1234567', '345-67-89']],
    ['IBAN DE89 3704 0044 0532 0130 00, card 4276 1234 5678 9012', []],
    ['ИНН 7701234567, account 55779911, 1 234 567,00, 12.03.2024 10:30', []],
    ['tel. 12.03.2024', []],
  ] as const)
    it(`finds the telephone numbers of: ${text}`, async () => {
      expect((await entities(text))['phones']).to.deep.equal(phones);
    });

  it('finds addresses without the punctuation of the sentence', async () => {
    const found = await entities(
      'Mail a.b+c@example.co.uk, иван@почта.рф; see https://example.com/a_(b)?x=1. And (www.foo.org/bar), not foo@bar or a..b@c.de.',
    );
    expect(found['emails']).to.deep.equal(['a.b+c@example.co.uk', 'иван@почта.рф']);
    expect(found['urls']).to.deep.equal(['https://example.com/a_(b)?x=1', 'www.foo.org/bar']);
  });

  it('finds people and organizations, but no places or greetings', async () => {
    const english = await entities(
      'Dr. Maria Costa met John Smith of Acme Robotics, Inc. and Lumen Optics GmbH & Co. KG in Main Street. Kind Regards. John Smith again.',
    );
    expect(english['people']).to.deep.equal(['Maria Costa', 'John Smith']);
    expect(english['organizations']).to.deep.equal([
      'Acme Robotics, Inc.',
      'Lumen Optics GmbH & Co. KG',
    ]);
    const russian = await entities(
      'Козлова Анна Дмитриевна и Петров А. В. из ООО «Ромашка», ИП Соколов Д. А., Российская Федерация, город Москва',
      'ru',
    );
    expect(russian['people']).to.deep.equal(['Козлова Анна Дмитриевна', 'Петров А. В.']);
    expect(russian['organizations']).to.deep.equal(['ООО «Ромашка»', 'ИП Соколов Д. А.']);
  });

  it('reads a date with slashes day first if another one requires that', () => {
    const months = (text: string, language: string) =>
      findEntities(text, language).dates.map(({ month }) => month);
    expect(months('3/12/2024', 'en')).to.deep.equal([3]);
    expect(months('3/12/2024 and 25/12/2024', 'en')).to.deep.equal([12, 12]);
    expect(months('3/12/2024', 'fr')).to.deep.equal([12]);
  });

  for (const [text, when] of [
    [
      '# Weekly sync\nDate: 2024-05-14\nAttendees: Ann\nAction items\nNext meeting: 21 May',
      '2024-05-14T00:00:00.000Z',
    ],
    [
      'Meeting minutes\nNext meeting: 21 May 2024\nHeld on 14 May 2024 at 10:30\nPresent: Ann\nAgenda',
      '2024-05-14T10:30:00.000Z',
    ],
    [
      'Call notes, March 5, 2024, 2:30 PM\nParticipants: Ann\nAction items\n- send by 7 March',
      '2024-03-05T14:30:00.000Z',
    ],
    [
      'Протокол совещания\nДата: 21.05.2024, 15:00\nУчастники: Громов\nПовестка дня',
      '2024-05-21T15:00:00.000Z',
    ],
    ['Планёрка 3 июня\nУчастники: Маша\nРешили: дежурим', '2024-06-03T00:00:00.000Z'],
    ['Standup 28 December\nAttendees: Ann\nAction items', '2023-12-28T00:00:00.000Z'],
    ['Meeting minutes\nAttendees: Ann\nAgenda: none', null],
  ] as const)
    it(`dates the meeting of: ${text.split('\n', 1)[0] ?? ''}`, async () => {
      const addedAt = text.startsWith('Standup') ? Date.UTC(2024, 0, 3) : FILE.addedAt;
      const found = await of(text, {
        addedAt,
        language: /\p{sc=Cyrillic}/u.test(text) ? 'ru' : 'en',
      });
      expect(found.docType).to.equal('meeting_notes');
      expect(found.meetingDate && new Date(found.meetingDate).toISOString()).to.equal(when);
    });

  it('dates only meetings', async () => {
    expect((await of('Invoice no 7\nInvoice date: 2024-05-14\nTotal due $5')).meetingDate).to.equal(
      null,
    );
  });

  it('summarises a text by its first sentences', async () => {
    const found = await of(
      '# The harbour\n\nThe harbour was dug in 1820 by two brothers. They had no permit.\n\nA lighthouse followed thirty years later. It is white.\n\nToday nobody works there any more. The cranes are gone.',
    );
    expect(found.title).to.equal('The harbour');
    expect(found.description).to.equal('The harbour was dug in 1820 by two brothers.');
    expect(found.summary).to.equal(
      'The harbour was dug in 1820 by two brothers. A lighthouse followed thirty years later. Today nobody works there any more.',
    );
    expect(found.keywords.slice(0, 1)).to.deep.equal(['harbour']);
  });
});
