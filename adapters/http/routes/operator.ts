import type { OperatorState } from '../../../core/operator/index.ts';
import { route } from '../route.ts';
import {
  closed,
  dateTime,
  flag,
  int,
  list,
  named,
  nullable,
  oneOf,
  text,
  type TypeOf,
} from '../schema.ts';
import { iso } from './shapes.ts';

const tag = 'Service';

const State = named(
  'OperatorState',
  closed({
    version: text({ description: 'Of the program.' }),
    schema: nullable(int({ description: 'Of the database; null without one.' })),
    profile: text(),
    runtime: text({ description: 'Version of Node.js.' }),
    started_at: dateTime(),
    storage: closed({
      stored_in: oneOf('folder', 'bucket', 'memory'),
      files: int({
        description: 'Objects of all owners, without hidden ones.',
      }),
      bytes: int({ description: 'Of their current versions.' }),
      free_bytes: nullable(int({ description: 'null where it is unknown, such as in a bucket.' })),
    }),
    queues: list(
      closed({
        kind: text(),
        waiting: int(),
        running: int(),
        failed: int(),
        oldest_due_at: nullable(dateTime()),
      }),
    ),
    backup: nullable(
      closed({
        at: dateTime(),
        complete: flag({ description: 'No file was missing or damaged.' }),
      }),
    ),
    drills: nullable(
      closed({
        at: dateTime(),
        items: list(closed({ name: text(), profile: text(), passed: flag() })),
        skipped: int(),
      }),
    ),
  }),
);

const shown = (state: OperatorState): TypeOf<typeof State> => {
  const { facts, queues, visible, freeBytes, backup, drills } = state;
  return {
    version: facts.version,
    schema: facts.schema,
    profile: facts.profile,
    runtime: facts.runtime,
    started_at: iso(facts.startedAt),
    storage: {
      stored_in: facts.storedIn,
      files: visible.files,
      bytes: visible.bytes,
      free_bytes: freeBytes,
    },
    queues: queues.map(({ oldestDueAt, ...queue }) => ({
      ...queue,
      oldest_due_at: oldestDueAt === null ? null : iso(oldestDueAt),
    })),
    backup: backup && { at: iso(backup.at), complete: backup.damaged === 0 },
    drills: drills && {
      at: iso(drills.at),
      items: drills.results.map(({ name, profile, hasPassed }) => ({
        name,
        profile,
        passed: hasPassed,
      })),
      skipped: drills.skipped,
    },
  };
};

export const operatorRoutes = [
  route({
    method: 'get',
    path: '/v1/operator',
    tag,
    name: 'getOperatorRights',
    summary: 'Whether the caller may see the state of the installation',
    description:
      'Operators are owners whose account role says so, and the first owner of an installation in the standalone profile.',
    access: 'owner',
    scope: 'account',
    reply: { json: named('OperatorRights', closed({ is_operator: flag() })) },
    run: (core, { caller }) => core.operator.isOperator(caller),
    present: (isOperator) => ({ is_operator: isOperator }),
  }),
  route({
    method: 'get',
    path: '/v1/operator/state',
    tag,
    name: 'getOperatorState',
    summary: 'The state of the installation, for its operator',
    description:
      'Versions, visible objects and their bytes, background tasks by kind, the last backup and the last drills. It names no owner and nothing that an owner has stored, and counts nothing hidden. 403 for everyone else. `backup` is null if no backup was recorded in the data folder of this process, `drills` if no report of the drills is there.',
    access: 'owner',
    scope: 'account',
    reply: { json: State },
    run: (core, { caller }) => core.operator.operatorState(caller),
    present: shown,
  }),
];
