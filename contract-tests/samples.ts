import fc from 'fast-check';
import { TOOLSETS, type CustomAgentRole } from '../ports/agent-roles.ts';
import { EVENT_STATUSES, type EventDetails } from '../ports/calendar.ts';
import {
  BOT_STATES,
  MEMBER_SOURCES,
  type Bot,
  type BotChat,
  type BotMember,
} from '../ports/bots.ts';
import { MEMBER_ROLES } from '../ports/messenger.ts';
import type { ICalendarEvent, ICalendarException } from '../ports/calendar-format.ts';
import type { ObjectVersion } from '../ports/contents.ts';
import type { AgentConfirmation } from '../ports/agent-confirmations.ts';
import type { AgentUndo } from '../ports/agent-undos.ts';
import type { ImportRun } from '../ports/import-runs.ts';
import type { ChatMessage, ChatSession } from '../ports/conversations.ts';
import type { Owner, Tenant, Token } from '../ports/identity.ts';
import type { Collection, Theme } from '../ports/library.ts';
import type { LinkPreview } from '../ports/links.ts';
import { INTEGRATION_KINDS, type Integration } from '../ports/integrations.ts';
import { MODEL_HABITS } from '../ports/language-model.ts';
import type { Notification } from '../ports/notifications.ts';
import {
  categoryKey,
  DOC_TYPES,
  nameKey,
  OBJECT_ORDERS,
  OBJECT_STATUSES,
  type ObjectFilter,
  type ObjectOrder,
  type StoredObject,
} from '../ports/objects.ts';
import type { OfficeSession } from '../ports/office.ts';
import type { IdempotencyRecord } from '../ports/idempotency.ts';
import type { Enrichment } from '../ports/enrichments.ts';
import { AUTO_RENAME_MODES, type Settings } from '../ports/settings.ts';
import { SHARE_KINDS, SHARE_ROLES, type Share } from '../ports/shares.ts';
import type { Task } from '../ports/tasks.ts';
import { OBJECT_KINDS } from '../ports/text-extraction.ts';
import type { ObjectText } from '../ports/texts.ts';
import type { Thumbnail } from '../ports/thumbnails.ts';
import type { PartialUpload } from '../ports/uploads.ts';
import type { TimeZones } from '../ports/time-zones.ts';
import type { OwnerScope, Stores } from '../ports/unit-of-work.ts';
import type { ListFilters, SavedView } from '../ports/views.ts';

let count = 0;

/** Shaped like a version 7 UUID; later ones sort after earlier ones. */
export const newId = (): string => {
  const hex = (++count).toString(16).padStart(12, '0');
  return `0190a000-0000-7000-8000-${hex}`;
};

/** A new owner, so that tests may share a database. */
export const newScope = (): OwnerScope => ({ tenantId: newId(), ownerId: newId() });

export const anUpload = (over: Partial<PartialUpload> = {}): PartialUpload => ({
  id: newId(),
  filename: 'a.txt',
  metadata: '',
  collectionId: null,
  onDuplicate: 'keep',
  folderPath: '',
  dropId: null,
  dropName: '',
  size: 100,
  received: 0,
  state: 'open',
  objectId: null,
  createdAt: 1_000,
  progressAt: 2_000,
  ...over,
});

export const newPrefix = (): string => (++count).toString(36).padStart(8, '0');

export const aTenant = (over: Partial<Tenant> = {}): Tenant => {
  const id = newId();
  return { id, name: `Tenant ${id}`, createdAt: 1_000, ...over };
};

export const anOwner = (tenantId: string, over: Partial<Owner> = {}): Owner => ({
  id: newId(),
  tenantId,
  name: 'Ada',
  role: 'unlimited',
  createdAt: 2_000,
  ...over,
});

export const aToken = (over: Partial<Token> = {}): Token => ({
  id: newId(),
  name: 'laptop',
  prefix: newPrefix(),
  digest: 'd'.repeat(64),
  access: 'full',
  scopes: null,
  folderIds: null,
  lastUsedAt: null,
  lastUsedNetwork: null,
  createdAt: 3_000,
  expiresAt: null,
  ...over,
});

