import { BUILT_IN_SLUGS } from '../../ports/agent-roles.ts';
import { MAX_EXAMPLES, type IntegrityChecks, type RowCheck } from '../../ports/integrity.ts';
import type { SearchEntry } from '../../ports/search.ts';
import type { MemoryDatabase, OwnerState, Tables } from './database.ts';
import { byCodePoint } from './order.ts';
import { copiesOf } from './blob-locations.ts';

/** Kinds of tasks whose subject is not an object. */
const BOT_TASKS = ['bot.updates', 'bot.sync', 'bot.remind'];
const OTHER_TASKS = [
  'blob.remove',
  'storage.migrate',
  'objects.reorganize',
  'objects.bulk',
  'credit-referral',
  ...BOT_TASKS,
];

type Wrong = (state: OwnerState) => readonly string[];

const none: Wrong = () => [];

/** Values whose `of` refers to a missing row; null refers to nothing. */
const left = <T>(
  values: readonly T[],
  there: { get(id: string): unknown },
  of: (v: T) => string | null,
) =>
  values.flatMap((value) => {
    const id = of(value);
    return id !== null && there.get(id) === undefined ? [id] : [];
  });

const entriesOf = ({ search }: OwnerState): readonly SearchEntry[] =>
  search.objects.values().map(({ entry }) => entry);

/** The number of references to each content. */
function referencesIn({ tables }: OwnerState): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  const pictures = tables.links.values().flatMap(({ image }) => image ?? []);
  const parts = tables.uploadParts.values().flat();
  for (const { sha256 } of [...tables.versions.values().flat(), ...pictures, ...parts])
    held.set(sha256, (held.get(sha256) ?? 0) + 1);
  return held;
}

