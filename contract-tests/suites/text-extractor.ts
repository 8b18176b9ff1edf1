import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import type {
  ContentType,
  Extraction,
  ExtractionRequest,
  ObjectKind,
  TextExtractor,
} from '../../ports/text-extraction.ts';
import { HOSTILE } from '../samples/hostile/make.ts';
import { onePage, pdfOf, streamOf } from '../samples/hostile/pdf.ts';

export interface OpenedExtractor {
  readonly extractor: TextExtractor;
  /** `characters`: it only reads UTF-8 text, and detects neither title nor language. */
  readonly reads: 'documents' | 'characters';
  /** A generous time limit per file. */
  readonly timeLimitMs: number;
  /** Running child processes of this process. */
  readonly processes: () => Promise<number>;
}

export const sample = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../samples', name));

/** Yields the bytes in chunks, as a store does. */
export const requestFor = (
  filename: string,
  kind: ObjectKind,
  bytes: Uint8Array,
  format = filename.slice(filename.lastIndexOf('.') + 1),
): ExtractionRequest => ({
  filename,
  type: { kind, format, mime: 'application/octet-stream' } satisfies ContentType,
  size: bytes.length,
  async *open() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  },
});

interface Expected {
  readonly file: string;
  readonly kind: ObjectKind;
  readonly native?: true;
  readonly title: string;
  readonly language: string;
  readonly pages: number;
  /** Sentences that must be contiguous in the text. */
  readonly says: readonly string[];
}

const REPORT = {
  title: 'Annual Report of the Skerry Light Trust',
  language: 'en',
  says: [
    'Visitors came in greater numbers than in any earlier season: 4 212 people crossed with the ferry, and nearly a third of them climbed the hundred and ninety-one steps to the lantern room.',
    'Ingrid Solheim retires as warden after twenty-two years on the rock.',
  ],
};
const ORCHARD = {
  title: 'Grafting in an Old Orchard',
  language: 'en',
  says: [
    'The remaining twenty-two are known by a number on a zinc label, and by the opinions of people who remember eating them.',
    'Correspondence with the national collection established that their own specimen behaves in the same manner; apparently an incompatibility develops after the second season, and an interstem of a different variety has to be inserted between the two.',
    'October: pick, taste, and write down the opinion of at least two people.',
  ],
};
const PROTOCOL = {
  title: 'Протокол собрания садового товарищества «Заря»',
  language: 'ru',
  pages: 1,
  says: [
    'Труба, проложенная в 1994 году, проржавела на участке от колодца до третьей улицы, и каждую весну её приходится заваривать заново.',
  ],
};
/** Files of programs that preserve tables and notes. */
const REPORT_PARTS = [
  '\nGallery railing\tPort Ellis Foundry\t£41,900\n',
  'The original drawing hangs in the stairwell; the foundry worked from a tracing of it.',
];
const PLAN = {
  title: 'Haushaltsplan 2025',
  language: 'ru',
  pages: 4,
  says: [
    'Übersicht\n\nHaushaltsplan des Gartenvereins „Morgenröte“\nPosten\tFällig am\tBetrag\tAnteil\n' +
      'Wasserleitung\t12.04.2025\t18,640.50\t62.5%\n',
    '\nSumme\t\t29,824.80\t100.0%\nGenehmigt\tTRUE\n',
    'Продажи\n\nТовар\tСклад\tПринято\tКоличество\nНасос погружной «Ручеёк»\tТула\t2025-03-01 06:14\t12\n',
    '手动水泵\t30\t存放在第三仓库，需要防潮',
    'Rechnung intern (hidden)\n\nRücklage\t2,500.00',
  ],
};
const WELL = {
  title: 'Wasser für den Garten',
  language: 'ru',
  pages: 4,
  says: [
    'Вода чистая с 1998 года\n\nСпросить у Елены про анализ воды.\n',
    'Angebote im Vergleich\n\nPumpe\tPreis\nTauchpumpe T 40\t129 Euro\n\nDer Händler gibt bis Ende Mai',
    '下一步计划\n\n五月十日之前更换水泵。',
  ],
};
const MAILS: readonly Expected[] = [
  {
    file: 'formats/letter-ru.eml',
    kind: 'email',
    title: 'Протокол собрания и смета',
    language: 'ru',
    pages: 1,
    says: [
      'From: Елена Круглова <elena@garden.example>\nTo: Андрей Тихонов <andrey@garden.example>, board@garden.example\n' +
        'Cc: Jörg Müller <joerg@garden.example>\nDate: Sat, 12 Apr 2025 18:20:00 +0300\nSubject: Протокол собрания и смета\n\n',
      'Оплатить до первого июля.',
      'Attachments:\n- Протокол собрания.txt (text/plain, 1791 bytes)\n- plan.ods (application/vnd.oasis',
    ],
  },
  {
    file: 'formats/letter-ru.msg',
    kind: 'email',
    title: 'Протокол собрания и смета',
    language: 'ru',
    pages: 1,
    says: [
      'From: Елена Круглова <elena@garden.example>\nTo: Андрей Тихонов <andrey@garden.example>, board@garden.example\n' +
        'Cc: Jörg Müller <joerg@garden.example>\nDate: Sat, 12 Apr 2025 15:20:00 +0000\nSubject: Протокол собрания и смета\n\n',
      'Оплатить до первого июля.',
      'Attachments:\n- Протокол собрания.txt (text/plain, 1791 bytes)\n- plan.ods (application/vnd.oasis',
    ],
  },
  {
    file: 'formats/page-de.eml',
    kind: 'email',
    title: 'Wasser wird abgestellt',
    language: 'de',
    pages: 1,
    says: [
      'Am Dienstag bleibt das Wasser von acht bis zwölf Uhr weg.\n\nStraße\tUhrzeit\nAm Brunnen\t',
    ],
  },
  {
    file: 'formats/forward.eml',
    kind: 'email',
    title: 'Fwd: 水泵报价',
    language: 'ru',
    pages: 1,
    says: ['Посмотрите', 'From: 王芳 <wang@pump.example>', '您好，手动水泵的价格是三百元。'],
  },
  {
    file: 'formats/letters.mbox',
    kind: 'email',
    title: '',
    language: 'ru',
    pages: 3,
    says: [
      'Оплатить до первого июля.',
      'Am Brunnen\t8 bis 10 Uhr',
      '您好，手动水泵的价格是三百元。',
    ],
  },
  {
    file: 'formats/orchard.mhtml',
    kind: 'document',
    ...ORCHARD,
    pages: 1,
  },
];
const NATIVE = { native: true, kind: 'text', title: '', language: '', pages: 1 } as const;

