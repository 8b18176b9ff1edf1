import { TOOLSETS, type CustomAgentRole } from '../../ports/agent-roles.ts';
import type { ObjectVersion, VersionOrigin } from '../../ports/contents.ts';
import type { Enrichment } from '../../ports/enrichments.ts';
import type { Collection, Theme } from '../../ports/library.ts';
import type { LinkPicture, LinkPreview } from '../../ports/links.ts';
import { DOC_TYPES, type StoredObject, type TextState } from '../../ports/objects.ts';
import { AUTO_RENAME_MODES, type Settings } from '../../ports/settings.ts';
import { OBJECT_KINDS, type PageSpan } from '../../ports/text-extraction.ts';
import type { ObjectText, TextCorrection } from '../../ports/texts.ts';
import { MOST, RESERVED_SLUGS, SLUG_PATTERN } from '../agents/index.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_ICON_LENGTH, MAX_NAME_LENGTH } from '../library/index.ts';
import {
  LINK_TYPE,
  MAX_CATEGORIES,
  MAX_CATEGORY_LENGTH,
  isFilename,
  isFormat,
  isMediaType,
  isWebAddress,
  normalizeFilename,
} from '../objects/index.ts';
import { toPlainName } from '../shared/plain-name.ts';
import { fitsUi } from '../settings/index.ts';
import { codePointLength } from '../text/index.ts';
import type { ReferencedFile } from './part.ts';
import {
  ArchiveFormatError,
  byteCount,
  flag,
  freeForm,
  id,
  instant,
  label,
  list,
  nullable,
  oneOf,
  passing,
  record,
  sha256,
  text,
  whole,
  type Shape,
} from './shapes.ts';

const plain = (name: string): string => toPlainName(normalizeFilename(name));
const name = label(MAX_NAME_LENGTH, plain);
const icon = text({ most: MAX_ICON_LENGTH });
const short = text({ most: 255 });
/** A line derived from a text. The service's values are far shorter. */
export const line = text({ most: 1_000 });
const paragraphs = text({ most: 10_000 });
export const docType = oneOf(DOC_TYPES);
const kind = oneOf(OBJECT_KINDS);
export const count = whole(0);
const mime = passing(isMediaType, 'a media type without parameters');
const format = passing(isFormat, 'a file extension');
const webAddress = passing(isWebAddress, 'the address of a page');
export const filename = passing(isFilename, 'a filename');
/** A filename, or an empty text. */
const filenameOrNone = passing((text) => text === '' || isFilename(text), 'a filename');

export const themeShape = record<Theme>({
  id: ['id', id],
  name: ['name', name],
  icon: ['icon', icon],
  isHidden: ['is_hidden', flag],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
});

export const collectionShape = record<Collection>({
  id: ['id', id],
  name: ['name', name],
  description: ['description', text({ most: MAX_DESCRIPTION_LENGTH })],
  icon: ['icon', icon],
  themeId: ['theme_id', nullable(id)],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
});

/** A content the object has or had, and the file in the archive with its bytes. */
export type ArchivedVersion = Omit<ObjectVersion, 'objectId' | 'blobId'> & {
  readonly path: string;
};

const ORIGINS: readonly VersionOrigin[] = ['upload', 'inbox', 'save', 'image', 'office', 'restore'];

const versionShape = record<ArchivedVersion>({
  version: ['version', whole(1)],
  kind: ['kind', kind],
  mime: ['mime', mime],
  format: ['format', format],
  size: ['size', byteCount],
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
  title: ['title', line],
  description: ['description', paragraphs],
  summary: ['summary', paragraphs],
  docType: ['doc_type', docType],
  keywords: ['keywords', list(short, 200)],
  entities: ['entities', freeForm(1_000_000)],
});

/** Becomes the name of an image format. */
const PICTURE = /^image\/[a-z0-9]{1,16}$/;

/** The preview image of a link's page, and the file in the archive with its bytes. */
export type ArchivedPicture = Omit<LinkPicture, 'blobId'> & { readonly path: string };

const pictureShape = record<ArchivedPicture>({
  sha256: ['sha256', sha256],
  size: ['size', byteCount],
  mime: ['mime', passing((text) => PICTURE.test(text), 'the media type of a picture')],
  path: ['path', text()],
});

export type ArchivedPreview = Of<Omit<LinkPreview, 'image'>> & {
  readonly image: ArchivedPicture | null;
};

const previewShape = record<ArchivedPreview>({
  finalUrl: ['final_url', webAddress],
  title: ['title', line],
  siteName: ['site_name', line],
  description: ['description', paragraphs],
  image: ['image', nullable(pictureShape)],
  fetchedAt: ['fetched_at', instant],
});

/** An object with all derived data. */
export type ArchivedObject = Omit<StoredObject, 'blobId'> & {
  /** The path of its file in the archive. */
  readonly path: string;
  /** Oldest first, the current one included. */
  readonly versions: readonly ArchivedVersion[];
  readonly text: Of<ObjectText> | null;
  readonly correction: Of<TextCorrection> | null;
  readonly enrichment: Of<Enrichment> | null;
  /** Only for a link. */
  readonly preview: ArchivedPreview | null;
};

/** The name of a pending text in archives. It never changes, so that archives of all versions can be read. */
const ARCHIVED_PENDING = 'awaited';
const archivedTextState = oneOf(['available', ARCHIVED_PENDING, 'absent']);
const textState: Shape<TextState> = {
  write: (state) => (state === 'pending' ? ARCHIVED_PENDING : state),
  read: (sent, at) => {
    const read = archivedTextState.read(sent, at);
    return read === ARCHIVED_PENDING ? 'pending' : read;
  },
};

