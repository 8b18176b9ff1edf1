import type { ContentType, ObjectKind } from '../../ports/text-extraction.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';
const MACRO = 'macroEnabled.12';

/** By kind: format and media type. Other formats are served as opaque bytes. */
const KNOWN: Partial<Record<ObjectKind, Readonly<Record<string, string>>>> = {
  pdf: { pdf: 'application/pdf' },
  document: {
    docx: `${OOXML}.wordprocessingml.document`,
    docm: `application/vnd.ms-word.document.${MACRO}`,
    dotx: `${OOXML}.wordprocessingml.template`,
    doc: 'application/msword',
    odt: `${ODF}.text`,
    ott: `${ODF}.text-template`,
    odg: `${ODF}.graphics`,
    rtf: 'application/rtf',
    epub: 'application/epub+zip',
    mobi: 'application/x-mobipocket-ebook',
    html: 'text/html',
    mhtml: 'multipart/related',
    pages: 'application/vnd.apple.pages',
  },
  spreadsheet: {
    xlsx: `${OOXML}.spreadsheetml.sheet`,
    xlsm: `application/vnd.ms-excel.sheet.${MACRO}`,
    xltx: `${OOXML}.spreadsheetml.template`,
    xls: 'application/vnd.ms-excel',
    ods: `${ODF}.spreadsheet`,
    ots: `${ODF}.spreadsheet-template`,
    csv: 'text/csv',
    tsv: 'text/tab-separated-values',
    numbers: 'application/vnd.apple.numbers',
  },
  presentation: {
    pptx: `${OOXML}.presentationml.presentation`,
    pptm: `application/vnd.ms-powerpoint.presentation.${MACRO}`,
    ppsx: `${OOXML}.presentationml.slideshow`,
    potx: `${OOXML}.presentationml.template`,
    ppt: 'application/vnd.ms-powerpoint',
    odp: `${ODF}.presentation`,
    otp: `${ODF}.presentation-template`,
    key: 'application/vnd.apple.keynote',
  },
  text: {
    txt: 'text/plain',
    log: 'text/plain',
    md: 'text/markdown',
    json: 'application/json',
    xml: 'application/xml',
    ics: 'text/calendar',
    vcf: 'text/vcard',
  },
  image: {
    jpg: 'image/jpeg',
    png: 'image/png',
    apng: 'image/apng',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    heic: 'image/heic',
    tiff: 'image/tiff',
    bmp: 'image/bmp',
    ico: 'image/vnd.microsoft.icon',
    jp2: 'image/jp2',
    jxl: 'image/jxl',
    psd: 'image/vnd.adobe.photoshop',
    svg: 'image/svg+xml',
  },
  audio: {
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    m4b: 'audio/mp4',
    aac: 'audio/aac',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    flac: 'audio/flac',
    wav: 'audio/wav',
    aiff: 'audio/aiff',
    amr: 'audio/amr',
    mid: 'audio/midi',
    wma: 'audio/x-ms-wma',
  },
  video: {
    mp4: 'video/mp4',
    m4v: 'video/mp4',
    mov: 'video/quicktime',
    webm: 'video/webm',
    mkv: 'video/x-matroska',
    avi: 'video/x-msvideo',
    mpg: 'video/mpeg',
    mts: 'video/mp2t',
    ogv: 'video/ogg',
    '3gp': 'video/3gpp',
    '3g2': 'video/3gpp2',
    flv: 'video/x-flv',
    wmv: 'video/x-ms-wmv',
  },
  archive: {
    zip: 'application/zip',
    jar: 'application/zip',
    tar: 'application/x-tar',
    gz: 'application/gzip',
    bz2: 'application/x-bzip2',
    xz: 'application/x-xz',
    zst: 'application/zstd',
    '7z': 'application/x-7z-compressed',
    rar: 'application/vnd.rar',
    lz4: 'application/octet-stream',
    cab: 'application/octet-stream',
    iso: 'application/octet-stream',
  },
  email: {
    eml: 'message/rfc822',
    mbox: 'application/mbox',
    msg: 'application/vnd.ms-outlook',
  },
};