const SAMPLES: readonly Expected[] = [
  { ...NATIVE, ...REPORT, file: 'lighthouse.md' },
  { ...NATIVE, ...PROTOCOL, file: 'protocol-ru.txt', title: '' },
  {
    ...NATIVE,
    file: 'tides.csv',
    kind: 'spreadsheet',
    language: 'en',
    says: ['2025-03-01,Port Ellis,06:14,4.7,"spring tide, slipway awash"\n2025-03-02'],
  },
  { ...NATIVE, file: 'beacon.json', says: ['"character": "Fl(3) W 20s",\n  "height_m": 41'] },
  { ...NATIVE, file: 'tides.py', says: ['    heights = defaultdict(list)\n    with open('] },
  { ...ORCHARD, file: 'orchard.html', kind: 'document', pages: 1 },
  { ...REPORT, file: 'lighthouse.pdf', kind: 'pdf', pages: 2 },
  { ...ORCHARD, file: 'orchard.pdf', kind: 'pdf', pages: 2 },
  {
    file: 'letter.pdf',
    kind: 'pdf',
    title: 'Letter about the hedge',
    language: 'en',
    pages: 2,
    says: [
      'The quotation I received from Greenacre Services comes to 640 euros for both sides, including the removal of the cuttings.',
    ],
  },
  { ...PROTOCOL, file: 'protocol-ru.pdf', kind: 'pdf', title: '' },
  { ...REPORT, file: 'lighthouse.docx', kind: 'document', pages: 1 },
  { ...PROTOCOL, file: 'protocol-ru.docx', kind: 'document' },
  ...['odt', 'rtf', 'doc'].map((format) => ({
    ...PROTOCOL,
    file: `formats/protocol-ru.${format}`,
    kind: 'document' as const,
    // Only these formats distinguish a heading from a paragraph.
    title: format === 'odt' ? PROTOCOL.title : '',
  })),
  { ...PROTOCOL, file: 'formats/wordpad-ru.rtf', kind: 'document', title: '' },
  ...['lighthouse.odt', 'lighthouse-lo.odt', 'lighthouse-lo.rtf', 'lighthouse.doc'].map((file) => ({
    ...REPORT,
    file: `formats/${file}`,
    kind: 'document' as const,
    pages: 1,
    says: [...REPORT.says, ...REPORT_PARTS],
  })),
  { ...REPORT, file: 'formats/lighthouse.rtf', kind: 'document', title: '', pages: 1 },
  { ...REPORT, file: 'formats/lighthouse.epub', kind: 'document', pages: 4 },
  { ...REPORT, file: 'formats/lighthouse.pptx', kind: 'presentation', pages: 6 },
  {
    ...REPORT,
    file: 'formats/lighthouse.ppt',
    kind: 'presentation',
    pages: 6,
    says: [...REPORT.says, REPORT_PARTS[0]!],
  },
  ...['xlsx', 'xlsm', 'xls', 'ods'].map((format) => ({
    ...PLAN,
    file: `formats/plan.${format}`,
    kind: 'spreadsheet' as const,
  })),
  ...['pptx', 'odp', 'ppt'].map((format) => ({
    ...WELL,
    file: `formats/well.${format}`,
    kind: 'presentation' as const,
  })),
  ...MAILS,
];