export const anObject = (over: Partial<StoredObject> = {}): StoredObject => ({
  id: newId(),
  filename: 'report.pdf',
  originalName: 'report.pdf',
  aiName: '',
  nameSource: 'original',
  nameLocked: false,
  kind: 'pdf',
  mime: 'application/pdf',
  format: 'pdf',
  size: 1_234,
  contentHash: 'a'.repeat(64),
  blobId: 'blob',
  version: 1,
  status: 'ready',
  error: null,
  isHidden: false,
  deletedAt: null,
  collectionId: null,
  categories: [],
  docType: 'report',
  title: '',
  summary: '',
  meetingDate: null,
  suggestedName: null,
  suggestedReason: null,
  suggestedCollectionId: null,
  folderAnswered: false,
  sourceUrl: null,
  textState: 'available',
  hasCorrections: false,
  needsManual: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});

export const aNotification = (over: Partial<Notification> = {}): Notification => ({
  id: newId(),
  kind: 'object.ready',
  title: 'report.pdf is ready',
  body: 'It was read.',
  payload: {},
  objectId: null,
  isHidden: false,
  readAt: null,
  createdAt: 1_000,
  ...over,
});

export const aVersion = (over: Partial<ObjectVersion> = {}): ObjectVersion => ({
  objectId: newId(),
  version: 1,
  kind: 'pdf',
  mime: 'application/pdf',
  format: 'pdf',
  size: 1_234,
  sha256: 'a'.repeat(64),
  blobId: 'blob',
  origin: 'upload',
  createdAt: 1_000,
  ...over,
});

export const aThumbnail = (over: Partial<Thumbnail> = {}): Thumbnail => ({
  objectId: newId(),
  contentHash: 'a'.repeat(64),
  maxSidePixels: 256,
  blobId: newId(),
  sha256: 'c'.repeat(64),
  size: 1_234,
  createdAt: 1_000,
  ...over,
});

export const aTheme = (over: Partial<Theme> = {}): Theme => ({
  id: newId(),
  name: 'Work',
  icon: '',
  isHidden: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});

export const aCollection = (over: Partial<Collection> = {}): Collection => ({
  id: newId(),
  name: 'Invoices',
  description: '',
  icon: '',
  themeId: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});

export const aView = (over: Partial<SavedView> = {}): SavedView => ({
  id: newId(),
  name: 'Invoices',
  filters: { docType: 'invoice', status: 'ready' },
  order: 'newest',
  position: 0,
  createdAt: 3_000,
  updatedAt: 3_000,
  ...over,
});

export const aSession = (over: Partial<ChatSession> = {}): ChatSession => ({
  id: newId(),
  title: 'A question',
  kind: 'ask',
  collectionId: null,
  pinned: false,
  boundTo: null,
  hasDocumentText: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});

export const anImportRun = (over: Partial<ImportRun> = {}): ImportRun => ({
  id: newId(),
  key: `POST /v1/import ${newId()}`,
  kind: 'workspace',
  filename: 'export.zip',
  state: 'running',
  isConcealed: false,
  done: 2,
  total: 5,
  report: null,
  code: null,
  leaseUntil: 3_000,
  createdAt: 1_000,
  updatedAt: 2_000,
  ...over,
});

export const anAgentUndo = (over: Partial<AgentUndo> = {}): AgentUndo => ({
  id: newId(),
  sessionId: newId(),
  tool: 'rename_object',
  effects: [
    { kind: 'changed', objectId: newId(), from: { filename: 'a.txt' }, to: { filename: 'b.txt' } },
  ],
  createdAt: 1_000,
  expiresAt: 2_000,
  undoneAt: null,
  ...over,
});

export const anAgentConfirmation = (over: Partial<AgentConfirmation> = {}): AgentConfirmation => ({
  id: newId(),
  sessionId: newId(),
  run: 'sealed',
  createdAt: 1_000,
  expiresAt: 2_000,
  ...over,
});

export const aMessage = (over: Partial<ChatMessage> = {}): ChatMessage => ({
  id: newId(),
  sessionId: newId(),
  role: 'user',
  content: 'When is it due?',
  createdAt: 1_000,
  attachments: [],
  citations: [],
  objects: null,
  steps: null,
  coverage: null,
  engine: null,
  confidence: null,
  incomplete: null,
  incompleteReason: null,
  agentRole: null,
  ...over,
});

