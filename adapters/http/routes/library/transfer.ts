import { missingFile } from '../../request/multipart.ts';
import { route, streamRoute } from '../../route.ts';
import { closed, int, named, object, oneOf } from '../../schema.ts';

const tag = 'Export and import';

const counted = { created: int(), unchanged: int() };
const Taken = named('Taken', closed(counted));
const Merged = named('Merged', closed({ ...counted, merged: int() }));

export const transferRoutes = [
  streamRoute({
    method: 'get',
    path: '/v1/export',
    tag,
    name: 'exportWorkspace',
    summary: 'Everything the workspace holds, as one ZIP file',
    description:
      'Files lie in it by theme and folder, everything else as JSON lines; `manifest.json`, its last file, lists the size and SHA-256 of each. The calendar is `calendar.ics`. Secrets are not in it. Hidden objects are, unless a PIN is set and the zone is locked. HEAD answers with the headers and makes nothing.',
    access: 'owner',
    readsUnlockToken: true,
    reply: { stream: 'application/zip' },
    run: (core, { caller }) => core.transfer.exportWorkspace(caller),
  }),
  route({
    method: 'post',
    path: '/v1/import',
    tag,
    name: 'importArchive',
    summary: 'Take an export back, into an empty or a filled workspace',
    description:
      'Nothing is changed before all of the archive was found sound. What is there already stays as it is, so that the same archive can be taken in again. `merged` counts folders and themes that went into one of the same name, and chats that were continued; `new_ids` what could not keep its id because something else has it.',
    access: 'owner',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['bad_archive', 'plan_limit', 'too_many_roles', 'unsupported_type'],
    body: {
      multipart: object({}),
      files: { name: 'file', many: false, rawMediaType: 'application/zip', archive: true },
    },
    reply: {
      json: named(
        'Imported',
        closed({
          objects: Taken,
          themes: Merged,
          collections: Merged,
          chats: Merged,
          events: Taken,
          agents: Taken,
          new_ids: int(),
          settings: oneOf('imported', 'kept', 'none'),
        }),
      ),
    },
    run: async (core, { caller, files }) => {
      const [file] = files;
      if (!file) throw missingFile();
      return core.transfer.importArchive(caller, file);
    },
    present: ({ tallies, newIds, settings }) => {
      const { objects, themes, collections, chats, events, agents } = tallies;
      return {
        objects: { created: objects.created, unchanged: objects.unchanged },
        themes: { ...themes },
        collections: { ...collections },
        chats: { ...chats },
        events: { created: events.created, unchanged: events.unchanged },
        agents: { created: agents.created, unchanged: agents.unchanged },
        new_ids: newIds,
        settings,
      };
    },
  }),
];
