import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { MAX_PAGES } from '../process/protocol.ts';
import {
  addressText,
  attachmentsText,
  headerText,
  MAX_ATTACHMENTS,
  MAX_FORWARDED_DEPTH,
} from './mail-text.ts';
import { normalizeText } from './text-normalization.ts';
import { parsePage } from './html.ts';
import { UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';

/** A forwarded message remains an attachment, so that its header is preserved. */
const OPTIONS = { rfc822Attachments: true };

/** A mail message: sender, recipients, date and subject, then the body, then the attachments, as one page. */
export async function readMail(bytes: Uint8Array): Promise<ReaderResult> {
  const email = await parsed(bytes);
  return {
    source: 'extracted',
    title: email.subject ?? '',
    pages: [{ text: await textOf(email), continues: false }],
    prose: true,
    sample: `${email.subject ?? ''}\n${bodyOf(email)}`,
  };
}

/** A web page saved by a browser: a message whose body is the page (RFC 2557). */
export async function readSavedPage(bytes: Uint8Array): Promise<ReaderResult> {
  const email = await parsed(bytes);
  return {
    source: 'extracted',
    title: email.subject ?? '',
    pages: [{ text: normalizeText(bodyOf(email)), continues: false }],
    prose: true,
  };
}

/** A mailbox: one page per message. */
export async function readMailbox(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  const pages: Page[] = [];
  let length = 0;
  for (const message of messagesIn(bytes)) {
    if (pages.length === MAX_PAGES)
      throw new UnreadableFileError('The mailbox holds too many messages.');
    const text = length > longest ? '' : await textOf(await parsed(message));
    pages.push({ text, continues: false });
    length += text.length;
  }
  return { source: 'extracted', title: '', pages, prose: true };
}

async function parsed(bytes: Uint8Array): Promise<Email> {
  const email = await PostalMime.parse(bytes, OPTIONS);
  if (email.headers.length === 0) throw new UnreadableFileError('The file is not a mail message.');
  return email;
}

async function textOf(email: Email, depth = 0): Promise<string> {
  const parts = [headerOf(email), bodyOf(email), attachmentsOf(email.attachments)];
  if (depth < MAX_FORWARDED_DEPTH)
    for (const { mimeType, content } of email.attachments.slice(0, MAX_ATTACHMENTS))
      if (mimeType === 'message/rfc822') {
        const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
        parts.push(await textOf(await PostalMime.parse(bytes, OPTIONS), depth + 1));
      }
  return normalizeText(parts.filter((part) => part !== '').join('\n\n'));
}

const headerOf = (email: Email): string =>
  headerText([
    ['From', named(email.from ? [email.from] : [])],
    ['To', named(email.to)],
    ['Cc', named(email.cc)],
    ['Date', rawDate(email)],
    ['Subject', email.subject ?? ''],
  ]);

/** As written by the sender, with the original zone. */
const rawDate = (email: Email): string =>
  email.headers.find(({ key }) => key === 'date')?.value ?? '';

const named = (addresses: readonly Address[] = []): string =>
  addresses
    .flatMap((address) => address.group ?? [address])
    .map(({ name, address = '' }) => addressText(name, address))
    .join(', ');

/** The plain text, or the text of the HTML part if there is none. */
function bodyOf(email: Email): string {
  const plain = email.text?.trim() ?? '';
  if (plain !== '' || email.html === undefined) return plain;
  return renderText(parsePage(email.html).document);
}

const attachmentsOf = (attachments: readonly Attachment[]): string =>
  attachmentsText(
    attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? 'unnamed',
      type: mimeType,
      bytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
    })),
  );

const SEPARATOR = Buffer.from('\nFrom ');

/** Messages of a mailbox (RFC 4155): each begins with a `From ` line, and such lines inside are quoted. */
function* messagesIn(bytes: Uint8Array): Generator<Uint8Array> {
  const box = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  while (start < box.length) {
    const next = box.indexOf(SEPARATOR, start + 1);
    const end = next < 0 ? box.length : next + 1;
    const line = box.indexOf('\n', start);
    const head = box.subarray(start, start + 5).toString('latin1') === 'From ';
    if (head && line > 0 && line < end) yield box.subarray(line + 1, end);
    else if (box.subarray(start, end).toString('latin1').trim() !== '')
      yield box.subarray(start, end);
    start = end;
  }
}
