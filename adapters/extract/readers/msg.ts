import { isCompound, openCompound, type Compound } from './compound-file.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { decodeText } from './decode.ts';
import { declaredEncoding, parsePage } from './html.ts';
import {
  addressText,
  attachmentsText,
  headerText,
  MAX_ATTACHMENTS,
  MAX_FORWARDED_DEPTH,
} from './mail-text.ts';
import { HEADER_BYTES, MsgProperties, PROPERTY } from './msg-properties.ts';
import { UnreadableFileError, type ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';
import { encodingOf } from './rtf-fonts.ts';
import { readRtf } from './rtf.ts';
import { normalizeText } from './text-normalization.ts';

const MAX_RECIPIENTS = 5_000;

/** Messages of Outlook ([MS-OXMSG]), as the text of an eml: header, body, attachments, then forwarded messages. */
export async function readMsg(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  if (!isCompound(bytes))
    throw new UnreadableFileError('The file is damaged, or does not match its name.');
  const file = openCompound(bytes);
  const message = new MsgProperties(file, '', HEADER_BYTES.message);
  const body = await bodyOf(message, longest);
  const subject = message.text(PROPERTY.subject);
  return {
    source: 'extracted',
    title: subject,
    pages: [
      { text: normalizeText(await textOf(file, message, body, longest, 0)), continues: false },
    ],
    prose: true,
    sample: `${subject}\n${body}`,
  };
}

async function textOf(
  file: Compound,
  message: MsgProperties,
  body: string,
  longest: number,
  depth: number,
): Promise<string> {
  const attachments = message
    .parts('__attach_version1.0_#')
    .slice(0, MAX_ATTACHMENTS)
    .map((folder) => new MsgProperties(file, folder, HEADER_BYTES.part, message.codePage));
  const parts = [headerOf(file, message), body, attachmentsText(attachments.map(attachmentOf))];
  if (depth < MAX_FORWARDED_DEPTH)
    for (const attachment of attachments) {
      const folder = attachment.object(PROPERTY.attachment);
      if (folder === undefined) continue;
      const inner = new MsgProperties(file, folder, HEADER_BYTES.embedded, message.codePage);
      parts.push(await textOf(file, inner, await bodyOf(inner, longest), longest, depth + 1));
    }
  return parts.filter((part) => part !== '').join('\n\n');
}

function headerOf(file: Compound, message: MsgProperties): string {
  const people = message
    .parts('__recip_version1.0_#')
    .slice(0, MAX_RECIPIENTS)
    .map((folder) => new MsgProperties(file, folder, HEADER_BYTES.part, message.codePage));
  const listed = (kind: number, displayed: number): string =>
    people
      .filter((person) => person.integer(PROPERTY.recipientType) === kind)
      .map((person) => personOf(person, PROPERTY.displayName, SMTP, PROPERTY.address))
      .join(', ') || message.text(displayed);
  return headerText([
    ['From', senderOf(message)],
    ['To', listed(1, PROPERTY.displayTo)],
    ['Cc', listed(2, PROPERTY.displayCc)],
    ['Date', dateOf(message)],
    ['Subject', message.text(PROPERTY.subject)],
  ]);
}

const SMTP = PROPERTY.smtpAddress;

/** A message sent on behalf of another person names both; mail programs show the latter. */
const senderOf = (message: MsgProperties): string =>
  personOf(
    message,
    PROPERTY.representingName,
    PROPERTY.representingSmtpAddress,
    PROPERTY.representingAddress,
  ) || personOf(message, PROPERTY.senderName, PROPERTY.senderSmtpAddress, PROPERTY.senderAddress);

/** Within an organisation the address may be a distinguished name, which no mail program shows. */
function personOf(of: MsgProperties, name: number, smtp: number, address: number): string {
  const known = of.text(smtp) || of.text(address);
  return addressText(of.text(name), known.startsWith('/') ? '' : known);
}

/** As written by the sender, if the message has come by mail. */
const dateOf = (message: MsgProperties): string =>
  /^date:[ \t]*(.+)$/im.exec(message.text(PROPERTY.headers))?.[1]?.trim() ||
  message.time(PROPERTY.submitTime) ||
  message.time(PROPERTY.deliveryTime);

/** The plain text, or that of the HTML or RTF body if there is none. */
async function bodyOf(message: MsgProperties, longest: number): Promise<string> {
  const plain = message.text(PROPERTY.body).trim();
  if (plain !== '') return plain;
  const html = message.bytes(PROPERTY.html);
  const page = html ? await decoded(html, message) : message.text(PROPERTY.html);
  if (page.trim() !== '') return renderText(parsePage(page).document);
  const rtf = message.bytes(PROPERTY.rtf);
  if (rtf === undefined || rtf.length === 0) return '';
  // HTML inside RTF ([MS-OXRTFEX]) repeats its text as RTF, and its tags are optional destinations, which are skipped.
  return (await readRtf(decompressRtf(rtf), longest)).pages[0]!.text;
}

function decoded(html: Buffer, message: MsgProperties): Promise<string> {
  const codePage = message.integer(PROPERTY.internetCodePage);
  return decodeText(html, declaredEncoding(html) || (codePage === 0 ? '' : encodingOf(codePage)));
}

const attachmentOf = (attachment: MsgProperties) => ({
  name:
    attachment.text(PROPERTY.longFileName) ||
    attachment.text(PROPERTY.fileName) ||
    attachment.text(PROPERTY.displayName) ||
    'unnamed',
  type:
    attachment.text(PROPERTY.mimeType) ||
    (attachment.object(PROPERTY.attachment) === undefined
      ? 'application/octet-stream'
      : 'application/vnd.ms-outlook'),
  bytes:
    attachment.bytes(PROPERTY.attachment)?.length ??
    (attachment.integer(PROPERTY.attachmentSize) || undefined),
});