/** Every sample is read, on a machine that may be busy. */
const SAMPLES_LIMIT_MS = 120_000;

const LANGUAGES = [
  { text: '', language: '' },
  { text: '12 / 2024', language: '' },
  { text: 'Müller', language: '' },
  { text: '你好', language: 'zh' },
  { text: '发票金额一千元', language: 'zh' },
  { text: '会議の記録', language: 'ja' },
  { text: '안녕', language: 'ko' },
  { text: 'Привет', language: 'ru' },
  { text: 'Список покупок', language: 'ru' },
  { text: 'Київ', language: 'uk' },
  { text: 'Καλημέρα', language: 'el' },
  { text: 'שלום', language: 'he' },
  { text: 'สวัสดี', language: 'th' },
  { text: 'مرحبا', language: 'ar' },
  { text: 'Der Hund bellt', language: 'de' },
  { text: 'Einkaufsliste: Milch, Brot, Eier', language: 'de' },
  { text: 'The quick brown fox', language: 'en' },
  { text: 'La casa blanca', language: 'es' },
  { text: 'Liste de courses', language: 'fr' },
  {
    text: `${'Title page. '.repeat(40)}${'Die Häuser am Fluss wurden renoviert. '.repeat(400)}`,
    language: 'de',
  },
] as const;

/** The beginnings of the pages of a file. */
const PAGED: readonly (readonly [string, ObjectKind, readonly RegExp[]])[] = [
  ...['xlsx', 'xls', 'ods'].map(
    (format) =>
      [
        `formats/plan.${format}`,
        'spreadsheet',
        [
          /^Übersicht\n\nHaus/,
          /^Продажи\n\nТовар/,
          /^库存\n\n品名/,
          /^Rechnung intern \(hidden\)\n\nRück/,
        ],
      ] as const,
  ),
  ...['pptx', 'odp', 'ppt'].map(
    (format) =>
      [
        `formats/well.${format}`,
        'presentation',
        [
          /^Wasser für den Garten/,
          /^Наш колодец\n\n/,
          /^Angebote im Vergleich\n\n/,
          /^下一步计划\n\n/,
        ],
      ] as const,
  ),
  [
    'formats/shores.epub',
    'document',
    [
      /^Drei Ufer/,
      /^Der Fluss\n\nDie Fähre/,
      /^Второй берег\n\nНа втором/,
      /^第三岸\n\n第三岸只有/,
    ],
  ],
  ['formats/letters.mbox', 'email', [/^From: Елена/, /^From: Stadtwerke/, /^From: Елена/]],
];

const LOCKED = ['docx', 'doc', 'odt', 'xlsx', 'xls', 'ods', 'pptx', 'odp'] as const;

const scan = (): Uint8Array => pdfOf([...onePage(), streamOf('', '72 72 468 648 re f')]);