/** Counters that are computed on demand cannot drift, so these checks find nothing. */
const CHECKS: Readonly<Record<RowCheck, Wrong>> = {
  versions_without_object: ({ tables }) =>
    left(tables.versions.values().flat(), tables.objects, (version) => version.objectId),
  texts_without_object: ({ tables }) =>
    left(tables.texts.values(), tables.objects, (text) => text.objectId),
  corrections_without_object: ({ tables }) =>
    left(tables.corrections.values(), tables.objects, (correction) => correction.objectId),
  enrichments_without_object: ({ tables }) =>
    left(tables.enrichments.values(), tables.objects, (enrichment) => enrichment.objectId),
  previews_without_object: ({ tables }) =>
    left(tables.links.values(), tables.objects, (preview) => preview.objectId),
  thumbnails_without_object: ({ tables }) =>
    left(tables.thumbnails.values().flat(), tables.objects, (thumbnail) => thumbnail.objectId),
  moves_without_object: ({ tables }) =>
    left(tables.plannedMoves.values(), tables.objects, (move) => move.objectId),
  image_operations_without_object: ({ tables }) =>
    left(tables.imageOperations.values(), tables.objects, ({ objectId }) => objectId),
  notifications_without_object: ({ tables }) =>
    left(tables.notifications.values(), tables.objects, ({ objectId }) => objectId),
  tasks_without_object: ({ tables }) =>
    left(tables.tasks.values(), tables.objects, (task) =>
      OTHER_TASKS.includes(task.kind) ? null : task.subject,
    ),
  tasks_without_reorganization: ({ tables }) =>
    left(tables.tasks.values(), tables.reorganizations, (task) =>
      task.kind === 'objects.reorganize' ? task.subject : null,
    ),
  reorganizations_without_task: ({ tables }) =>
    left(tables.reorganizations.values(), tables.tasks, ({ id, state }) =>
      state === 'PENDING' || state === 'PROGRESS' ? id : null,
    ),
  image_operations_without_task: ({ tables }) => {
    const waiting = tables.imageOperations
      .values()
      .filter(({ state }) => state === 'accepted' || state === 'running');
    const started = waiting
      .filter(({ id }) => tables.tasks.get(id))
      .map(({ objectId }) => objectId);
    return [...new Set(waiting.map(({ objectId }) => objectId))].filter(
      (objectId) => !started.includes(objectId),
    );
  },
  moves_without_reorganization: ({ tables }) =>
    left(tables.plannedMoves.values(), tables.reorganizations, (move) => move.runId),
  places_without_reorganization: ({ tables }) =>
    [...tables.plannedPlaces.entries()].flatMap(([runId, places]) =>
      left(places, tables.reorganizations, () => runId),
    ),
  bulk_items_without_object: ({ tables }) =>
    left(tables.bulkItems.values(), tables.objects, ({ objectId }) => objectId),
  bulk_items_without_run: ({ tables }) =>
    left(tables.bulkItems.values(), tables.bulkRuns, ({ runId }) => runId),
  bulk_counts_without_run: ({ tables }) =>
    left(tables.bulkCounts.values(), tables.bulkRuns, ({ runId }) => runId),
  bulk_runs_without_task: ({ tables }) =>
    tables.bulkRuns
      .values()
      .filter(
        ({ id }) =>
          !tables.tasks
            .values()
            .some(({ kind, subject }) => kind === 'objects.bulk' && subject === id),
      )
      .map(({ id }) => id),
  tasks_without_bulk_run: ({ tables }) =>
    left(tables.tasks.values(), tables.bulkRuns, ({ kind, subject }) =>
      kind === 'objects.bulk' ? subject : null,
    ),
  search_entries_without_object: (state) =>
    left(entriesOf(state), state.tables.objects, (entry) => entry.objectId),
  passages_without_entry: none,
  objects_without_search_entry: ({ tables, search }) =>
    left(tables.objects.values(), search.objects, (object) => object.id),
  objects_without_version: ({ tables }) =>
    tables.objects
      .values()
      .filter(
        (object) =>
          !tables.versions
            .get(object.id)
            ?.some(
              (version) =>
                version.version === object.version &&
                version.sha256 === object.contentHash &&
                version.blobId === object.blobId,
            ),
      )
      .map(({ id }) => id),
  objects_without_folder: ({ tables }) =>
    left(tables.objects.values(), tables.collections, (object) => object.collectionId),
  folders_without_theme: ({ tables }) =>
    left(tables.collections.values(), tables.themes, (folder) => folder.themeId),
  chats_without_folder: ({ tables }) =>
    left(tables.sessions.values(), tables.collections, (session) => session.collectionId),
  messages_without_chat: ({ tables }) =>
    left(tables.messages.values().flat(), tables.sessions, (message) => message.sessionId),
  chat_objects_without_chat: ({ tables }) =>
    left(
      [...tables.chatObjects.entries()].flatMap(([sessionId, objects]) =>
        [...objects.keys()].map((objectId) => ({ id: `${sessionId}/${objectId}`, sessionId })),
      ),
      tables.sessions,
      ({ sessionId }) => sessionId,
    ),
  exceptions_without_event: ({ tables }) =>
    left(tables.calendarExceptions.values(), tables.calendarEvents, ({ eventId }) => eventId),
  active_without_role: ({ tables }) => {
    const slug = tables.activeAgentRole.get('active');
    const known =
      slug === undefined ||
      BUILT_IN_SLUGS.some((each) => each === slug) ||
      tables.agentRoles.get(slug) !== undefined;
    return known ? [] : ['active'];
  },
  shares_without_resource: ({ tables }) =>
    tables.shares
      .values()
      .filter(({ kind, resourceId }) =>
        kind === 'file'
          ? tables.objects.get(resourceId) === undefined
          : tables.collections.get(resourceId) === undefined,
      )
      .map(({ id }) => id),
  accesses_without_share: ({ tables }) =>
    left(tables.shareAccesses.values(), tables.shares, ({ shareId }) => shareId),
  tries_without_share: ({ tables }) =>
    left(tables.shareTries.values(), tables.shares, ({ shareId }) => shareId),
  bots_without_task: ({ tables }) =>
    tables.bots
      .values()
      .filter(
        ({ id }) =>
          !tables.tasks
            .values()
            .some(({ kind, subject }) => kind === 'bot.updates' && subject === id),
      )
      .map(({ id }) => id),
  tasks_without_bot: ({ tables }) =>
    left(tables.tasks.values(), tables.bots, ({ kind, subject }) =>
      BOT_TASKS.includes(kind) ? subject : null,
    ),
  groups_without_bot: ({ tables }) =>
    left(tables.botChats.values(), tables.bots, ({ botId }) => botId),
  members_without_group: ({ tables }) =>
    left(
      tables.botMembers.values(),
      tables.botChats,
      ({ botId, value }) => `${botId}/${value.chatId}`,
    ),
  group_counts: ({ tables }) =>
    tables.botChats
      .values()
      .filter(({ botId, value }) => {
        const members = tables.botMembers
          .values()
          .filter((each) => each.botId === botId && each.value.chatId === value.chatId);
        return members.filter((each) => each.value.isPresent).length !== value.knownCount;
      })
      .map(({ botId }) => botId),
  parts_without_upload: ({ tables }) =>
    left([...tables.uploadParts.entries()], tables.uploads, ([id, parts]) =>
      parts.length > 0 ? id : null,
    ),
  upload_bytes: ({ tables }) =>
    tables.uploads
      .values()
      .filter(({ id, state, size, received }) => {
        const stored = (tables.uploadParts.get(id) ?? []).reduce((sum, part) => sum + part.size, 0);
        return received !== (state === 'finished' ? size : stored);
      })
      .map(({ id }) => id),
  office_sessions_without_object: ({ tables }) =>
    left(tables.officeSessions.values(), tables.objects, ({ objectId }) => objectId),
  event_numbers: ({ tables }) => {
    const events = tables.calendarEvents.values().sort((a, b) => byCodePoint(a.id, b.id));
    const last = tables.calendar.get('calendar')?.lastNumber ?? 0;
    const first = new Map([...events].reverse().map(({ number, id }) => [number, id]));
    return events
      .filter(({ number, id }) => number > last || first.get(number) !== id)
      .map(({ id }) => id);
  },
  contents_refs: (state) => {
    const held = referencesIn(state);
    const { contents } = state.tables;
    const miscounted = contents
      .values()
      .filter(({ sha256, refs }) => refs !== held.get(sha256))
      .map(({ sha256 }) => sha256);
    return [...miscounted, ...left([...held.keys()], contents, (sha256) => sha256)];
  },
  versions_content: ({ tables }) =>
    tables.versions
      .values()
      .flat()
      .filter((version) => {
        const content = tables.contents.get(version.sha256);
        return content?.blobId !== version.blobId || content.size !== version.size;
      })
      .map(({ objectId, version }) => `${objectId}/${version}`),
  object_counts: none,
  object_lists: none,
  list_counts: none,
  usage_bytes: none,
  notification_counts: none,
  notification_sights: ({ tables }) =>
    tables.notifications
      .values()
      .filter(({ objectId, isHidden }) => {
        const object = objectId === null ? { isHidden: false } : tables.objects.get(objectId);
        return object !== undefined && object.isHidden !== isHidden;
      })
      .map(({ id }) => id),
  chat_sights: ({ tables }) =>
    [...tables.chatObjects.entries()]
      .filter(([, objects]) =>
        [...objects].some(([objectId, isHidden]) => {
          const object = tables.objects.get(objectId);
          return object !== undefined && object.isHidden !== isHidden;
        }),
      )
      .map(([sessionId]) => sessionId),
  correction_flags: ({ tables }) =>
    tables.objects
      .values()
      .filter(({ id, hasCorrections }) => hasCorrections !== !!tables.corrections.get(id))
      .map(({ id }) => id),
  search_facts: (state) =>
    entriesOf(state)
      .filter((entry) => {
        const object = state.tables.objects.get(entry.objectId);
        if (!object) return false;
        const zone =
          object.deletedAt !== null ? 'excluded' : object.isHidden ? 'hidden' : 'visible';
        return (
          entry.zone !== zone ||
          entry.kind !== object.kind ||
          entry.docType !== object.docType ||
          entry.createdAt !== object.createdAt ||
          entry.collectionId !== object.collectionId
        );
      })
      .map(({ objectId }) => objectId),
  search_passages: none,
  search_terms: none,
  search_totals: none,
};