export const aTask = (over: Partial<Task> = {}): Task => ({
  id: newId(),
  kind: 'object.read',
  subject: newId(),
  payload: {},
  state: 'waiting',
  attempts: 0,
  dueAt: 1_000,
  leaseUntil: null,
  error: null,
  createdAt: 1_000,
  ...over,
});

export const aReceipt = (over: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  key: newId(),
  fingerprint: 'f',
  response: null,
  expiresAt: 1_000,
  ...over,
});

const AWKWARD = [
  '',
  ' ',
  'O\'Brien "and sons" \\ -- ; ? $1 %_',
  '𝕬 🏳️‍🌈 👩🏽‍🚀',
  'İstanbul ß ﷺ',
  'a\u0301\u0323 \u{10FFFD} \uE000 \uFFFD',
  '__proto__',
  'null',
  '0',
  '\n\t\u0001\u2028',
];

/** Any text that gets past the edge: no NUL, no unpaired surrogate. */
export const texts = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map(withoutNul) },
    { weight: 3, arbitrary: fc.constantFrom(...AWKWARD) },
    { weight: 1, arbitrary: fc.constantFrom('𝕏'.repeat(20_000), '"'.repeat(50_000)) },
  );

/** Short enough for a key. */
export const names = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map(withoutNul),
    fc.constantFrom(...AWKWARD),
  );

const withoutNul = (text: string) => text.replaceAll('\0', '\u0001');

/** 0 to 2^53 - 1, the bounds often. */
export const wholes = (): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER),
    fc.maxSafeNat(),
  );

export const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(arbitrary, { nil: null, freq: 2 });

/** Few distinct moments, so that ties are common. */
const closeMoments = () => fc.integer({ min: 0, max: 3 });

/** Few folders, so that they fill. */
export const FOLDERS = ['folder-1', 'folder-2'] as const;
/** Of the first folder. */
export const THEME = 'theme-1';

/** Names of which some differ in case only, and some at their end only. */
const FILENAMES = [
  'a',
  'B',
  'b',
  '\u00c9t\u00e9',
  '\ufb01n',
  '\uffee',
  '\u{1f600}',
  `${'x'.repeat(300)}1`,
];
const CATEGORY_CHOICES = [[], ['Tax'], ['tax', 'TAX', 'Work'], ['Work']] as const;

export const objects = (): fc.Arbitrary<StoredObject> =>
  fc.record({
    id: fc.uuid(),
    filename: texts(),
    originalName: texts(),
    aiName: texts(),
    nameSource: fc.constantFrom('original', 'user', 'ai'),
    nameLocked: fc.boolean(),
    kind: fc.constantFrom(...OBJECT_KINDS),
    mime: names(),
    format: names(),
    size: wholes(),
    contentHash: fc.constantFrom('a'.repeat(64), 'b'.repeat(64)),
    blobId: names(),
    version: fc.integer({ min: 1 }),
    status: fc.constantFrom('pending', 'processing', 'ready', 'failed'),
    error: orNull(texts()),
    isHidden: fc.boolean(),
    deletedAt: orNull(wholes()),
    collectionId: orNull(fc.constantFrom(...FOLDERS)),
    categories: fc.array(texts(), { maxLength: 3 }),
    docType: fc.constantFrom(...DOC_TYPES),
    title: texts(),
    summary: texts(),
    meetingDate: orNull(wholes()),
    suggestedName: orNull(texts()),
    suggestedReason: orNull(texts()),
    suggestedCollectionId: orNull(names()),
    folderAnswered: fc.boolean(),
    sourceUrl: orNull(texts()),
    textState: fc.constantFrom('available', 'pending', 'absent'),
    hasCorrections: fc.boolean(),
    needsManual: fc.boolean(),
    createdAt: wholes(),
    updatedAt: wholes(),
  });

export const views = (): fc.Arbitrary<SavedView> =>
  fc.record({
    id: fc.uuid(),
    name: names(),
    filters: listFilters(),
    order: fc.constantFrom(...OBJECT_ORDERS),
    position: fc.integer({ min: 0, max: 3 }),
    createdAt: closeMoments(),
    updatedAt: wholes(),
  });

