import { expect } from 'chai';
import { ChildProcessExtractor } from '../adapters/extract/extractor.ts';
import type { Extraction } from '../ports/text-extraction.ts';
import { BOASTFUL } from './samples/hostile/office.ts';
import { openDocumentBody, PACKAGES, sheetBody, sheetParts } from './samples/hostile/packages.ts';
import { zipOf } from './samples/hostile/zip.ts';
import { requestFor } from './suites/text-extractor.ts';

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

    it('read paragraphs, nested lists and comments of an OpenDocument text as displayed', async () => {
      const item = (inner: string) => `<text:list-item>${inner}</text:list-item>`;
      const body =
        '<text:h text:outline-level="1">Head</text:h><text:p>A<text:tab/>B<office:annotation><text:p>aside</text:p></office:annotation><text:line-break/>C</text:p>' +
        `<text:list>${item('<text:p>one</text:p>')}${item(`<text:p>two</text:p><text:list>${item('<text:p>deep</text:p>')}</text:list>`)}</text:list>` +
        '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>';
      const content = packaged('odt', openDocumentBody('text', body));
      expect(await textOf('a.odt', content)).to.equal('Head\n\nA B\nC\n\n- one\n- two\n\n- deep');
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