export function memoryIntegrity(database: MemoryDatabase): IntegrityChecks {
  return {
    examine: async (name) => {
      const found = [...database.states()].flatMap(([ownerId, state]) =>
        CHECKS[name](state).map((what) => `${ownerId}/${what}`),
      );
      return {
        name,
        count: found.length,
        examples: found.sort(byCodePoint).slice(0, MAX_EXAMPLES),
      };
    },
    blobReferences: async (after, limit) =>
      [...database.states()]
        .flatMap(([, { tables }]) => [
          ...tables.contents.values().map((content) => ({
            ...content,
            storedAs: storedWithService(tables, content.blobId),
            holder: 'contents',
          })),
          ...tables.thumbnails
            .values()
            .flat()
            .map((thumbnail) => ({
              ...thumbnail,
              storedAs: storedWithService(tables, thumbnail.blobId),
              holder: 'thumbnails',
            })),
        ])
        .filter(({ blobId }) => after === null || byCodePoint(blobId, after) > 0)
        .sort((a, b) => byCodePoint(a.blobId, b.blobId))
        .slice(0, limit)
        .map(({ blobId, storedAs, sha256, size, holder }) => ({
          blobId,
          storedAs,
          sha256,
          size,
          holder,
        })),
    subjects: async (taskKind) =>
      [...database.states()]
        .flatMap(([, { tables }]) => tables.tasks.values())
        .filter(({ kind, state }) => kind === taskKind && state !== 'failed')
        .map(({ subject }) => subject),
    securityEvents: async (after, limit) =>
      [...database.states()]
        .sort(([a], [b]) => byCodePoint(a, b))
        .flatMap(([ownerId, { tables }]) =>
          tables.securityEvents
            .values()
            .sort((a, b) => a.seq - b.seq)
            .map((event) => ({ ownerId, event })),
        )
        .filter(({ ownerId, event: { seq } }) => {
          if (after === null) return true;
          const order = byCodePoint(ownerId, after.ownerId);
          return order > 0 || (order === 0 && seq > after.seq);
        })
        .slice(0, limit),
  };
}

function storedWithService(tables: Tables, blobId: string): string | null {
  const here = copiesOf(tables, blobId).find(({ state }) => state === 'current');
  return (here?.location ?? 'service') === 'service' ? (here?.copyId ?? blobId) : null;
}
