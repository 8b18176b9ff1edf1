import type { Imported as ImportResult } from '../../../../core/transfer/index.ts';
import { missingFile } from '../../request/multipart.ts';
import { route, streamRoute } from '../../route.ts';
import { closed, int, named, object, oneOf, type TypeOf } from '../../schema.ts';

const tag = 'Export and import';

const counted = { created: int(), unchanged: int() };
const Taken = named('Taken', closed(counted));
const Merged = named('Merged', closed({ ...counted, merged: int() }));

export const Imported = named(
  'Imported',
  closed({
    objects: Taken,
    themes: Merged,
    collections: Merged,
    chats: Merged,
    events: Taken,
    agents: Taken,
    views: Taken,
    new_ids: int(),
    settings: oneOf('imported', 'kept', 'none'),
  }),
);

export function presentImported(result: ImportResult): TypeOf<typeof Imported> {
  const { tallies, newIds, settings } = result;
  const { objects, themes, collections, chats, events, agents, views } = tallies;
  return {
    objects: { created: objects.created, unchanged: objects.unchanged },
    themes: { ...themes },
    collections: { ...collections },
    chats: { ...chats },
    events: { created: events.created, unchanged: events.unchanged },
    agents: { created: agents.created, unchanged: agents.unchanged },
    views: { created: views.created, unchanged: views.unchanged },
    new_ids: newIds,
    settings,
  };
}

export const transferRoutes = [
  streamRoute({
    method: 'get',
    path: '/v1/export',
    tag,
    name: 'exportWorkspace',
    summary: 'The whole workspace as one ZIP',
    description:
      'Files by theme and folder, everything else as JSON lines; `manifest.json`, the last file, lists size and SHA-256 of each. The calendar is `calendar.ics`. Secrets are not included. Hidden objects are, unless a PIN is set and the zone is locked. HEAD returns the headers only.',
    access: 'owner',
    scope: 'read',
    needsRecentSignIn: true,
    readsUnlockToken: true,
    reply: { stream: 'application/zip' },
    run: (core, { caller }) => core.transfer.exportWorkspace(caller),
  }),
  route({
    method: 'post',
    path: '/v1/import',
    tag,
    name: 'importArchive',
    summary: 'Import an export into an empty or used workspace',
    description:
      'The whole archive is verified before anything changes. Existing records stay as they are, so an import can be repeated. With an `Idempotency-Key` its progress and result can be read from `/v1/imports`. `merged` counts folders and themes merged into one of the same name, and continued chats; `new_ids` lists records whose id belongs to something else.',
    access: 'owner',
    // An archive holds records of all of them.
    scope: { all: ['write', 'ask', 'calendar', 'account'] },
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['bad_archive', 'plan_limit', 'too_many_roles', 'unsupported_type'],
    body: {
      multipart: object({}),
      files: { name: 'file', many: false, rawMediaType: 'application/zip', archive: true },
    },
    reply: {
      json: Imported,
    },
    run: async (core, { caller, files }) => {
      const [file] = files;
      if (!file) throw missingFile();
      return core.transfer.importArchive(caller, file);
    },
    present: presentImported,
  }),
];