const listFilters = (): fc.Arbitrary<ListFilters> =>
  fc.record(
    {
      docType: fc.constantFrom(...DOC_TYPES),
      kind: fc.constantFrom(...OBJECT_KINDS),
      isLink: fc.boolean(),
      collectionId: fc.uuid(),
      uncategorized: fc.boolean(),
      includeHidden: fc.boolean(),
      hiddenOnly: fc.boolean(),
      trashed: fc.boolean(),
      notesOnly: fc.boolean(),
      status: fc.constantFrom(...OBJECT_STATUSES),
      themeId: fc.uuid(),
      category: names(),
      hasSuggestion: fc.boolean(),
      contentHash: fc.constant('c'.repeat(64)),
      createdFrom: wholes(),
      createdTo: wholes(),
    },
    { requiredKeys: [] },
  );

/** Objects that differ in filterable fields, with few values each. */
export const listedObjects = (): fc.Arbitrary<StoredObject> =>
  fc
    .record({
      isHidden: fc.boolean(),
      deletedAt: fc.constantFrom(null, null, 5),
      kind: fc.constantFrom('pdf', 'note', 'link'),
      docType: fc.constantFrom('report', 'note'),
      collectionId: fc.constantFrom(null, ...FOLDERS),
      textState: fc.constantFrom('available', 'pending'),
      createdAt: closeMoments(),
      contentHash: fc.constantFrom('a'.repeat(64), 'b'.repeat(64)),
      status: fc.constantFrom(...OBJECT_STATUSES),
      categories: fc.constantFrom(...CATEGORY_CHOICES),
      suggestedName: fc.constantFrom(null, null, 'better'),
      suggestedCollectionId: fc.constantFrom(null, null, ...FOLDERS),
      filename: fc.constantFrom(...FILENAMES),
      size: closeMoments(),
      updatedAt: closeMoments(),
    })
    .map((over) => anObject(over));

