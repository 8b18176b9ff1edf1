import { extname } from 'node:path';
import { demoId, folderId } from './ids.ts';
import { nameOf, type DemoDocument } from './workspace.ts';

export interface DemoBytes {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Kind and media type by extension, as the service finds them in an upload. */
const TYPES: Readonly<Record<string, readonly [kind: string, mime: string]>> = {
  csv: ['spreadsheet', 'text/csv'],
  docx: ['document', `${OFFICE}.wordprocessingml.document`],
  eml: ['email', 'message/rfc822'],
  html: ['document', 'text/html'],
  jpg: ['image', 'image/jpeg'],
  md: ['note', 'text/markdown'],
  odt: ['document', 'application/vnd.oasis.opendocument.text'],
  pdf: ['pdf', 'application/pdf'],
  png: ['image', 'image/png'],
  txt: ['text', 'text/plain'],
  url: ['link', 'application/internet-shortcut'],
  webp: ['image', 'image/webp'],
  xlsx: ['spreadsheet', `${OFFICE}.spreadsheetml.sheet`],
};

/** The id that a document has in every demo workspace. */
export const documentId = ({ file, created }: DemoDocument): string =>
  demoId(`document ${file}`, created);

/** The line of an unread document in an export. */
export function objectRecord(document: DemoDocument, { path, size, sha256 }: DemoBytes) {
  const { created, folder, labels = [], suggest = false } = document;
  const filename = nameOf(document);
  const format = extname(filename).slice(1);
  const [kind, mime] = typeOf(format);
  return {
    id: documentId(document),
    path,
    filename,
    original_name: filename,
    ai_name: '',
    name_source: suggest ? 'original' : 'user',
    name_locked: !suggest,
    ...{ kind, mime, format, size },
    content_hash: sha256,
    version: 1,
    status: 'pending',
    error: null,
    is_hidden: document.hidden ?? false,
    deleted_at: document.trashed ? new Date().toISOString() : null,
    collection_id: folder === undefined ? null : folderId(folder),
    categories: labels,
    doc_type: 'other',
    title: '',
    summary: '',
    meeting_date: null,
    suggested_name: null,
    suggested_reason: null,
    suggested_collection_id: null,
    folder_answered: false,
    source_url: null,
    text_state: 'awaited',
    has_corrections: false,
    needs_manual: false,
    created_at: created,
    updated_at: created,
    versions: [
      { version: 1, kind, mime, format, size, sha256, origin: 'upload', created_at: created, path },
    ],
    text: null,
    correction: null,
    enrichment: null,
    preview: null,
  };
}

function typeOf(format: string): readonly [string, string] {
  const type = Object.hasOwn(TYPES, format) ? TYPES[format] : undefined;
  if (!type) throw new Error(`The demo has no documents of the format ${format}.`);
  return type;
}

/** What differs in the line of a link. Its page does not exist, so its text is part of the record. */
export function linkFields({ page, created, language }: DemoDocument): object {
  if (!page) return {};
  const { url, title, description, text } = page;
  const facts = { title, summary: description, doc_type: 'article' };
  return {
    ...facts,
    status: 'ready',
    text_state: 'available',
    source_url: url,
    text: { version: 1, source: 'extracted', language, text: `${title}\n\n${text}`, pages: [] },
    enrichment: {
      ...{ version: 1, model: 'builtin', language, description, keywords: [], entities: {} },
      ...facts,
    },
    preview: {
      final_url: url,
      title,
      site_name: page.site,
      description,
      image: null,
      fetched_at: created,
    },
  };
}
