import { expect } from 'chai';
import { ChildProcessExtractor } from '../adapters/extract/extractor.ts';
import { contentSniffer } from '../adapters/extract/sniffer.ts';
import type { Extraction } from '../ports/text-extraction.ts';
import { BOASTFUL } from './samples/hostile/office.ts';
import { openDocumentBody, PACKAGES, sheetBody, sheetParts } from './samples/hostile/packages.ts';
import { compoundOf } from './samples/hostile/compound.ts';
import {
  compressedRtf,
  matryoshka,
  messageOf,
  type Message,
  type Properties,
} from './samples/hostile/messages.ts';
import {
  deckOf,
  notesPage,
  outlineText,
  shape,
  slide,
  text,
} from './samples/hostile/presentations.ts';
import { pdfOf, streamOf } from './samples/hostile/pdf.ts';
import { wordBody, wordParts, zipOf } from './samples/hostile/zip.ts';
import { requestFor, sample } from './suites/text-extractor.ts';

const all = (...parts: Uint8Array[]): Buffer => Buffer.concat(parts);

describe('readers of single formats', function () {
  this.timeout(30_000);
  const extractor = new ChildProcessExtractor({ timeLimitMs: 10_000 });
  after(() => extractor.close());

  const read = (name: string, content: Uint8Array | string): Promise<Extraction> =>
    extractor.extract(requestFor(name, 'document', Buffer.from(content as string)));
  const textOf = async (name: string, content: Uint8Array | string): Promise<string> => {
    const extraction = await read(name, content);
    return extraction.outcome === 'text' ? extraction.text : extraction.reason;
  };
  /** As it is written in a file: one byte a character. */
  const rtf = (content: string) => textOf('a.rtf', Buffer.from(content, 'latin1'));
  const packaged = (format: string, content: string) =>
    zipOf(PACKAGES.find((known) => known.format === format)!.parts(content));

  it('ignore declared sizes and read only existing content', async () => {
    for (const { filename, what, says, make } of BOASTFUL)
      expect(await textOf(filename, make()), what).to.include(says);
  });

  it('fail or ask for attention when a file is cut anywhere, and do not lose text silently', async function () {
    this.timeout(120_000);
    for (const name of ['well.ppt', 'letter-ru.msg']) {
      const bytes = sample(`formats/${name}`);
      const whole = await textOf(name, bytes);
      for (let part = 0; part < 100; part++) {
        const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 100));
        const extraction = await read(name, cut);
        if (extraction.outcome === 'text')
          expect(extraction.text, `${name} ${part}`).to.equal(whole);
      }
    }
  });

  describe('annotations of a PDF', () => {
    const widget = (entries: string) =>
      `<< /Type /Annot /Subtype /Widget /Rect [9 9 99 20] /P 3 0 R ${entries} >>`;
    const note = (entries: string) => `<< /Type /Annot /Rect [9 9 20 20] ${entries} >>`;
    /** Two pages; the annotations are on the first one. */
    const annotated = (
      annotations: readonly string[],
      content = 'BT /F 9 Tf 9 99 Td (the lamp and) Tj ET',
    ) => {
      const numbers = annotations.map((_, i) => `${i + 8} 0 R`).join(' ');
      const page = (n: number, more: string) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${n} 0 R /Resources << /Font << /F 4 0 R >> >> ${more} >>`;
      return pdfOf([
        `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${numbers}] >> >>`,
        '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>',
        page(5, `/Annots [${numbers}]`),
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        streamOf('', content),
        page(7, ''),
        streamOf('', 'BT /F 9 Tf 9 99 Td (its keeper) Tj ET'),
        ...annotations,
      ]);
    };

    it('are read on their page: filled form fields with their labels, then comments', async () => {
      const bytes = annotated([
        widget('/FT /Tx /T (name) /TU (Full name) /V (Ada Lovelace)'),
        widget('/FT /Tx /T (address) /Ff 4096 /V (1 Quay\\rPort Ellis)'),
        widget('/FT /Tx /T (empty)'),
        widget('/FT /Tx /T (secret) /Ff 8192 /V (1234)'),
        widget('/FT /Tx /T (unseen) /F 2 /V (unseen)'),
        widget('/FT /Ch /T (boat) /Ff 131072 /Opt [[(f) (Ferry)] [(b) (Barge)]] /V (b)'),
        widget(
          '/FT /Btn /T (agree) /TU (I agree) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>',
        ),
        widget('/FT /Btn /T (refuse) /V /Off /AS /Off /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>'),
        note('/Subtype /Text /T (Ruth) /Contents (Is this\\rright?)'),
        note('/Subtype /Highlight /QuadPoints [9 20 20 20 9 9 20 9] /Contents (Yes.)'),
        note('/Subtype /Highlight /QuadPoints [9 20 20 20 9 9 20 9]'),
        note('/Subtype /Link /Contents (a link)'),
      ]);
      const first =
        'the lamp and\n\nForm fields:\n- Full name: Ada Lovelace\n- address: 1 Quay Port Ellis\n- boat: Barge\n- I agree: yes\n\n' +
        'Comments:\n- Ruth: Is this right?\n- Yes.\n\n';
      const extraction = await read('a.pdf', bytes);
      expect(extraction).to.include({ outcome: 'text', text: `${first}its keeper` });
      expect(extraction).to.have.deep.nested.property('pages[0]', {
        page: 1,
        charStart: 0,
        charEnd: first.length,
      });
    });

    it('do not separate a sentence that continues on the next page if there are none', async () => {
      expect(await textOf('a.pdf', annotated([]))).to.equal('the lamp and its keeper');
    });

    it('leave a page without a text layer to OCR', async () => {
      const comment = note('/Subtype /Text /Contents (Sign here.)');
      const extraction = await read('a.pdf', annotated([comment], '9 9 99 99 re f'));
      expect(extraction).to.include({ outcome: 'text', text: 'its keeper', scanned: true });
    });

    it('do not prevent reading if they are damaged or very many', async () => {
      const endless = note(
        '/Subtype /Text /Contents (again) /IRT 8 0 R /Parent 8 0 R /Popup 8 0 R',
      );
      expect(await textOf('a.pdf', annotated([endless, '(no annotation)', 'null']))).to.match(
        /^the lamp and/,
      );
      const many = annotated(Array<string>(30_000).fill(note('/Subtype /Text /Contents (ha)')));
      expect(await textOf('a.pdf', many)).to.match(/its keeper$/);
    });
  });

  describe('comments, text boxes and charts of Office', () => {
    const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const rels = (name: string, ...targets: readonly (readonly [string, string])[]) => ({
      name,
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
        .map(
          ([type, target], i) =>
            `<Relationship Id="r${i + 1}" Type="${REL}/${type}" Target="${target}"/>`,
        )
        .join('')}</Relationships>`,
    });
    const chart =
      '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:p><a:r><a:t>Rainfall</a:t></a:r></a:p></c:title>' +
      '<c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache><c:numCache><c:pt><c:v>7</c:v></c:pt></c:numCache></c:chart></c:chartSpace>';

    it('are read in a docx: text boxes once at their place, then charts and comments', async () => {
      const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
      const box = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${paragraph('Boxed')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph('Boxed')}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
      const body = wordBody(
        `${paragraph('Before')}${box}<w:p><w:r><w:t>After</w:t><w:commentReference w:id="0"/></w:r></w:p>`,
      ).replace(
        '<w:document ',
        '<w:document xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wps="wps" ',
      );
      const comments = `<w:comments xmlns:w="w"><w:comment w:id="0" w:author="Ruth" w:initials="R">${paragraph('Is this')}${paragraph('right &amp; good?')}</w:comment><w:comment w:id="1">${paragraph('Yes.')}</w:comment><w:comment w:id="2" w:author="Empty"/></w:comments>`;
      const bytes = zipOf([
        ...wordParts(body),
        rels(
          'word/_rels/document.xml.rels',
          ['comments', 'comments.xml'],
          ['chart', 'charts/chart1.xml'],
        ),
        { name: 'word/charts/chart1.xml', content: chart },
        { name: 'word/comments.xml', content: comments },
      ]);
      expect(await textOf('a.docx', bytes)).to.equal(
        'Before\n\nBoxed\n\nAfter\n\nRainfall\nMay\nJune\n\nComments:\n- Ruth: Is this right & good?\n- Yes.',
      );
    });

    it('are read in a workbook on the page of their sheet', async () => {
      const sheet = sheetBody(
        '<sheetData><row r="1"><c r="A1" t="str"><v>sum</v></c></row></sheetData><drawing xmlns:r="r" r:id="r1"/><legacyDrawing xmlns:r="r" r:id="r3"/>',
      );
      const comments =
        '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>Ruth</author></authors><commentList>' +
        '<comment ref="A1" authorId="0"><text><r><t>Ruth:</t></r><r><t xml:space="preserve"> Too low?</t></r></text></comment>' +
        '<comment ref="C7" authorId="0"><text><t>On an empty cell.</t></text></comment></commentList></comments>';
      const anchor = (inner: string) => `<xdr:twoCellAnchor>${inner}</xdr:twoCellAnchor>`;
      const box = (text: string) =>
        `<xdr:sp><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;
      const drawing = `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:mc="m" xmlns:c="c" xmlns:r="r">${anchor(box('Boxed'))}${anchor(
        '<xdr:graphicFrame><c:chart r:id="r1"/></xdr:graphicFrame>',
      )}${anchor(`<mc:AlternateContent><mc:Choice>${box('Slicer')}</mc:Choice><mc:Fallback>${box('Too old')}</mc:Fallback></mc:AlternateContent>`)}</xdr:wsDr>`;
      const bytes = zipOf([
        ...sheetParts(sheet),
        rels(
          'xl/worksheets/_rels/sheet1.xml.rels',
          ['drawing', '../drawings/drawing1.xml'],
          ['comments', '../comments1.xml'],
        ),
        rels('xl/drawings/_rels/drawing1.xml.rels', ['chart', '../charts/chart1.xml']),
        { name: 'xl/comments1.xml', content: comments },
        { name: 'xl/drawings/drawing1.xml', content: drawing },
        { name: 'xl/charts/chart1.xml', content: chart },
      ]);
      expect(await textOf('a.xlsx', bytes)).to.equal(
        'One\n\nsum\n\nBoxed\n\nRainfall\nMay\nJune\n\nSlicer\n\nComments:\n- A1, Ruth: Too low?\n- C7, Ruth: On an empty cell.',
      );
    });

    it('are rejected in a docx or a workbook if they are nested too deeply', async () => {
      const deep = '<x>'.repeat(100_000);
      const word = zipOf([
        ...wordParts(wordBody('')),
        { name: 'word/comments.xml', content: deep },
      ]);
      const book = zipOf([
        ...sheetParts(sheetBody('')),
        rels('xl/worksheets/_rels/sheet1.xml.rels', ['drawing', '../drawings/drawing1.xml']),
        { name: 'xl/drawings/drawing1.xml', content: deep },
      ]);
      for (const [name, bytes] of [
        ['a.docx', word],
        ['a.xlsx', book],
      ] as const)
        expect((await read(name, bytes)).outcome, name).to.equal('failed');
    });
  });

  describe('Outlook messages', () => {
    const letter: Message = {
      properties: {
        0x37: 'Смета',
        0x39: new Date('2025-04-12T15:20:00Z'),
        0x42: 'Елена Круглова',
        0x5d02: 'elena@garden.example',
        0x0e03: 'Jörg',
        0x1000: 'Оплатить до первого июля.\r\n\r\nЕлена',
      },
      recipients: [
        { 0x0c15: 1, 0x3001: 'Андрей', 0x39fe: 'andrey@garden.example' },
        { 0x0c15: 1, 0x3001: 'board@garden.example', 0x3003: 'board@garden.example' },
        { 0x0c15: 3, 0x3001: 'hidden@garden.example' },
        { 0x0c15: 1, 0x3001: 'Wang', 0x3003: '/O=GARDEN/CN=WANG' },
      ],
      attachments: [
        {
          0x3704: 'SMETA~1.ODS',
          0x3707: 'Смета.ods',
          0x370e: 'application/ods',
          0x3701: Buffer.alloc(5_000),
        },
        { message: { properties: { 0x37: 'Inner', 0x1000: 'Below the surface.' } } },
      ],
    };
    const body = (properties: Properties) => textOf('a.msg', messageOf({ properties }));

    it('give their header, body and attachments, then forwarded messages', async () => {
      const extraction = await read('a.msg', messageOf(letter));
      expect(extraction).to.include({ outcome: 'text', title: 'Смета', language: 'ru' });
      expect(extraction).to.have.property(
        'text',
        'From: Елена Круглова <elena@garden.example>\n' +
          'To: Андрей <andrey@garden.example>, board@garden.example, Wang\nCc: Jörg\n' +
          'Date: Sat, 12 Apr 2025 15:20:00 +0000\nSubject: Смета\n\n' +
          'Оплатить до первого июля.\n\nЕлена\n\n' +
          'Attachments:\n- Смета.ods (application/ods, 5000 bytes)\n- Inner (application/vnd.ms-outlook)\n\n' +
          'Subject: Inner\n\nBelow the surface.',
      );
    });

    it('have the date of the sender, and text in the code page of the message', async () => {
      const narrow = (hex: string) => ({ narrow: Buffer.from(hex, 'hex') });
      const properties = {
        0x37: narrow('cff0e8e2e5f2'),
        0x7d: 'Received: x\r\nDate: Sat, 12 Apr 2025 18:20:00 +0300\r\n',
        0x1000: narrow('c4e0'),
        0x3ffd: 1251,
      };
      expect(await body(properties)).to.equal(
        'Date: Sat, 12 Apr 2025 18:20:00 +0300\nSubject: Привет\n\nДа',
      );
    });

    it('are read from HTML or RTF if there is no plain body', async () => {
      const page = Buffer.from(
        '<p>caf\u00e9</p><table><tr><td>a</td><td>b</td></tr></table>',
        'latin1',
      );
      expect(await body({ 0x1013: page, 0x3fde: 1252 })).to.equal('café\n\na\tb');
      // The reference repeats `{\\rtf1\\ansi` of the initial dictionary.
      expect(await body({ 0x1009: compressedRtf([[0, 11], ' ha ha\\par Two}']) })).to.equal(
        'ha ha\n\nTwo',
      );
      const inside =
        '{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 One{\\*\\htmltag84 &nbsp;}\\htmlrtf \\~\\htmlrtf0 two\\htmlrtf\\par}\\htmlrtf0}';
      expect(await body({ 0x1009: compressedRtf([inside]) })).to.equal('One\u00a0two');
    });

    it('are recognised by their bytes, and read to five forwarded messages', async () => {
      const type = await contentSniffer.identify(messageOf(letter).subarray(0, 65_536), 'letter');
      expect(type).to.include({ kind: 'email', format: 'msg' });
      const text = await textOf('a.msg', matryoshka());
      expect(text).to.include('Subject: level 55').and.not.include('Subject: level 54');
    });
  });

  describe('rtf', () => {
    it('decodes bytes by the code page of the file and by the character set of the font', async () => {
      expect(await rtf("{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2}")).to.equal(
        'Привет',
      );
      const fonts =
        '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset134 SimSun;}{\\f3\\fcharset2 Symbol;}}';
      const mixed = `{\\rtf1\\ansi\\ansicpg1252\\deff0${fonts}\\f0 caf\\'e9 \\f1\\'cf\\'f0\\'e8 {\\f2\\'c4\\'e3\\'ba\\'c3} {\\f3\\'b7}\\plain  \\'fcber}`;
      expect(await rtf(mixed)).to.equal('café При 你好 • über');
    });

    it('uses the code page of the file if every font is declared as Western', async () => {
      const fonts = '{\\fonttbl{\\f0\\fcharset0 Arial;}}';
      expect(await rtf(`{\\rtf1\\ansicpg1251\\deff0${fonts}\\f0 \\'ec\\'e8\\'f0}`)).to.equal('мир');
    });

    it('prefers Unicode, and skips the announced number of fallback characters', async () => {
      expect(
        await rtf(
          "{\\rtf1\\uc1 \\u1055\\'3f\\u1088?\\uc2\\u1080\\'3f\\'3f!\\uc0\\u-10179\\u-8704  end}",
        ),
      ).to.equal('При!😀 end');
      expect(await rtf('{\\rtf1{\\upr{skipped}{\\*\\ud kept\\u1049 }} on}')).to.equal('keptЙ on');
    });

    it('excludes hidden text', async () => {
      const hidden =
        '{\\rtf1{\\info{\\title Plan \\u1046?}{\\author Ada}}{\\stylesheet{\\s1 Heading;}}{\\*\\generator X;}{\\v secret}' +
        '{\\pict\\pngblip\\bin4 }}{{}{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt shown}}{\\deleted gone} here}';
      expect(await read('a.rtf', hidden)).to.include({ text: 'shown here', title: 'Plan Ж' });
    });

    it('separates rows, items and notes', async () => {
      const content =
        '{\\rtf1 First.{\\footnote Below.}\\par{\\listtext\\bullet\\tab}one\\par{\\listtext\\bullet\\tab}two\\par' +
        '\\trowd\\intbl a\\cell b\\par c\\cell\\row\\trowd\\intbl d\\cell e\\cell\\row\\pard Last.\\par{\\header Top}}';
      expect(await rtf(content)).to.equal(
        'First.\n\n- one\n- two\n\na\tb c\nd\te\n\nLast.\n\nBelow.\n\nTop',
      );
    });
  });

  describe('spreadsheets', () => {
    const cells = (inner: string) => zipOf(sheetParts(sheetBody(inner)));

    it('read cached values, errors and booleans, and a merged cell once', async () => {
      const sheet =
        '<sheetData><row r="1"><c r="A1" t="str"><v>wide</v></c><c r="B1" t="str"><v>under</v></c></row>' +
        '<row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="e"><v>#DIV/0!</v></c></row></sheetData>' +
        '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>';
      expect(await textOf('a.xlsx', cells(sheet))).to.equal('One\n\nwide\n2\t\tTRUE\t#DIV/0!');
    });

    it('keep a row on one line with any cell contents', async () => {
      const sheet =
        '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>two&#10;lines</t></is></c><c r="XFD1" t="str"><v>far</v></c></row></sheetData>';
      expect(await textOf('a.xlsx', cells(sheet))).to.match(/^One\n\ntwo lines\t+far$/);
    });

    it('read the displayed text of an OpenDocument cell, else its value, and no comments', async () => {
      const table =
        '<table:table table:name="One"><table:table-row><table:table-cell office:value="3"/>' +
        '<table:table-cell office:value="0.5"><office:annotation><text:p>aside</text:p></office:annotation><text:p>50<text:s text:c="2"/>%</text:p></table:table-cell>' +
        '<table:covered-table-cell><text:p>under</text:p></table:covered-table-cell><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row></table:table>';
      const content = packaged('ods', openDocumentBody('spreadsheet', table));
      expect(await textOf('a.ods', content)).to.equal('One\n\n3\t50 %\t\tx\tx');
    });
  });

  describe('presentations and texts', () => {
    it('put the title of a slide first, and exclude repeated placeholders', async () => {
      const shape = (type: string, text: string) =>
        `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
      const slide = `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape('ftr', 'Footer')}<p:grpSp>${shape('body', 'Body')}</p:grpSp>${shape('title', 'Title')}${shape('sldNum', '7')}</p:spTree></p:cSld></p:sld>`;
      expect(await textOf('a.pptx', packaged('pptx', slide))).to.equal('Title\n\nBody');
    });

    it('read the texts of an old presentation from its shapes and its outline', async () => {
      const placed = all(
        shape(outlineText(1), 0x0e),
        shape(
          text(4, 'Today is *, page *', [
            [0x0ff7, 9],
            [0x0fd8, 17],
          ]),
        ),
        shape(text(4, '7'), 0x08),
        shape(outlineText(0), 0x0d),
      );
      const outline = all(text(0, 'Title'), text(1, 'one\rtwo\vhalf'), text(1, 'without a shape'));
      const notes = notesPage(all(shape(text(2, 'Speak slowly.')), shape(text(4, '3'), 0x08)));
      const slides = [{ object: slide(placed, 1), outline }, { object: slide(Buffer.alloc(0)) }];
      const extraction = await read('a.ppt', deckOf({ slides, notes }));
      const first =
        'Title\n\none\ntwo\nhalf\n\nToday is , page\n\nwithout a shape\n\nSpeak slowly.';
      expect(extraction).to.include({ outcome: 'text', title: 'Title', text: `${first}\n\n` });
      expect(extraction).to.have.deep.property('pages', [
        { page: 1, charStart: 0, charEnd: first.length + 2 },
        { page: 2, charStart: first.length + 2, charEnd: first.length + 2 },
      ]);
    });

    it('truncate the text of a slide that a list names 19 000 times', async () => {
      const often = {
        slides: [{ object: slide(shape(text(4, 'ha '.repeat(30_000)))) }],
        times: 19_000,
      };
      const extraction = await read('a.ppt', deckOf(often));
      expect(extraction.outcome).to.equal('text');
      if (extraction.outcome === 'text')
        expect([...extraction.text].length).to.be.at.most(5_000_000);
    });

    it('say why an old presentation is not read', async () => {
      for (const [bytes, reason] of [
        [deckOf({ slides: [], token: 0xf3d1c4df }), 'The file is protected by a password.'],
        [
          compoundOf({ PP40: Buffer.alloc(9) }),
          'Text cannot be read from presentations older than PowerPoint 97.',
        ],
      ] as const)
        expect(await read('a.ppt', bytes)).to.deep.equal({
          outcome: 'none',
          expected: true,
          reason,
        });
    });

    it('read paragraphs, nested lists and comments of an OpenDocument text as displayed', async () => {
      const item = (inner: string) => `<text:list-item>${inner}</text:list-item>`;
      const body =
        '<text:h text:outline-level="1">Head</text:h><text:p>A<text:tab/>B<office:annotation><text:p>aside</text:p></office:annotation><text:line-break/>C</text:p>' +
        `<text:list>${item('<text:p>one</text:p>')}${item(`<text:p>two</text:p><text:list>${item('<text:p>deep</text:p>')}</text:list>`)}</text:list>` +
        '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>';
      const content = packaged('odt', openDocumentBody('text', body));
      expect(await textOf('a.odt', content)).to.equal('Head\n\nA B\nC\n\n- one\n- two\n\n- deep');
    });

    it('read a book whose `mimetype` is its last entry', async () => {
      const parts = PACKAGES.find(({ format }) => format === 'epub')!.parts(
        '<package><manifest><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
      );
      const chapter = { name: 'one.xhtml', content: '<html><body><p>Ashore.</p></body></html>' };
      const [mimetype, container, book] = parts;
      const bytes = zipOf([container!, book!, chapter, mimetype!]);
      const type = await contentSniffer.identify(bytes, 'book.zip');
      const request = { ...requestFor('book.zip', 'document', bytes), type };
      expect(await extractor.extract(request)).to.include({ outcome: 'text', text: 'Ashore.' });
    });

    it('distinguishes a book with copy protection from one with encrypted fonts', async () => {
      const book = (locked: string) =>
        zipOf([
          { name: 'META-INF/container.xml', content: '<c><rootfile full-path="b/book.opf"/></c>' },
          {
            name: 'b/book.opf',
            content:
              '<package><manifest><item id="a" href="one%20.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
          },
          {
            name: 'b/one .xhtml',
            content: '<html><head><title/></head><body><p>Told.</p></body></html>',
          },
          {
            name: 'META-INF/encryption.xml',
            content: `<e xmlns:enc="x"><enc:CipherReference URI="${locked}"/></e>`,
          },
        ]);
      expect(await textOf('a.epub', book('b/font.ttf'))).to.equal('Told.');
      expect(await read('a.epub', book('b/one%20.xhtml'))).to.include({
        outcome: 'none',
        expected: true,
        reason: 'The book is protected against copying.',
      });
    });
  });
});