export const filters = (): fc.Arbitrary<ObjectFilter> =>
  fc.record(
    {
      visibility: fc.constantFrom('visible', 'hidden', 'any'),
      trashed: fc.boolean(),
      kinds: fc.constantFrom(...KIND_CHOICES),
      docType: fc.constantFrom('report', 'note'),
      collectionId: fc.constantFrom(null, ...FOLDERS, 'nobody-is-here'),
      collectionIds: fc.array(fc.constantFrom(...FOLDERS, 'nobody-is-here'), { maxLength: 3 }),
      textState: fc.constantFrom('available', 'pending', 'absent'),
      status: fc.constantFrom(...OBJECT_STATUSES),
      themeId: fc.constantFrom(THEME, 'no-theme'),
      category: fc.constantFrom('tAx', 'work', 'none'),
      hasSuggestion: fc.boolean(),
      suggestionFolders: fc.constantFrom(['folder-1'], []),
      contentHash: fc.constantFrom('a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)),
      createdFrom: closeMoments(),
      createdTo: closeMoments(),
    },
    { requiredKeys: ['visibility', 'trashed'] },
  );

const KIND_CHOICES = [
  ['pdf'],
  ['pdf', 'note'],
  OBJECT_KINDS.filter((kind) => kind !== 'link'),
  [...OBJECT_KINDS],
  [],
] as const;

const PLACES: readonly Pick<ObjectFilter, 'collectionId' | 'collectionIds'>[] = [
  {},
  { collectionId: null },
  { collectionId: 'folder-1' },
  { collectionIds: ['folder-2', 'folder-1', 'folder-2'] },
  { collectionId: 'folder-1', collectionIds: ['folder-2'] },
];

/** Saves the folders of the samples, the first in a theme. */
export async function makeFolders({ collections }: Pick<Stores, 'collections'>): Promise<void> {
  for (const [i, id] of FOLDERS.entries())
    await collections.save(aCollection({ id, name: id, themeId: i === 0 ? THEME : null }));
}

/** Whether a record in a folder passes the folder conditions of a filter. */
export const isInPlace = (
  collectionId: string | null,
  filter: Pick<ObjectFilter, 'collectionId' | 'collectionIds'>,
): boolean =>
  (filter.collectionId === undefined || filter.collectionId === collectionId) &&
  (!filter.collectionIds || (collectionId !== null && filter.collectionIds.includes(collectionId)));

const FURTHER: readonly Partial<ObjectFilter>[] = [
  { status: 'failed' },
  { themeId: THEME },
  { category: 'tax' },
  { hasSuggestion: true },
  { hasSuggestion: false },
  { hasSuggestion: true, suggestionFolders: ['folder-1'] },
  { contentHash: 'a'.repeat(64) },
  { createdFrom: 1 },
  { createdTo: 2 },
  { createdFrom: 1, createdTo: 3 },
];

/** Each further condition alone and with one of the others: all combinations would be too many. */
export function furtherFilters(): ObjectFilter[] {
  const others: readonly Partial<ObjectFilter>[] = [
    {},
    { kinds: ['pdf'] },
    { docType: 'note' },
    { textState: 'pending' },
    { status: 'ready' },
    { hasSuggestion: true, status: 'ready' },
    ...PLACES,
  ];
  return (['visible', 'hidden', 'any'] as const).flatMap((visibility) =>
    FURTHER.flatMap((further) =>
      others.map((other) => ({ visibility, trashed: false, ...other, ...further })),
    ),
  );
}

/** Every filter that distinguishes the samples. */
export function everyFilter(): ObjectFilter[] {
  const all: ObjectFilter[] = [];
  for (const visibility of ['visible', 'hidden', 'any'] as const)
    for (const trashed of [false, true])
      for (const kinds of [undefined, ...KIND_CHOICES])
        for (const docType of [undefined, 'note'] as const)
          for (const place of PLACES)
            for (const textState of [undefined, 'pending'] as const)
              all.push({
                visibility,
                trashed,
                ...(kinds && { kinds }),
                ...(docType && { docType }),
                ...place,
                ...(textState && { textState }),
              });
  return all;
}

/** The meaning of a filter, as a simple reference implementation. */
export const passes = (object: StoredObject, filter: ObjectFilter): boolean =>
  (filter.visibility === 'any' || (filter.visibility === 'hidden') === object.isHidden) &&
  filter.trashed === (object.deletedAt !== null) &&
  (!filter.kinds || filter.kinds.includes(object.kind)) &&
  (!filter.docType || filter.docType === object.docType) &&
  isInPlace(object.collectionId, filter) &&
  (!filter.textState || filter.textState === object.textState) &&
  (!filter.status || filter.status === object.status) &&
  (filter.themeId === undefined ||
    (filter.themeId === THEME && object.collectionId === FOLDERS[0])) &&
  (filter.category === undefined ||
    object.categories.map(categoryKey).includes(categoryKey(filter.category))) &&
  (filter.hasSuggestion === undefined ||
    filter.hasSuggestion ===
      (object.suggestedName !== null || isSuggested(object.suggestedCollectionId, filter))) &&
  (filter.contentHash === undefined || filter.contentHash === object.contentHash) &&
  (filter.createdFrom === undefined || object.createdAt >= filter.createdFrom) &&
  (filter.createdTo === undefined || object.createdAt < filter.createdTo);

const isSuggested = (folder: string | null, { suggestionFolders }: ObjectFilter): boolean =>
  folder !== null && (!suggestionFolders || suggestionFolders.includes(folder));

/** The newest first; of one moment the highest id first. */
export const newestFirst = (
  a: { readonly createdAt: number; readonly id: string },
  b: { readonly createdAt: number; readonly id: string },
): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

/** Code point order is that of UTF-8. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The orders of a list, as a simple reference implementation. */
export const IN_ORDER: Readonly<Record<ObjectOrder, (a: StoredObject, b: StoredObject) => number>> =
  {
    newest: newestFirst,
    oldest: (a, b) => newestFirst(b, a),
    name: (a, b) => byBytes(nameKey(a.filename), nameKey(b.filename)) || byBytes(a.id, b.id),
    largest: (a, b) => b.size - a.size || byBytes(b.id, a.id),
    updated: (a, b) => b.updatedAt - a.updatedAt || byBytes(b.id, a.id),
  };

export const objectTexts = (): fc.Arbitrary<ObjectText> =>
  fc.record({
    objectId: fc.uuid(),
    version: wholes(),
    source: fc.constantFrom('native', 'extracted', 'ocr'),
    language: fc.constantFrom('', 'en', 'zh'),
    text: texts(),
    pages: fc.array(fc.record({ page: wholes(), charStart: wholes(), charEnd: wholes() }), {
      maxLength: 3,
    }),
  });

export const enrichments = (): fc.Arbitrary<Enrichment> =>
  fc.record({
    objectId: fc.uuid(),
    version: wholes(),
    model: names(),
    language: fc.constantFrom('', 'en', 'ru'),
    title: texts(),
    description: texts(),
    summary: texts(),
    docType: fc.constantFrom(...DOC_TYPES),
    keywords: fc.array(texts(), { maxLength: 4 }),
    entities: structures(),
  });

export const settings = (): fc.Arbitrary<Settings> =>
  fc.record({
    autoRenameMode: fc.constantFrom(...AUTO_RENAME_MODES),
    calendarRemindersMessenger: fc.boolean(),
    chatMemory: fc.boolean(),
    proactive: fc.boolean(),
    timezone: names(),
    ui: structures(),
    prefs: structures(),
  });

export const agentRoles = (): fc.Arbitrary<CustomAgentRole> =>
  fc
    .record({
      slug: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/),
      name: names(),
      description: texts(),
      icon: texts(),
      persona: texts(),
      toolsets: fc.uniqueArray(fc.constantFrom(...TOOLSETS)),
      isImported: fc.boolean(),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((role) => ({ id: newId(), ...role }));

const newDigest = (): string => (++count).toString(16).padStart(64, '0');

export const anOfficeSession = (over: Partial<OfficeSession> = {}): OfficeSession => ({
  objectId: newId(),
  key: `key-${++count}`,
  openedVersion: 1,
  version: 1,
  state: 'open',
  editable: true,
  processedSaves: [],
  notifiedIssues: [],
  createdAt: 1_000,
  usedAt: 1_000,
  ...over,
});

export const aShare = (over: Partial<Share> = {}): Share => ({
  id: newId(),
  kind: 'folder',
  resourceId: newId(),
  role: 'viewer',
  name: '',
  prefix: 'abc123',
  digest: newDigest(),
  passwordHash: null,
  expiresAt: null,
  accessCount: 0,
  uploadCount: 0,
  uploadedBytes: 0,
  maxUploadBytes: 1_000_000,
  maxUploadFiles: 100,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});

let accounts = 0n;

export const aBot = (over: Partial<Bot> = {}): Bot => ({
  id: newId(),
  platform: 'telegram',
  accountId: BigInt(Date.now()) * 1_000_000n + ++accounts,
  username: 'harbour_bot',
  name: 'Harbour',
  sealedToken: 'sealed',
  linkCode: newDigest(),
  ownerChatId: null,
  webhook: null,
  reception: { state: 'polling', reason: '', failedWebhook: null },
  cursor: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});

export const aBotChat = (over: Partial<BotChat> = {}): BotChat => ({
  chatId: -1_001n,
  title: 'Harbour watch',
  description: '',
  collectionId: '',
  noteObjectId: '',
  memberCount: 0,
  knownCount: 0,
  proactiveAllowed: false,
  lastSeenAt: null,
  syncedAt: null,
  syncDueAt: 1_000,
  isPresent: true,
  presenceUpdateId: null,
  titleUpdateId: null,
  lastUpdateAt: 1_000,
  revision: 0,
  ...over,
});

export const aBotMember = (over: Partial<BotMember> = {}): BotMember => ({
  chatId: -1_001n,
  userId: 7n,
  displayName: 'Ada',
  username: 'ada',
  role: 'member',
  source: 'message',
  lastSeenAt: null,
  isPresent: true,
  presenceUpdateId: null,
  roleUpdateId: null,
  lastUpdateAt: 1_000,
  ...over,
});

/** Numbers of 64 bits, the edges among them. */
export const int64s = (): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, -1n, 0n, 1n, 2n ** 53n, 2n ** 53n + 1n),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  );