/** Formats of source code or settings: shown as plain text, never executed. */
const CODE =
  'adoc asm astro awk bash bat bib c cc cfg clj cljs cmake coffee conf cpp cs css cts cxx d dart diff ' +
  'dockerfile editorconfig ejs el elm env erb erl ex exs f90 fish fs gemspec geojson go gradle graphql groovy h ' +
  'haml hbs hcl hpp hrl hs htaccess inc ini ipynb java jl js json5 jsonc jsonl jsp jsx kt kts latex less ' +
  'lhs lisp lua m make mjs cjs mk ml mli mm mts ndjson nim nix org pas patch php pl plist pm po properties proto ' +
  'ps1 pug py pyi r rake rb rego rkt rs rss rst sass sbt scala scm scss sh sml sol sql srt styl sty svelte swift ' +
  'tcl tex tf toml ts tsx twig v vb vhdl vim vtt vue wat wgsl xsd xsl xslt yaml zig zsh';

const ALIASES = new Map(
  Object.entries({
    aif: 'aiff',
    heif: 'heic',
    htm: 'html',
    jfif: 'jpg',
    jpe: 'jpg',
    jpeg: 'jpg',
    markdown: 'md',
    matroska: 'mkv',
    mdown: 'md',
    mht: 'mhtml',
    mpeg: 'mpg',
    oga: 'ogg',
    text: 'txt',
    tgz: 'gz',
    tif: 'tiff',
    xhtml: 'html',
    yml: 'yaml',
  }),
);

const BY_FORMAT = new Map<string, ContentType>();
for (const [kind, formats] of Object.entries(KNOWN))
  for (const [format, mime] of Object.entries(formats))
    BY_FORMAT.set(format, { kind: kind as ObjectKind, mime, format });

/** Formats of plain characters, distinguished by the name only. */
const TEXTUAL = new Map<string, ContentType>();
for (const format of CODE.split(' '))
  TEXTUAL.set(format, { kind: 'text', mime: 'text/plain', format });
for (const format of 'txt log md json xml ics vcf csv tsv html eml mbox mhtml'.split(' '))
  TEXTUAL.set(format, BY_FORMAT.get(format)!);

/** The extension of a name, in lower case and canonical spelling; '' if there is none. */
export function formatOfName(filename: string): string {
  const extension = /[^./\\]\.([a-z0-9_+-]{1,16})$/i.exec(filename.trim())?.[1] ?? '';
  const lower = extension.toLowerCase();
  return ALIASES.get(lower) ?? lower;
}

/** A binary format. Unknown ones are `other`. */
export function binaryType(extension: string): ContentType {
  const format = ALIASES.get(extension) ?? extension;
  return BY_FORMAT.get(format) ?? { kind: 'other', mime: 'application/octet-stream', format };
}

/** Formats that contain other files or a recording, though their media type does not say so. */
const OTHERWISE = new Map<string, ObjectKind>();
for (const format of 'ace ar arj asar cpio crx deb dmg lz lzh rpm tar.gz z'.split(' '))
  OTHERWISE.set(format, 'archive');
for (const format of ['asf', 'mxf', 'ogx', 'rm']) OTHERWISE.set(format, 'video');

const RECORDED: ReadonlySet<string> = new Set<ObjectKind>(['audio', 'video', 'image']);

/** The type of a format detected by its bytes. An unlisted one is classified by the top-level media type. */
export function detectedType(extension: string, mediaType: string): ContentType {
  const known = binaryType(extension.toLowerCase());
  if (known.kind !== 'other') return known;
  const top = mediaType.slice(0, mediaType.indexOf('/'));
  const kind = RECORDED.has(top) ? (top as ObjectKind) : OTHERWISE.get(known.format);
  return { ...known, kind: kind ?? 'other' };
}

/** A text format; undefined if the name has no known extension. */
export const textualType = (format: string): ContentType | undefined => TEXTUAL.get(format);

export const PLAIN_TEXT: ContentType = TEXTUAL.get('txt')!;
