import { expect } from 'chai';
import type { Caller } from '../../core/shared/caller.ts';
import type { Imported } from '../../core/transfer/index.ts';
import { zipArchives } from '../../adapters/archive-zip/archive-format.ts';
import type { CustomAgentRole } from '../../ports/agent-roles.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import type { CoreFixture } from './core-fixture.ts';

/** The bytes of an export. */
export async function exported({ core }: CoreFixture, caller: Caller): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await core.transfer.exportWorkspace(caller)).bytes())
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* bytesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}

export async function imported(
  { core }: CoreFixture,
  caller: Caller,
  archive: Uint8Array,
  key?: string,
): Promise<Imported> {
  const sent = { filename: 'export.zip', bytes: bytesOf(archive), size: archive.length, key };
  return core.transfer.importArchive(caller, await core.transfer.receiveArchive(caller, sent));
}

/** The files of an archive by path, as text. */
export async function filesOf(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const source = {
    size: bytes.length,
    async *read({ first, last }: { first: number; last: number }) {
      yield await Promise.resolve(bytes.subarray(first, last + 1));
    },
  };
  const archive = await zipArchives().open(source, { maxEntries: 1e6, maxBytes: 1e12 });
  const files = new Map<string, string>();
  for (const path of archive.paths()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive.read(path)) chunks.push(chunk);
    files.set(path, Buffer.concat(chunks).toString());
  }
  return files;
}

/** An archive of exactly these files. */
export async function archiveOf(files: Iterable<readonly [string, string]>): Promise<Buffer> {
  const entries = async function* () {
    for (const [path, content] of files)
      yield await Promise.resolve({ path, content, compress: true, modifiedAt: 0 });
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipArchives().write(entries())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function previewOf({ links }: Pick<Stores, 'links'>, objectId: string) {
  const preview = await links.find(objectId);
  const { blobId: _, ...image } = preview?.image ?? {};
  return preview && { ...preview, image };
}

/** Roles of an archive say of themselves that they were imported. */
const asWrittenHere = ({ items, total }: Page<CustomAgentRole>): Page<CustomAgentRole> => ({
  items: items.map((role) => ({ ...role, isImported: false })),
  total,
});

/** The rows of an owner, without the locations of bytes, which are internal to the store. */
export async function rowsOf(backend: Backend, { caller }: CoreFixture) {
  return backend.uow.read(caller.scope, async (stores) => {
    const page = { limit: 1_000, offset: 0 };
    const any = { visibility: 'any' } as const;
    const objects = [
      ...(await stores.objects.page({ ...any, trashed: false }, page)).items,
      ...(await stores.objects.page({ ...any, trashed: true }, page)).items,
    ];
    const sessions = (await stores.chats.page({}, page)).items;
    return {
      objects: await sequentially(objects, async ({ blobId: _, ...object }) => ({
        object,
        versions: (await stores.versions.page(object.id, 1_000, 0)).items.map(
          ({ blobId: __, ...version }) => version,
        ),
        texts: await stores.texts.find(object.id),
        enrichment: await stores.enrichments.find(object.id),
        preview: await previewOf(stores, object.id),
        passages: await stores.search.passagesOf(object.id, 0, 1_000),
      })),
      themes: await stores.themes.page({ includeHidden: true }, page),
      collections: await stores.collections.page({}, page),
      chats: await sequentially(sessions, async (session) => ({
        session,
        messages: await stores.chats.messages(session.id, 1_000),
        objects: await stores.chats.objects(session.id, page),
      })),
      events: await sequentially(
        (await stores.calendar.page({ search: '', ...page })).items,
        // The next reminder depends on the current time.
        async ({ nextReminderAt: _, ...event }) => ({
          event,
          exceptions: await stores.calendar.exceptions(event.id),
        }),
      ),
      agentRoles: asWrittenHere(await stores.agentRoles.page(page)),
      activeRole: await stores.agentRoles.active(),
      views: await stores.views.list(1_000),
      settings: await stores.settings.find(),
      usedBytes: await stores.contents.usedBytes(),
    };
  });
}

const midnight = (day: number) => ({ local: Date.UTC(2026, 0, day), offsetMinutes: 0 });
const AGENDA = { from: midnight(-300), to: midnight(90), limit: 2_000 };

/** The owner's view: lists with their totals, bytes, searches. */
export async function seenBy({ core }: CoreFixture, caller: Caller, searches: readonly string[]) {
  const page = { limit: 100, offset: 0 };
  const lists = await Promise.all(
    [{}, { includeHidden: true }, { trashed: true, includeHidden: true }, { notesOnly: true }].map(
      (listing) => core.objects.listObjects(caller, listing, page),
    ),
  );
  const ids = [...new Set(lists.flatMap(({ items }) => items.map(({ object }) => object.id)))];
  const bytes: Record<string, string> = {};
  for (const id of ids) {
    const { items } = await core.objects.listVersions(caller, id, page);
    for (const { version } of items) {
      const chunks: Uint8Array[] = [];
      const content = await core.objects.readContent(caller, id, version);
      for await (const chunk of content.open()) chunks.push(chunk);
      bytes[`${id} ${version}`] = Buffer.concat(chunks).toString();
    }
  }
  return {
    lists: lists.map(({ items, total }) => ({
      total,
      items: items.map(({ object: { blobId: _, ...object }, collectionName }) => ({
        object,
        collectionName,
      })),
    })),
    bytes,
    searches: await Promise.all(
      searches.map(async (q) => {
        const { items, total } = await core.search.searchObjects(caller, {
          q,
          includeHidden: true,
          ...page,
        });
        return { total, items: items.map(({ view: { object }, ...hit }) => [object.id, hit]) };
      }),
    ),
    folders: await core.library.listCollections(caller, page),
    themes: await core.library.listThemes(caller, { ...page, includeHidden: true }),
    chats: await core.conversations.listChats(caller, page),
    agents: await listedRoles(core, caller, page),
    agenda: (await core.calendar.agenda(caller, AGENDA)).items.map(
      ({ details, span, originalAt }) => [details, span, originalAt],
    ),
    asked: await core.conversations.recentQueries(caller, { days: 90, limit: 100 }),
  };
}

/** The roles, which do not show whether they were imported. */
async function listedRoles({ agents }: CoreFixture['core'], caller: Caller, page: PageRequest) {
  const { items, total } = await agents.listAgents(caller, page);
  return {
    total,
    items: items.map(({ role, ...card }) => ({ ...card, role: { ...role, isImported: false } })),
  };
}

export function same(one: unknown, other: unknown): void {
  expect(JSON.parse(JSON.stringify(other))).to.deep.equal(JSON.parse(JSON.stringify(one)));
}

async function sequentially<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}
