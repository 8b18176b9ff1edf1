import { wordBody, wordParts, zipOf, type ZipEntry } from './zip.ts';

/** One of the formats that are zips of XML: how a file of it is put together around its main part. */
export interface PackageFormat {
  readonly format: string;
  readonly parts: (main: Uint8Array | string) => readonly ZipEntry[];
  /** Its main part, around a piece of XML where text would be. */
  readonly body: (inner: string) => string;
  /** Begins an element that may hold itself. */
  readonly nest: string;
}

const main = (name: string, content: Uint8Array | string): ZipEntry => ({ name, content });
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const ML = 'application/vnd.openxmlformats-officedocument';
const HEAD = '<?xml version="1.0"?>';

const relations = (name: string, kind: string, target: string): ZipEntry =>
  main(
    name,
    `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${REL}/${kind}" Target="${target}"/></Relationships>`,
  );
const types = (overrides: Readonly<Record<string, string>>): ZipEntry =>
  main(
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${Object.entries(
      overrides,
    )
      .map(([part, type]) => `<Override PartName="/${part}" ContentType="${ML}.${type}+xml"/>`)
      .join('')}</Types>`,
  );

export const sheetParts = (
  sheet: Uint8Array | string,
  strings = `${HEAD}<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>one</t></si></sst>`,
): readonly ZipEntry[] => [
  types({
    'xl/workbook.xml': 'spreadsheetml.sheet.main',
    'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
    'xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
  }),
  relations('_rels/.rels', 'officeDocument', 'xl/workbook.xml'),
  main(
    'xl/workbook.xml',
    `${HEAD}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${REL}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
  ),
  relations('xl/_rels/workbook.xml.rels', 'worksheet', 'worksheets/sheet1.xml'),
  main('xl/sharedStrings.xml', strings),
  main('xl/worksheets/sheet1.xml', sheet),
];

export const sheetBody = (inner: string): string =>
  `${HEAD}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${inner}</worksheet>`;

const slideParts = (slide: Uint8Array | string): readonly ZipEntry[] => [
  types({
    'ppt/presentation.xml': 'presentationml.presentation.main',
    'ppt/slides/slide1.xml': 'presentationml.slide',
  }),
  relations('_rels/.rels', 'officeDocument', 'ppt/presentation.xml'),
  main(
    'ppt/presentation.xml',
    `${HEAD}<p:presentation xmlns:p="p" xmlns:r="${REL}"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
  ),
  relations('ppt/_rels/presentation.xml.rels', 'slide', 'slides/slide1.xml'),
  main('ppt/slides/slide1.xml', slide),
];

const openDocument =
  (kind: string) =>
  (content: Uint8Array | string): readonly ZipEntry[] => [
    {
      name: 'mimetype',
      content: `application/vnd.oasis.opendocument.${kind}`,
      stored: true,
    },
    main('content.xml', content),
  ];

export const openDocumentBody = (kind: string, inner: string): string =>
  `${HEAD}<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="a" xmlns:draw="d"><office:body><office:${kind}>${inner}</office:${kind}></office:body></office:document-content>`;

const bookParts = (book: Uint8Array | string): readonly ZipEntry[] => [
  { name: 'mimetype', content: 'application/epub+zip', stored: true },
  main(
    'META-INF/container.xml',
    `${HEAD}<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`,
  ),
  main('book.opf', book),
  main('one.xhtml', '<html><body></body></html>'),
];

export const PACKAGES: readonly PackageFormat[] = [
  {
    format: 'docx',
    parts: wordParts,
    body: (inner) => wordBody(`<w:p><w:r><w:t>${inner}</w:t></w:r></w:p>`),
    nest: '<w:sdt><w:sdtContent>',
  },
  {
    format: 'xlsx',
    parts: sheetParts,
    body: (inner) =>
      sheetBody(
        `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${inner}</t></is></c></row></sheetData>`,
      ),
    nest: '<sheetData><row r="1"><c r="A1">',
  },
  {
    format: 'pptx',
    parts: slideParts,
    body: (inner) =>
      `${HEAD}<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${inner}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    nest: '<p:grpSp>',
  },
  {
    format: 'odt',
    parts: openDocument('text'),
    body: (inner) => openDocumentBody('text', `<text:p>${inner}</text:p>`),
    nest: '<text:list><text:list-item>',
  },
  {
    format: 'ods',
    parts: openDocument('spreadsheet'),
    body: (inner) =>
      openDocumentBody(
        'spreadsheet',
        `<table:table table:name="One"><table:table-row><table:table-cell><text:p>${inner}</text:p></table:table-cell></table:table-row></table:table>`,
      ),
    nest: '<table:table>',
  },
  {
    format: 'odp',
    parts: openDocument('presentation'),
    body: (inner) =>
      openDocumentBody(
        'presentation',
        `<draw:page><draw:frame><draw:text-box><text:p>${inner}</text:p></draw:text-box></draw:frame></draw:page>`,
      ),
    nest: '<draw:g>',
  },
  {
    format: 'epub',
    parts: bookParts,
    body: (inner) =>
      `${HEAD}<package xmlns:dc="dc"><metadata><dc:title>${inner}</dc:title></metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="one"/></spine></package>`,
    nest: '<metadata>',
  },
];

/** A file of the format, its main part changed. */
export function withMain(
  { parts, body }: PackageFormat,
  change: (entry: ZipEntry) => ZipEntry,
): Buffer {
  const marked = body('');
  return zipOf(parts(marked).map((entry) => (entry.content === marked ? change(entry) : entry)));
}