const objectFields = record<ArchivedObject>({
  id: ['id', id],
  path: ['path', text()],
  filename: ['filename', filename],
  originalName: ['original_name', filenameOrNone],
  aiName: ['ai_name', filenameOrNone],
  nameSource: ['name_source', oneOf(['original', 'user', 'ai'])],
  nameLocked: ['name_locked', flag],
  kind: ['kind', kind],
  mime: ['mime', mime],
  format: ['format', format],
  size: ['size', byteCount],
  contentHash: ['content_hash', sha256],
  version: ['version', whole(1)],
  status: ['status', oneOf(['pending', 'processing', 'ready', 'failed'])],
  error: ['error', nullable(paragraphs)],
  isHidden: ['is_hidden', flag],
  deletedAt: ['deleted_at', nullable(instant)],
  collectionId: ['collection_id', nullable(id)],
  categories: ['categories', list(label(MAX_CATEGORY_LENGTH, normalizeFilename), MAX_CATEGORIES)],
  docType: ['doc_type', docType],
  title: ['title', line],
  summary: ['summary', paragraphs],
  meetingDate: ['meeting_date', nullable(instant)],
  // Becomes the filename, without further validation, when the owner accepts it.
  suggestedName: ['suggested_name', nullable(filename)],
  suggestedReason: ['suggested_reason', nullable(paragraphs)],
  suggestedCollectionId: ['suggested_collection_id', nullable(id)],
  folderAnswered: ['folder_answered', flag],
  sourceUrl: ['source_url', nullable(webAddress)],
  textState: ['text_state', textState],
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
    requireContent(object);
    requireTexts(object);
    return object;
  },
};

function requireContent(object: ArchivedObject): void {
  const { versions, kind, mime, format } = object;
  const current = versions.find(({ version }) => version === object.version);
  if (current?.sha256 !== object.contentHash || current.size !== object.size)
    throw new ArchiveFormatError('versions lack the current content');
  if (current.kind !== kind || current.mime !== mime || current.format !== format)
    throw new ArchiveFormatError('versions have another type for the current content');
  if (new Set(versions.map(({ version }) => version)).size < versions.length)
    throw new ArchiveFormatError('versions hold the same version twice');
  if (versions.some(({ version }) => version > object.version))
    throw new ArchiveFormatError('versions hold a version after the current one');
  const isLink = kind === 'link';
  if (isLink !== (object.sourceUrl !== null))
    throw new ArchiveFormatError('source_url is that of a link, and of nothing else');
  if (isLink && (mime !== LINK_TYPE.mime || format !== LINK_TYPE.format))
    throw new ArchiveFormatError('mime and format are not those of a link');
  if (!isLink && object.preview !== null) throw new ArchiveFormatError('preview is that of a link');
}

/** Checks that extracted text belongs to an existing version and that its positions lie within the text. */
function requireTexts(object: ArchivedObject): void {
  const { text, correction, enrichment } = object;
  if (object.hasCorrections !== (correction !== null))
    throw new ArchiveFormatError('has_corrections does not fit the correction');
  if (object.textState === 'available' && !text && !correction)
    throw new ArchiveFormatError('text_state does not fit the text');
  if (Math.max(text?.version ?? 0, enrichment?.version ?? 0) > object.version)
    throw new ArchiveFormatError('text.version or enrichment.version comes after the current');
  const end = text && text.pages.length > 0 ? codePointLength(text.text) : 0;
  if (text?.pages.some(({ charStart, charEnd }) => charStart > charEnd || charEnd > end))
    throw new ArchiveFormatError('text.pages do not fit the text');
}

const clientSettings: Shape<Settings['ui']> = {
  write: (value) => value,
  read: (sent, at) => {
    const read = freeForm(Infinity).read(sent, at);
    if (!fitsUi(read)) throw new ArchiveFormatError(`${at} is larger than settings may be`);
    return read;
  },
};

export const settingsShape = record<Settings>({
  autoRenameMode: ['auto_rename_mode', oneOf(AUTO_RENAME_MODES)],
  calendarRemindersMessenger: ['calendar_reminders_messenger', flag],
  chatMemory: ['chat_memory', flag],
  proactive: ['proactive', flag],
  timezone: ['timezone', text({ most: 64, pattern: /^[A-Za-z]/ })],
  ui: ['ui', clientSettings],
  prefs: ['prefs', clientSettings],
});

const slug: Shape<string> = {
  write: (value) => value,
  read: (sent, at) => {
    const read = text({ pattern: new RegExp(SLUG_PATTERN) }).read(sent, at);
    if (RESERVED_SLUGS.includes(read)) throw new ArchiveFormatError(`${at} is reserved`);
    return read;
  },
};

const roleFields = record<Omit<CustomAgentRole, 'isImported'>>({
  id: ['id', id],
  slug: ['slug', slug],
  name: ['name', label(MOST.name, plain)],
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
    const role = { ...roleFields.read(sent, at), isImported: true };
    if (new Set(role.toolsets).size < role.toolsets.length)
      throw new ArchiveFormatError(`${at}.toolsets holds one of them twice`);
    return role;
  },
};

/** The slug of the active role. */
export const activeRoleShape = record<{ readonly slug: string }>({ slug: ['slug', slug] });

export const calendarShape = record<ReferencedFile>({
  path: ['path', text({ pattern: /^calendar\.ics$/ })],
  size: ['size', byteCount],
  sha256: ['sha256', sha256],
});
