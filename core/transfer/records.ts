import { TOOLSETS, type CustomAgentRole } from '../../ports/agent-roles.ts';
import type { ObjectVersion, VersionOrigin } from '../../ports/contents.ts';
import type {
  ChatAttachment,
  ChatMessage,
  ChatSession,
  Citation,
} from '../../ports/conversations.ts';
import type { Enrichment } from '../../ports/enrichments.ts';
import type { Collection, Theme } from '../../ports/library.ts';
import type { LinkPicture, LinkPreview } from '../../ports/links.ts';
import { DOC_TYPES, type StoredObject } from '../../ports/objects.ts';
import { AUTO_RENAME_MODES, type Settings } from '../../ports/settings.ts';
import { OBJECT_KINDS, type PageSpan } from '../../ports/text-extraction.ts';
import type { ObjectText, TextCorrection } from '../../ports/texts.ts';
import { MOST, RESERVED_SLUGS, SLUG_PATTERN } from '../agents/index.ts';
import { isFilename } from '../objects/index.ts';
import type { Needed } from './part.ts';
import {
  Unreadable,
  flag,
  freeForm,
  id,
  instant,
  list,
  nullable,
  oneOf,
  record,
  sha256,
  text,
  whole,
  type Shape,
} from './shapes.ts';

const name = text({ least: 1, most: 255 });
const short = text({ most: 255 });
const docType = oneOf(DOC_TYPES);
const kind = oneOf(OBJECT_KINDS);
const count = whole(0);

const filename: Shape<string> = {
  write: (value) => value,
  read: (sent, at) => {
    const read = text().read(sent, at);
    if (!isFilename(read)) throw new Unreadable(`${at} is not a filename`);
    return read;
  },
};

export const themeShape = record<Theme>({
  id: ['id', id],
  name: ['name', name],
  icon: ['icon', short],
  isHidden: ['is_hidden', flag],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
});

export const collectionShape = record<Collection>({
  id: ['id', id],
  name: ['name', name],
  description: ['description', text({ most: 10_000 })],
  icon: ['icon', short],
  themeId: ['theme_id', nullable(id)],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
});

/** A content an object has or had, and where in the archive its bytes lie. */
export type ArchivedVersion = Omit<ObjectVersion, 'objectId' | 'blobId'> & {
  readonly path: string;
};

const ORIGINS: readonly VersionOrigin[] = ['upload', 'save', 'image', 'office', 'restore'];

const versionShape = record<ArchivedVersion>({
  version: ['version', whole(1)],
  kind: ['kind', kind],
  mime: ['mime', short],
  format: ['format', short],
  size: ['size', count],
  sha256: ['sha256', sha256],
  origin: ['origin', oneOf(ORIGINS)],
  createdAt: ['created_at', instant],
  path: ['path', text()],
});

const pageShape = record<PageSpan>({
  page: ['page', whole(1)],
  charStart: ['char_start', count],
  charEnd: ['char_end', count],
});

type Of<T> = Omit<T, 'objectId'>;

const textShape = record<Of<ObjectText>>({
  version: ['version', whole(1)],
  source: ['source', oneOf(['native', 'extracted', 'ocr'])],
  language: ['language', short],
  text: ['text', text()],
  pages: ['pages', list(pageShape)],
});

const correctionShape = record<Of<TextCorrection>>({
  text: ['text', text()],
  language: ['language', short],
  savedAt: ['saved_at', instant],
});

const enrichmentShape = record<Of<Enrichment>>({
  version: ['version', whole(1)],
  model: ['model', short],
  language: ['language', short],
  title: ['title', text()],
  description: ['description', text()],
  summary: ['summary', text()],
  docType: ['doc_type', docType],
  keywords: ['keywords', list(text())],
  entities: ['entities', freeForm],
});

/** The picture of a link's page, and where in the archive its bytes lie. */
export type ArchivedPicture = Omit<LinkPicture, 'blobId'> & { readonly path: string };

const pictureShape = record<ArchivedPicture>({
  sha256: ['sha256', sha256],
  size: ['size', count],
  mime: ['mime', short],
  path: ['path', text()],
});

export type ArchivedPreview = Of<Omit<LinkPreview, 'image'>> & {
  readonly image: ArchivedPicture | null;
};

const previewShape = record<ArchivedPreview>({
  finalUrl: ['final_url', text()],
  title: ['title', text()],
  siteName: ['site_name', text()],
  description: ['description', text()],
  image: ['image', nullable(pictureShape)],
  fetchedAt: ['fetched_at', instant],
});

/** An object with everything that was made of it. */
export type ArchivedObject = Omit<StoredObject, 'blobId'> & {
  /** The file a person finds it in. */
  readonly path: string;
  /** Oldest first, the current one included. */
  readonly versions: readonly ArchivedVersion[];
  readonly text: Of<ObjectText> | null;
  readonly correction: Of<TextCorrection> | null;
  readonly enrichment: Of<Enrichment> | null;
  /** Of a link. */
  readonly preview: ArchivedPreview | null;
};

