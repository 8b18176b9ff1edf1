import { IMPORT_KINDS, IMPORT_STATES, type ImportRun } from '../../../../ports/import-runs.ts';
import type { CalendarImport } from '../../../../core/calendar/index.ts';
import type { Imported as ImportResult } from '../../../../core/transfer/index.ts';
import { route } from '../../route.ts';
import {
  closed,
  dateTime,
  int,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { CalendarImported, presentCalendarImport } from '../assistant/calendar-schemas.ts';
import { Deleted, deleted, iso, listReply } from '../shapes.ts';
import { Imported, presentImported } from './transfer.ts';

const tag = 'Export and import';

const fields = {
  import_id: uuid(),
  key: text({ description: 'The `Idempotency-Key` of its request.' }),
  kind: oneOf(...IMPORT_KINDS),
  filename: text({ description: 'Empty if the request was the file itself.' }),
  state: oneOf(...IMPORT_STATES),
  done: int({
    description:
      'While `receiving`: bytes. While `checking`: files of the archive. Then objects or events that are stored.',
  }),
  total: nullable(int({ description: 'null while it is not known.' })),
  code: nullable(text({ description: 'Of a failed import: the error code.' })),
  created_at: dateTime(),
};
const Run = named('ImportRun', closed(fields));
const RunResult = named(
  'ImportRunResult',
  closed({
    ...fields,
    workspace: nullable(Imported),
    calendar: nullable(CalendarImported),
  }),
);

/** A stored key begins with the operation and its path: see `keyOf`. */
const sentKey = (stored: string): string => stored.replace(/^\S+ \S+ /, '');

const shown = (run: ImportRun): TypeOf<typeof Run> => ({
  import_id: run.id,
  key: sentKey(run.key),
  kind: run.kind,
  filename: run.filename,
  state: run.state,
  done: run.done,
  total: run.total,
  code: run.code,
  created_at: iso(run.createdAt),
});

const importPath = object({ import_id: uuid() });

export const importRoutes = [
  route({
    method: 'get',
    path: '/v1/imports',
    tag,
    name: 'listImports',
    summary: 'Imports of the last seven days, newest first',
    description:
      'Imports of workspaces and calendars whose request had an `Idempotency-Key`, at most 20. While the hidden zone is locked, those that began while it was open, or without a PIN, are left out.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    reply: { json: listReply('ImportRunList', Run) },
    run: (core, { caller }) => core.imports.listImports(caller),
    present: (runs) => ({ items: runs.map(shown), total: runs.length }),
  }),
  route({
    method: 'get',
    path: '/v1/imports/:import_id',
    tag,
    name: 'getImport',
    summary: 'Progress and result of an import',
    description:
      '`interrupted`: the file did not arrive as a whole and nothing was changed, or the service ended meanwhile and `done` objects are stored. The import can be repeated: what is stored already stays as it is. The result of an archive does not count hidden objects if the zone was locked. An import that the list leaves out is 404.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: importPath,
    reply: { json: RunResult },
    run: (core, { caller, params }) => core.imports.getImport(caller, params.import_id),
    present: (run) => ({
      ...shown(run),
      workspace:
        run.kind === 'workspace' && run.report !== null
          ? presentImported(run.report as ImportResult)
          : null,
      calendar:
        run.kind === 'calendar' && run.report !== null
          ? presentCalendarImport(run.report as CalendarImport)
          : null,
    }),
  }),
  route({
    method: 'delete',
    path: '/v1/imports/:import_id',
    tag,
    name: 'dismissImport',
    summary: 'Forget an import that has ended',
    description: 'What it brought in stays. An import that has not ended is 409 `still_running`.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found', 'still_running'],
    params: importPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.imports.dismissImport(caller, params.import_id),
    present: deleted,
  }),
];