/** The contract of every TextExtractor. */
export function textExtractorContract(open: () => Promise<OpenedExtractor>): void {
  let opened: OpenedExtractor;
  let extractor: TextExtractor;
  before(async () => {
    opened = await open();
    extractor = opened.extractor;
  });
  after(() => extractor.close());

  const readable = (): readonly Expected[] =>
    SAMPLES.filter(({ native }) => opened.reads === 'documents' || native);
  const textOf = (extraction: Extraction, what: string) => {
    if (extraction.outcome !== 'text') throw new Error(`${what}: ${extraction.reason}`);
    return extraction;
  };
  const read = ({ file, kind }: Expected) =>
    extractor.extract(requestFor(file, kind, sample(file)));
  /** A file that every extractor can read. */
  const readsOn = async (): Promise<void> => {
    const sound = readable().at(-1)!;
    expect(textOf(await read(sound), sound.file).text).to.include(sound.says[0]);
  };

  it('Plain text, web pages, PDF, Microsoft Office, OpenDocument, RTF, EPUB and mail give their text, title and page map', async function () {
    this.timeout(SAMPLES_LIMIT_MS);
    for (const expected of SAMPLES) {
      const extraction = await read(expected);
      if (!readable().includes(expected)) {
        expect(extraction, expected.file).to.include({ outcome: 'none', expected: true });
        continue;
      }
      const { text, source, title, language, pages } = textOf(extraction, expected.file);
      for (const sentence of expected.says) expect(text, expected.file).to.include(sentence);
      expect(source, expected.file).to.equal(expected.native ? 'native' : 'extracted');
      expect(pages.length, expected.file).to.equal(expected.pages);
      expect(text, expected.file)
        .not.to.match(/[\0\r]/)
        .and.not.match(/\p{Surrogate}/u);
      if (opened.reads === 'documents')
        expect([title, language]).to.deep.equal([expected.title, expected.language]);
    }
  });

  it('A workbook has a page per sheet, a deck a page per slide, a book a page per chapter, a mailbox a page per message', async function () {
    this.timeout(SAMPLES_LIMIT_MS);
    for (const [file, kind, starts] of PAGED) {
      const extraction = await extractor.extract(requestFor(file, kind, sample(file)));
      if (opened.reads === 'characters') {
        expect(extraction, file).to.include({ outcome: 'none', expected: true });
        continue;
      }
      const { text, pages } = textOf(extraction, file);
      const points = [...text];
      const shown = pages.map(({ charStart, charEnd }) =>
        points.slice(charStart, charEnd).join(''),
      );
      expect(shown.length, file).to.equal(starts.length);
      for (const [i, start] of starts.entries()) expect(shown[i], file).to.match(start);
    }
  });

  it('Native text keeps line ends, marks and controls. Only the byte order mark, NUL and unpaired surrogates are removed', async () => {
    const written =
      'a\r\nb\rc\n\u00e4 a\u0308 \uac00 \u1100\u1161\u2028\u0007\f\t\u00a0 \ufb01 \ufeff\u212b  \r\n\r\n' +
      'words '.repeat(50);
    for (const [name, kind] of [
      ['a.txt', 'text'],
      ['a.md', 'text'],
      ['a.csv', 'spreadsheet'],
      ['a.json', 'text'],
      ['a.py', 'text'],
      ['note', 'note'],
    ] as const) {
      const read = async (bytes: Uint8Array) =>
        textOf(await extractor.extract(requestFor(name, kind, bytes)), name);
      expect((await read(Buffer.from(written))).text, name).to.equal(written);
      expect((await read(Buffer.from(`\ufeff${written}\0`))).text, name).to.equal(written);
      const piled = `a${'\u0301'.repeat(5_000)}b`;
      expect((await read(Buffer.from(piled))).text, name).to.equal(piled);
    }
  });

  it('Page spans ascend, do not overlap and are inside the text', async function () {
    this.timeout(SAMPLES_LIMIT_MS);
    for (const expected of readable()) {
      const { text, pages } = textOf(await read(expected), expected.file);
      const points = [...text];
      let end = 0;
      for (const [i, { page, charStart, charEnd }] of pages.entries()) {
        expect(page, expected.file).to.equal(i + 1);
        expect(charStart, expected.file).to.be.at.least(end);
        expect(charEnd, expected.file).to.be.at.least(charStart);
        end = charEnd;
      }
      expect(end, expected.file).to.be.at.most(points.length);
      if (expected.file === 'letter.pdf')
        expect(points.slice(pages[1]!.charStart, pages[1]!.charEnd).join(''))
          .to.match(/^If you would rather/)
          .and.match(/Lindqvist$/);
    }
    const beyond = Buffer.from('\ufeff𝄞 clef\r\nand\0 𝄢 clef 🏴󠁧󠁢󠁳󠁣󠁴󠁿');
    const { text, pages } = textOf(
      await extractor.extract(requestFor('clefs.txt', 'text', beyond)),
      'clefs.txt',
    );
    expect(text).to.equal('𝄞 clef\r\nand 𝄢 clef 🏴󠁧󠁢󠁳󠁣󠁴󠁿');
    expect(pages).to.deep.equal([{ page: 1, charStart: 0, charEnd: [...text].length }]);
  });

  it('Of a web page the article is read, or the whole page if there is none, with its metadata', async () => {
    const page = (html: string, charset = '') => ({
      ...requestFor('a.html', 'document', Buffer.from(html, 'latin1')),
      page: { url: 'https://site.test/news/1?x=y', charset },
    });
    const paragraph =
      '<p>The harbour was dredged in spring, and the ferry came back in June, to everybody\u2019s relief.</p>';
    const article = `<!doctype html><html><head><title>Harbour news</title>
      <meta property="og:site_name" content="The  Skerry\nGazette"><meta name="description" content="Plain.">
      <meta property="og:description" content="Dredged at last. \xdcber &amp; out"><meta property="og:image" content="../a.png">
      </head><body><div class="sidebar"><ul><li><a href="/">Buy a subscription</a></li></ul></div>
      <article><h1>Harbour</h1>${paragraph.replaceAll('\u2019', '&rsquo;').repeat(20)}</article>
      <div class="footer">Imprint</div></body></html>`;
    const read = await extractor.extract(page(article, 'iso-8859-1'));
    if (opened.reads === 'characters') return expect(read.outcome).to.equal('none');
    const { text, source, title, language, page: facts } = textOf(read, 'article');
    expect({ source, title, language }).to.deep.equal({
      source: 'extracted',
      title: 'Harbour news',
      language: 'en',
    });
    expect(text).to.include('the ferry came back in June, to everybody’s relief.\n\nThe harbour');
    expect(text).not.to.match(/subscription|Imprint/);
    expect(facts).to.deep.equal({
      title: 'Harbour news',
      siteName: 'The Skerry Gazette',
      description: 'Dredged at last. Über & out',
      imageUrl: 'https://site.test/a.png',
    });

    const short = '<base href="https://cdn.test/x/"><meta name="twitter:image" content="b.jpg">';
    const whole = textOf(
      await extractor.extract(page(`${short}<h1>Opening hours</h1><p>Daily, 9 to 5.</p>`)),
      'short',
    );
    expect(whole.text).to.equal('Opening hours\n\nDaily, 9 to 5.');
    expect(whole.page).to.deep.equal({
      title: 'Opening hours',
      siteName: '',
      description: '',
      imageUrl: 'https://cdn.test/x/b.jpg',
    });

    const scripted =
      '<title>App</title><meta property="og:image" content="javascript:alert(1)"><div id="root"></div>';
    expect(await extractor.extract(page(scripted))).to.deep.include({
      outcome: 'none',
      expected: false,
      page: { title: 'App', siteName: '', description: '', imageUrl: '' },
    });
    const boundless = `<title>${'t'.repeat(9_000)}</title><meta name="description" content="${'d'.repeat(9_000)}"><meta name="og:image" content="/${'i'.repeat(9_000)}">`;
    const bounded = await extractor.extract(page(`${boundless}<p>text`));
    expect(textOf(bounded, 'boundless').page).to.deep.include({
      title: 't'.repeat(500),
      description: 'd'.repeat(1_000),
      imageUrl: '',
    });
    // Without an origin it is an ordinary file.
    const file = await extractor.extract(requestFor('a.html', 'document', Buffer.from(article)));
    expect(textOf(file, 'file').text).to.include('Imprint');
    expect(file).not.to.have.property('page');
  });

  it('A truncated, encrypted or hostile file ends as `failed` or `none` within the time limit. The next file is not affected', async function () {
    this.timeout(HOSTILE.length * (opened.timeLimitMs + 2_000));
    for (const { what, filename, outcomes, make } of HOSTILE) {
      const kind = filename.endsWith('.pdf') ? 'pdf' : 'document';
      const request = requestFor(filename, kind, make());
      const late = new Promise<string>((resolve) => {
        setTimeout(resolve, opened.timeLimitMs, 'late').unref();
      });
      const ended = await Promise.race([extractor.extract(request), late]);
      if (typeof ended === 'string' || ended.outcome === 'text')
        expect.fail(`${what}: ${JSON.stringify(ended).slice(0, 200)}`);
      if (opened.reads === 'documents') expect(outcomes, what).to.include(ended.outcome);
      expect(ended.reason, what).to.match(/^[A-Z][^/\\{}\n]{10,200}\.$/);
      await readsOn();
    }
  });

  it('A kind without text (archive, audio, video, other) is `none` and not expected. An image, a scan and an encrypted file are `none` and expected', async function () {
    this.timeout(SAMPLES_LIMIT_MS);
    const bytes = Buffer.from([1, 2, 3]);
    for (const kind of ['archive', 'audio', 'video', 'other'] as const)
      expect(await extractor.extract(requestFor('a.bin', kind, bytes)), kind).to.include({
        outcome: 'none',
        expected: false,
      });
    for (const request of [
      requestFor('a.png', 'image', bytes),
      requestFor('scan.pdf', 'pdf', scan()),
      requestFor('a.key', 'presentation', bytes),
      ...LOCKED.map((format) => {
        const name = `locked.${format}`;
        return requestFor(name, 'document', sample(`formats/${name}`));
      }),
    ])
      expect(await extractor.extract(request), request.filename).to.include({
        outcome: 'none',
        expected: true,
      });
  });

  it('An error of `open` is rethrown, and the next file is not affected', async () => {
    const away = new UnavailableError('storage', 'away');
    const failing: ExtractionRequest = {
      ...requestFor('a.txt', 'text', Buffer.alloc(300_000, 'a')),
      async *open() {
        yield Buffer.alloc(100_000, 'a');
        throw away;
      },
    };
    const error = await extractor.extract(failing).then(JSON.stringify, (e: unknown) => e);
    expect(error).to.equal(away);
    await readsOn();
  });

  it('Language detection of a plain string works while files are read, and gives the same result as for a file', async () => {
    let release = () => undefined as void;
    const reading = extractor.extract({
      ...requestFor('a.txt', 'text', Buffer.from('hello')),
      async *open() {
        await new Promise<void>((resolve) => (release = resolve));
        yield Buffer.from('hello');
      },
    });
    for (const { text, language } of LANGUAGES)
      expect(await extractor.languageOf(text), text.slice(0, 40)).to.equal(
        opened.reads === 'documents' ? language : '',
      );
    release();
    expect((await reading).outcome).to.equal('text');
    for (const { text, language } of LANGUAGES) {
      const file = await extractor.extract(requestFor('a.txt', 'text', Buffer.from(text)));
      if (opened.reads === 'documents') expect(file).to.include({ language });
    }
    await readsOn();
  });

  it('`close` ends every child process. Afterwards `extract` rejects with UnavailableError', async () => {
    const second = await open();
    const other = second.extractor;
    const request = requestFor('a.txt', 'text', Buffer.from('hello'));
    const before = await second.processes();
    await Promise.all([1, 2, 3].map(() => other.extract(request)));
    const slow = other.extract({
      ...request,
      async *open() {
        await new Promise((resolve) => setTimeout(resolve, 300));
        yield Buffer.from('hello');
      },
    });
    const cut = slow.then(
      ({ outcome }) => outcome,
      (error: unknown) => error,
    );
    await other.close();
    await other.close();
    const ended = await cut;
    if (ended !== 'text') expect(ended).to.be.instanceOf(UnavailableError);
    expect(await second.processes()).to.be.at.most(before);
    const error = await other.extract(request).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(UnavailableError);
    const asking = await other.languageOf('hello').catch((e: unknown) => e);
    expect(asking).to.be.instanceOf(UnavailableError);
  });
}