const objectFields = record<ArchivedObject>({
  id: ['id', id],
  path: ['path', text()],
  filename: ['filename', filename],
  originalName: ['original_name', short],
  aiName: ['ai_name', short],
  nameSource: ['name_source', oneOf(['original', 'user', 'ai'])],
  nameLocked: ['name_locked', flag],
  kind: ['kind', kind],
  mime: ['mime', short],
  format: ['format', short],
  size: ['size', count],
  contentHash: ['content_hash', sha256],
  version: ['version', whole(1)],
  status: ['status', oneOf(['pending', 'processing', 'ready', 'failed'])],
  error: ['error', nullable(text())],
  isHidden: ['is_hidden', flag],
  deletedAt: ['deleted_at', nullable(instant)],
  collectionId: ['collection_id', nullable(id)],
  categories: ['categories', list(text({ least: 1, most: 50 }), 20)],
  docType: ['doc_type', docType],
  title: ['title', text()],
  summary: ['summary', text()],
  meetingDate: ['meeting_date', nullable(instant)],
  suggestedName: ['suggested_name', nullable(text())],
  suggestedReason: ['suggested_reason', nullable(text())],
  suggestedCollectionId: ['suggested_collection_id', nullable(id)],
  folderAnswered: ['folder_answered', flag],
  sourceUrl: ['source_url', nullable(text())],
  textState: ['text_state', oneOf(['available', 'awaited', 'absent'])],
  hasCorrections: ['has_corrections', flag],
  needsManual: ['needs_manual', flag],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
  versions: ['versions', list(versionShape)],
  text: ['text', nullable(textShape)],
  correction: ['correction', nullable(correctionShape)],
  enrichment: ['enrichment', nullable(enrichmentShape)],
  preview: ['preview', nullable(previewShape)],
});

export const objectShape: Shape<ArchivedObject> = {
  write: (value) => objectFields.write(value),
  read: (sent, at) => {
    const object = objectFields.read(sent, at);
    const { versions } = object;
    const current = versions.find(({ version }) => version === object.version);
    if (current?.sha256 !== object.contentHash || current.size !== object.size)
      throw new Unreadable('versions lack the current content');
    if (new Set(versions.map(({ version }) => version)).size < versions.length)
      throw new Unreadable('versions hold one of them twice');
    if (object.hasCorrections !== (object.correction !== null))
      throw new Unreadable('has_corrections does not fit the correction');
    return object;
  },
};

/** A session with the ids of its messages, which follow it. */
export type ArchivedSession = ChatSession & { readonly messageIds: readonly string[] };

export const sessionShape = record<ArchivedSession>({
  id: ['id', id],
  title: ['title', text({ most: 1_000 })],
  kind: ['kind', oneOf(['ask', 'chat', 'agent'])],
  collectionId: ['collection_id', nullable(id)],
  pinned: ['pinned', flag],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
  messageIds: ['message_ids', list(id)],
});

const citationShape = record<Citation>({
  index: ['index', count],
  objectId: ['object_id', id],
  ord: ['ord', count],
  charStart: ['char_start', count],
  charEnd: ['char_end', count],
  snippet: ['snippet', text()],
  docType: ['doc_type', docType],
  filename: ['filename', text()],
  title: ['title', text()],
});

const attachmentShape = record<ChatAttachment>({
  objectId: ['object_id', id],
  filename: ['filename', text()],
});

export const messageShape = record<ChatMessage>({
  id: ['id', id],
  sessionId: ['session_id', id],
  role: ['role', oneOf(['user', 'assistant'])],
  content: ['content', text()],
  createdAt: ['created_at', instant],
  attachments: ['attachments', list(attachmentShape)],
  citations: ['citations', list(citationShape)],
  objects: ['objects', nullable(list(attachmentShape))],
  steps: ['steps', nullable(list(freeForm))],
});

export const settingsShape = record<Settings>({
  autoRenameMode: ['auto_rename_mode', oneOf(AUTO_RENAME_MODES)],
  calendarRemindersMessenger: ['calendar_reminders_messenger', flag],
  chatMemory: ['chat_memory', flag],
  proactive: ['proactive', flag],
  timezone: ['timezone', short],
  ui: ['ui', freeForm],
  prefs: ['prefs', freeForm],
});

const slug: Shape<string> = {
  write: (value) => value,
  read: (sent, at) => {
    const read = text({ pattern: new RegExp(SLUG_PATTERN) }).read(sent, at);
    if (RESERVED_SLUGS.includes(read)) throw new Unreadable(`${at} is reserved`);
    return read;
  },
};

const roleFields = record<CustomAgentRole>({
  id: ['id', id],
  slug: ['slug', slug],
  name: ['name', text({ least: 1, most: MOST.name })],
  description: ['description', text({ most: MOST.description })],
  icon: ['icon', text({ most: MOST.icon })],
  persona: ['persona', text({ least: 1, most: MOST.persona })],
  toolsets: ['toolsets', list(oneOf(TOOLSETS), MOST.toolsets)],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
});

export const roleShape: Shape<CustomAgentRole> = {
  write: (value) => roleFields.write(value),
  read: (sent, at) => {
    const role = roleFields.read(sent, at);
    if (new Set(role.toolsets).size < role.toolsets.length)
      throw new Unreadable(`${at}.toolsets holds one of them twice`);
    return role;
  },
};

/** Which role is the active one. */
export const activeRoleShape = record<{ readonly slug: string }>({ slug: ['slug', slug] });

export const calendarShape = record<Needed>({
  path: ['path', text({ pattern: /^calendar\.ics$/ })],
  size: ['size', whole(0)],
  sha256: ['sha256', sha256],
});
