import { compoundOf, type CompoundTree } from './compound.ts';
import type { HostileFile } from './file.ts';

type Value = string | number | Date | Uint8Array | { readonly narrow: Uint8Array };
/** Properties of a message, a recipient or an attachment, by id. */
export type Properties = Readonly<Record<number, Value>>;

export interface Message {
  readonly properties: Properties;
  readonly recipients?: readonly Properties[];
  readonly attachments?: readonly (Properties | { readonly message: Message })[];
}

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(8, '0');

/** The property stream, and a stream for each value of variable length ([MS-OXMSG] 2.1.3, 2.4). */
function storageOf(properties: Properties, header: number): CompoundTree {
  const streams: Record<string, Uint8Array> = {};
  const entries: Buffer[] = [Buffer.alloc(header)];
  for (const [id, value] of Object.entries(properties)) {
    const entry = Buffer.alloc(16);
    const add = (type: number, bytes?: Uint8Array): void => {
      const tag = Number(id) * 0x10000 + type;
      entry.writeUInt32LE(tag, 0);
      if (bytes === undefined) return;
      entry.writeUInt32LE(bytes.length, 8);
      streams[`__substg1.0_${hex(tag)}`] = bytes;
    };
    if (typeof value === 'number') {
      add(0x0003);
      entry.writeUInt32LE(value, 8);
    } else if (value instanceof Date) {
      add(0x0040);
      entry.writeBigUInt64LE(BigInt(value.getTime() + 11_644_473_600_000) * 10_000n, 8);
    } else if (typeof value === 'string') add(0x001f, Buffer.from(value, 'utf16le'));
    else if (value instanceof Uint8Array) add(0x0102, value);
    else add(0x001e, value.narrow);
    entries.push(entry);
  }
  return { ...streams, '__properties_version1.0': Buffer.concat(entries) };
}

function treeOf(
  { properties, recipients = [], attachments = [] }: Message,
  header = 32,
): CompoundTree {
  const parts: Record<string, CompoundTree> = {};
  for (const [i, recipient] of recipients.entries())
    parts[`__recip_version1.0_#${hex(i)}`] = storageOf(recipient, 8);
  for (const [i, attachment] of attachments.entries())
    parts[`__attach_version1.0_#${hex(i)}`] =
      'message' in attachment
        ? {
            ...storageOf({ 0x3001: attachment.message.properties[0x37] ?? '', 0x3705: 5 }, 8),
            '__substg1.0_3701000D': treeOf(attachment.message, 24),
          }
        : storageOf(attachment, 8);
  return { ...storageOf(properties, header), '__nameid_version1.0': {}, ...parts };
}

/** A message as Outlook saves it. */
export const messageOf = (message: Message): Buffer => compoundOf(treeOf(message));

/** RTF as a compressed body ([MS-OXRTFCP]); `tokens` are literals and references (position, length). */
export function compressedRtf(
  tokens: readonly (string | readonly [number, number])[],
  length = 0,
): Buffer {
  const parts: Buffer[] = [];
  const units = tokens.flatMap<string | readonly [number, number]>((token) =>
    typeof token === 'string' ? [...token] : [token],
  );
  for (let at = 0; at < units.length; at += 8) {
    let control = 0;
    const bytes: number[] = [];
    for (const [bit, unit] of units.slice(at, at + 8).entries())
      if (typeof unit === 'string') bytes.push(unit.charCodeAt(0));
      else {
        control |= 1 << bit;
        const reference = (unit[0] << 4) | (unit[1] - 2);
        bytes.push(reference >> 8, reference & 0xff);
      }
    parts.push(Buffer.from([control, ...bytes]));
  }
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(16);
  for (const [i, value] of [length || body.length + 12, 1000, 0x75465a4c, 0].entries())
    header.writeUInt32LE(value, i * 4);
  return Buffer.concat([header, body]);
}

const forwarded = (depth: number): Message => ({
  properties: { 0x37: `level ${depth}` },
  ...(depth > 0 && { attachments: [{ message: forwarded(depth - 1) }] }),
});

/** Messages inside each other: the sixth and deeper ones are not read. */
export const matryoshka = (): Buffer => messageOf(forwarded(60));

export const HOSTILE_MESSAGES: readonly HostileFile[] = [
  {
    what: 'a message whose body claims 4 GB of compressed RTF',
    filename: 'liar.msg',
    outcomes: ['failed'],
    make: () => messageOf({ properties: { 0x1009: compressedRtf(['{\\rtf1 a}'], 0xffff_fff0) } }),
  },
  {
    what: 'a message whose RTF is nested 200 000 deep',
    filename: 'shaft.msg',
    outcomes: ['failed'],
    make: () => {
      const rtf = Buffer.from(`{\\rtf1 ${'{\\b '.repeat(200_000)}`);
      const header = Buffer.alloc(16);
      header.writeUInt32LE(rtf.length + 12, 0);
      header.writeUInt32LE(rtf.length, 4);
      header.writeUInt32LE(0x414c454d, 8);
      return messageOf({ properties: { 0x1009: Buffer.concat([header, rtf]) } });
    },
  },
  {
    what: 'a message whose page is nested 200 000 deep',
    filename: 'page.msg',
    outcomes: ['failed'],
    make: () =>
      messageOf({ properties: { 0x1013: Buffer.from(`<html>${'<div>'.repeat(200_000)}`) } }),
  },
  {
    what: 'a message without properties',
    filename: 'bare.msg',
    outcomes: ['failed'],
    make: () => compoundOf({ '__substg1.0_1000001F': Buffer.from('hello', 'utf16le') }),
  },
];