export const bots = (): fc.Arbitrary<Bot> =>
  fc
    .record({
      username: names(),
      name: texts(),
      sealedToken: names(),
      linkCode: names(),
      ownerChatId: orNull(int64s()),
      webhook: orNull(fc.record({ address: texts(), digest: names() })),
      reception: fc.record({
        state: fc.constantFrom(...BOT_STATES),
        reason: texts(),
        failedWebhook: orNull(
          fc.record({ address: texts(), reason: texts(), failures: wholes(), retryAt: wholes() }),
        ),
      }),
      cursor: orNull(fc.record({ after: int64s(), at: wholes() })),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((bot) => aBot(bot));

export const botChats = (): fc.Arbitrary<BotChat> =>
  fc.record({
    chatId: int64s(),
    title: texts(),
    description: texts(),
    collectionId: texts(),
    noteObjectId: texts(),
    memberCount: wholes(),
    knownCount: wholes(),
    proactiveAllowed: fc.boolean(),
    lastSeenAt: orNull(wholes()),
    syncedAt: orNull(wholes()),
    syncDueAt: wholes(),
    isPresent: fc.boolean(),
    presenceUpdateId: orNull(int64s()),
    titleUpdateId: orNull(int64s()),
    lastUpdateAt: wholes(),
    revision: wholes(),
  });

export const botMembers = (): fc.Arbitrary<BotMember> =>
  fc.record({
    chatId: int64s(),
    userId: int64s(),
    displayName: texts(),
    username: texts(),
    role: fc.constantFrom(...MEMBER_ROLES),
    source: fc.constantFrom(...MEMBER_SOURCES),
    lastSeenAt: orNull(wholes()),
    isPresent: fc.boolean(),
    presenceUpdateId: orNull(int64s()),
    roleUpdateId: orNull(int64s()),
    lastUpdateAt: wholes(),
  });

export const shares = (): fc.Arbitrary<Share> =>
  fc
    .record({
      kind: fc.constantFrom(...SHARE_KINDS),
      role: fc.constantFrom(...SHARE_ROLES),
      name: texts(),
      passwordHash: orNull(names()),
      expiresAt: orNull(wholes()),
      accessCount: wholes(),
      uploadCount: wholes(),
      uploadedBytes: wholes(),
      maxUploadBytes: wholes(),
      maxUploadFiles: wholes(),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((share) => aShare(share));

export const integrations = (): fc.Arbitrary<Integration> =>
  fc.record({
    kind: fc.constantFrom(...INTEGRATION_KINDS),
    config: structures(),
    sealedSecret: orNull(names()),
    secretHint: fc.constantFrom('', 'a1b2'),
    enabled: fc.boolean(),
    health: fc.constantFrom('ok', 'error'),
    checkedAt: wholes(),
    lastError: texts(),
    habits: fc.subarray([...MODEL_HABITS]),
    updatedAt: wholes(),
  });

/** JSON as in a task or an agent's step. Negative zero is excluded, since JSON does not preserve it. */
export const linkPreviews = (): fc.Arbitrary<LinkPreview> =>
  fc
    .record({
      finalUrl: fc.webUrl(),
      title: texts(),
      siteName: texts(),
      description: texts(),
      image: orNull(
        fc.record({
          sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
          blobId: fc.uuid(),
          size: wholes(),
          mime: fc.constantFrom('image/png', 'image/webp'),
        }),
      ),
      fetchedAt: wholes(),
    })
    .map((preview) => ({ objectId: newId(), ...preview }));

export const structures = (): fc.Arbitrary<Record<string, unknown>> =>
  fc.dictionary(
    names(),
    fc.oneof(
      texts(),
      wholes(),
      fc.boolean(),
      fc.constant(null),
      fc.array(texts(), { maxLength: 2 }),
    ),
    { maxKeys: 3, noNullPrototype: true },
  );

const DAY = 86_400_000;

/** Time zones with unusual rules: half hours, a skipped day, a change at midnight, an interrupted summer time. */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
] as const;

/** Characters with a special meaning in a file of lines and names. */
const LINES = [
  'END:VEVENT\nEND:VCALENDAR\nBEGIN:VEVENT',
  'a\\nb\\\\n\\,\\;\\',
  ',;:"\'^n^^=',
  '\n \n\t\n',
  ' folded '.repeat(40),
  '\u2028\u2029\u0085',
  '𝕏é'.repeat(100),
];

/** Text as stored in an event: no control characters except line feed and tab, with a length limit in code points. */
export const eventTexts = (longest: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(...LINES, ...AWKWARD),
      fc.constant('𝕏,'.repeat(longest / 2)),
    )
    // eslint-disable-next-line no-control-regex
    .map((text) => [...text.replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')].slice(0, longest).join(''));

/** Around the changes of clocks, where times are shown twice or not at all, and anywhere. */
const calendarMoments = (): fc.Arbitrary<number> =>
  fc
    .oneof(
      fc.integer({ min: Date.UTC(1950, 0, 1) / 1_000, max: Date.UTC(2150, 0, 1) / 1_000 }),
      fc.integer({ min: Date.UTC(2026, 9, 25) / 1_000, max: Date.UTC(2026, 9, 26) / 1_000 }),
      fc.integer({ min: Date.UTC(2026, 10, 1) / 1_000, max: Date.UTC(2026, 10, 2) / 1_000 }),
    )
    .map((seconds) => seconds * 1_000);

const texted = () => ({
  title: eventTexts(500).map((text) => text || 'Untitled'),
  description: eventTexts(2_000),
  location: eventTexts(1_000),
  tz: fc.constantFrom(...ZONES),
  reminders: fc
    .uniqueArray(fc.constantFrom(0, 1, 15, 60, 1_440, 40_320), { maxLength: 6 })
    .map((minutes) => minutes.sort((a, b) => a - b)),
  status: fc.constantFrom(...EVENT_STATUSES),
});

/** The fields of a single event or a changed occurrence. Its start exists in local time. */
export const eventDetails = (zones: TimeZones): fc.Arbitrary<EventDetails> =>
  fc
    .record({
      ...texted(),
      instant: calendarMoments(),
      allDay: fc.boolean(),
      days: fc.nat({ max: 40 }),
      seconds: fc.nat({ max: 200_000 }),
    })
    .map(({ instant, days, seconds, ...said }) => {
      const shown = zones.toLocal(said.tz, instant);
      const later = zones.toInstant(said.tz, shown) !== instant;
      return said.allDay
        ? { ...said, start: midnight(shown), later: false, duration: { days, ms: 0 } }
        : { ...said, start: shown, later, duration: { days, ms: seconds * 1_000 } };
    });

const midnight = (local: number) => Math.floor(local / DAY) * DAY;

const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,-1FR;COUNT=10',
  'FREQ=YEARLY;X-OURS=1;UNTIL=2030',
];

/** Single events, and series with exceptions of every kind, each by its original. */
export const filedEvents = (zones: TimeZones): fc.Arbitrary<ICalendarEvent> =>
  fc
    .record({
      uid: eventTexts(100).map((text) => text.trim() || 'uid'),
      details: eventDetails(zones),
      rrule: fc.constantFrom('', ...RULES),
      changed: fc.array(
        fc.record({
          // Readings of a rule, that clocks need not show.
          original: calendarMoments(),
          details: fc.oneof(fc.constant(null), fc.constant('as the series'), eventDetails(zones)),
        }),
        { maxLength: 4 },
      ),
      number: orNull(fc.integer({ min: 1 })),
      createdAt: fc.nat(),
      updatedAt: fc.nat({ max: Date.UTC(2200, 0, 1) }),
    })
    .map(({ changed, ...event }) => {
      const exceptions =
        event.rrule === '' ? [] : changed.map((it) => exceptionOf(event.details, it));
      const byOriginal = new Map(exceptions.map((it) => [it.original, it]));
      return {
        ...event,
        details: { ...event.details, later: event.rrule === '' && event.details.later },
        exceptions: [...byOriginal.values()].sort((a, b) => a.original - b.original),
        line: 0,
      };
    });

function exceptionOf(
  series: EventDetails,
  changed: { original: number; details: EventDetails | 'as the series' | null },
): ICalendarException {
  const original = series.allDay ? midnight(changed.original) : changed.original;
  const details =
    changed.details === 'as the series'
      ? { ...series, start: original, later: false }
      : changed.details;
  return { original, details, line: 0 };
}
