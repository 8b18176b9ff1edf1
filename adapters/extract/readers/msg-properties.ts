import iconv from 'iconv-lite';
import type { Compound } from './compound-file.ts';
import { encodingOf } from './rtf-fonts.ts';

/** Ids of properties ([MS-OXPROPS]). */
export const PROPERTY = {
  subject: 0x0037,
  submitTime: 0x0039,
  representingName: 0x0042,
  representingAddress: 0x0065,
  headers: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  attachmentSize: 0x0e20,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  address: 0x3003,
  attachment: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
  mimeType: 0x370e,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  messageCodePage: 0x3ffd,
  senderSmtpAddress: 0x5d01,
  representingSmtpAddress: 0x5d02,
} as const;

/** Types of properties ([MS-OXCDATA] 2.11.1). */
const INTEGER = 0x0003;
const OBJECT = 0x000d;
const NARROW = 0x001e;
const WIDE = 0x001f;
const TIME = 0x0040;
const BINARY = 0x0102;

/** Size of the header of the property stream ([MS-OXMSG] 2.4.1), by kind of storage. */
export const HEADER_BYTES = { message: 32, embedded: 24, part: 8 } as const;
const ENTRY_BYTES = 16;
const MAX_PROPERTIES = 10_000;
const STREAM = '__properties_version1.0';

/** The properties of a message, a recipient or an attachment ([MS-OXMSG] 2.1, 2.4). */
export class MsgProperties {
  readonly folder: string;
  readonly #file: Compound;
  readonly #fixed = new Map<number, Buffer>();
  readonly #codePage: number;

  /** `codePage` is that of the message, of which this is a part. */
  constructor(file: Compound, folder: string, header: number, codePage = 0) {
    this.#file = file;
    this.folder = folder;
    const stream = file.read(this.#path(STREAM));
    const end = Math.min(stream.length, header + MAX_PROPERTIES * ENTRY_BYTES);
    for (let at = header; at + ENTRY_BYTES <= end; at += ENTRY_BYTES)
      this.#fixed.set(stream.readUInt32LE(at), stream.subarray(at + 8, at + ENTRY_BYTES));
    this.#codePage = this.integer(PROPERTY.messageCodePage) || codePage;
  }

  get codePage(): number {
    return this.#codePage;
  }

  integer(id: number): number {
    return this.#fixed.get(tagOf(id, INTEGER))?.readUInt32LE(0) ?? 0;
  }

  /** As in a header of a mail message, in UTC; '' if there is none. */
  time(id: number): string {
    const value = this.#fixed.get(tagOf(id, TIME))?.readBigUInt64LE(0) ?? 0n;
    // In units of 100 ns since 1601.
    const date = new Date(Number(value / 10_000n) - 11_644_473_600_000);
    return value === 0n || Number.isNaN(date.getTime())
      ? ''
      : date.toUTCString().replace(/GMT$/, '+0000');
  }

  text(id: number): string {
    const wide = this.#value(id, WIDE);
    if (wide) return wide.toString('utf16le').replace(/\0+$/, '');
    const narrow = this.#value(id, NARROW);
    return narrow ? decode(narrow, this.#codePage).replace(/\0+$/, '') : '';
  }

  bytes(id: number): Buffer | undefined {
    return this.#value(id, BINARY);
  }

  /** The storage of an embedded message; undefined if there is none. */
  object(id: number): string | undefined {
    const path = this.#path(nameOf(id, OBJECT));
    return this.#file.has(`${path}/${STREAM}`) ? path : undefined;
  }

  /** Storages whose names begin with a prefix. */
  parts(prefix: string): readonly string[] {
    const start = this.#path(prefix);
    return this.#file.storages(this.folder).filter((path) => path.startsWith(start));
  }

  #value(id: number, type: number): Buffer | undefined {
    const path = this.#path(nameOf(id, type));
    return this.#file.has(path) ? this.#file.read(path) : undefined;
  }

  #path(name: string): string {
    return this.folder === '' ? name : `${this.folder}/${name}`;
  }
}

const tagOf = (id: number, type: number): number => id * 0x10000 + type;

const nameOf = (id: number, type: number): string =>
  `__substg1.0_${tagOf(id, type).toString(16).toUpperCase().padStart(8, '0')}`;

/** Western if the message does not declare a known code page. */
export function decode(bytes: Buffer, codePage: number): string {
  const encoding = encodingOf(codePage);
  return iconv.decode(bytes, iconv.encodingExists(encoding) ? encoding : 'cp1252');
}
