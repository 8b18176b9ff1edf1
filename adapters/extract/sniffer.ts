import type { ContentSniffer, ContentType } from '../../ports/text-extraction.ts';
import { startsWith, detectTextEncoding, type TextEncodingInfo } from './encoding.ts';
import { binaryType, detectedType, formatOfName, PLAIN_TEXT, textualType } from './formats.ts';
import { looksLikeMail, markupOf } from './markup.ts';
import { zipType } from './zip-head.ts';

const OPAQUE: ContentType = { kind: 'other', mime: 'application/octet-stream', format: '' };

/** Source code that contains markup: it may begin with a document type without being a document. */
const TEMPLATES = new Set('php vue svelte jsx tsx ejs hbs erb jsp twig pug haml'.split(' '));

/** Detects the type of a file by its first 64 KiB, then by its name. */
export const contentSniffer: ContentSniffer = {
  identify: async (head, filename) => {
    const format = formatOfName(filename);
    if (head.length === 0) return textualType(format) ?? ofEmpty(format);
    const text = detectTextEncoding(head);
    if (text?.clean) return textType(head, text, format);
    const binary = await binaryFormat(head, format);
    return binary ?? (text ? textType(head, text, format) : named(format));
  },
};

const ofEmpty = (format: string): ContentType => {
  const type = binaryType(format);
  return type.kind === 'other' ? PLAIN_TEXT : type;
};

/** Unknown bytes: the name decides, unless it indicates text. */
const named = (format: string): ContentType => {
  const type = binaryType(format);
  return type.kind === 'other' || (textualType(format) && type.kind !== 'video') ? OPAQUE : type;
};

async function binaryFormat(head: Uint8Array, format: string): Promise<ContentType | undefined> {
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04)) return zipType(head, format);
  if (startsWith(head, 0x50, 0x4b, 0x05, 0x06)) return binaryType('zip');
  if (startsWith(head, 0x1f, 0x8b, 0x08)) return binaryType('gz');
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1))
    return cfbType(head, format);
  const detected = await detect(head, format);
  if (detected !== undefined) return detected;
  // ISO 32000-1 annex H: readers accept the header anywhere in the first 1024 bytes.
  return latin1(head.subarray(0, 1024)).includes('%PDF-') ? binaryType('pdf') : undefined;
}

/** One format for audio and images; only the name distinguishes them. */
const WINDOWS_MEDIA = new Set(['wma', 'wmv']);

async function detect(head: Uint8Array, format: string): Promise<ContentType | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    const found = await fileTypeFromBuffer(head);
    if (found?.ext === 'asf' && WINDOWS_MEDIA.has(format)) return binaryType(format);
    return found && detectedType(found.ext, found.mime);
  } catch {
    // A truncated or deliberately damaged header counts as unrecognised.
    return undefined;
  }
}

/** Streams that distinguish the old office formats; their names are UTF-16 ([MS-CFB] 2.6.1). */
const STREAMS: readonly (readonly [string, string])[] = [
  ['__properties_version1.0', 'msg'],
  ['WordDocument', 'doc'],
  ['PowerPoint Document', 'ppt'],
  ['Workbook', 'xls'],
];
const OLD_OFFICE = new Set(['doc', 'xls', 'ppt', 'msg']);
/** Encrypted documents of these formats are compound files as well. */
const NEW_OFFICE = new Set(['docx', 'docm', 'xlsx', 'xlsm', 'pptx', 'pptm']);
const ENCRYPTED = 'EncryptedPackage';

function cfbType(head: Uint8Array, format: string): ContentType {
  const bytes = latin1(head);
  const has = (name: string): boolean => bytes.includes([...name].join('\0'));
  if (has(ENCRYPTED) || NEW_OFFICE.has(format))
    return NEW_OFFICE.has(format) ? binaryType(format) : { ...OPAQUE, format: 'cfb' };
  if (OLD_OFFICE.has(format)) return binaryType(format);
  const found = STREAMS.find(([stream]) => has(stream))?.[1];
  return found === undefined ? { ...OPAQUE, format: 'cfb' } : binaryType(found);
}

function textType(head: Uint8Array, shape: TextEncodingInfo, format: string): ContentType {
  const text = decodeHead(head, shape);
  const start = text.trimStart();
  if (start.startsWith('%PDF-')) return binaryType('pdf');
  if (start.startsWith('{\\rtf')) return binaryType('rtf');
  if (start.startsWith('%!PS')) return { ...OPAQUE, format: 'ps' };
  const byName = textualType(format);
  const markup = TEMPLATES.has(format) ? undefined : markupOf(text);
  if (markup?.root === 'svg') return binaryType('svg');
  if (markup?.root === 'html') return textualType('html')!;
  if (markup?.xml && format !== 'html')
    return xmlFamily.has(format) ? byName! : textualType('xml')!;
  if (byName === undefined && markup && HTML_STARTS.has(markup.root)) return textualType('html')!;
  if (byName === undefined && looksLikeMail(text)) return textualType('eml')!;
  return byName ?? PLAIN_TEXT;
}

const xmlFamily = new Set(
  'xml xsl xslt xsd rss plist pom'.split(' ').filter((f) => textualType(f)),
);
/** First elements by which browsers recognise HTML (WHATWG MIME Sniffing §7.1). */
const HTML_STARTS = new Set('head body title script style div table p h1 iframe'.split(' '));

function decodeHead(head: Uint8Array, { encoding, mark }: TextEncodingInfo): string {
  const bytes = head.subarray(mark);
  if (encoding === 'utf-8') return new TextDecoder().decode(bytes);
  if (encoding === 'legacy') return latin1(bytes);
  const swapped = encoding === 'utf-16le' ? bytes : swapPairs(bytes);
  return new TextDecoder('utf-16le').decode(swapped);
}

/** Some builds of Node cannot decode UTF-16BE. */
const swapPairs = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(bytes, (_, i) => bytes[i ^ 1] ?? 0);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
