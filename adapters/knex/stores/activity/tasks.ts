import type { Task, TaskStore } from '../../../../ports/tasks.ts';
import type { Instant } from '../../../../ports/runtime.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap } from '../../record-mapper.ts';
import { upsertText, type Sql, type Value } from '../../sql.ts';

const TASK = recordMap<Task>({
  id: plain('id'),
  kind: plain('kind'),
  subject: plain('subject'),
  payload: json('payload'),
  state: plain('state'),
  attempts: plain('attempts'),
  dueAt: plain('due_at'),
  leaseUntil: plain('lease_until'),
  error: plain('error'),
  createdAt: plain('created_at'),
});
const COLUMNS = TASK.columns.join(', ');
const SAVE = upsertText('tasks', ['owner_id', 'claimable_at', ...TASK.columns], ['owner_id', 'id']);

/** The time from which a process may claim the task; null for never. */
const claimableAt = (task: Task): Instant | null =>
  task.state === 'waiting' ? task.dueAt : task.state === 'running' ? task.leaseUntil : null;

export function knexTasks(sql: Sql, { ownerId }: OwnerScope): TaskStore {
  return {
    find: async (id) => {
      const row = await sql.get<Record<string, Value>>(
        `select ${COLUMNS} from tasks where owner_id = ? and id = ?`,
        [ownerId, id],
      );
      return row && TASK.from(row);
    },
    findFor: async (subject, kind) => {
      const rows = await sql.all<Record<string, Value>>(
        `select ${COLUMNS} from tasks where owner_id = ? and subject = ? and kind = ?
         order by created_at, id`,
        [ownerId, subject, kind],
      );
      return rows.map(TASK.from);
    },
    save: (task) => sql.enqueueChange(SAVE, [ownerId, claimableAt(task), ...TASK.values(task)]),
    remove: (id) =>
      sql.enqueueChange('delete from tasks where owner_id = ? and id = ?', [ownerId, id]),
    removeFor: (subject) =>
      sql.enqueueChange('delete from tasks where owner_id = ? and subject = ?', [ownerId, subject]),
    nextWaiting: async (kind) => {
      const row = await sql.get<Record<string, Value>>(
        `select ${COLUMNS} from tasks where owner_id = ? and kind = ? and state = 'waiting'
         order by due_at, created_at, id limit 1`,
        [ownerId, kind],
      );
      return row && TASK.from(row);
    },
    expedite: (kind, dueAt) =>
      sql.enqueueChange(
        `update tasks set due_at = ?, claimable_at = ?
         where owner_id = ? and kind = ? and state = 'waiting' and due_at > ?`,
        [dueAt, dueAt, ownerId, kind, dueAt],
      ),
    countDelayed: async (kind) => {
      const row = await sql.get<{ readonly delayed: number }>(
        `select count(distinct objects.id) as delayed from tasks
         join objects on objects.owner_id = tasks.owner_id and objects.id = tasks.subject
         where tasks.owner_id = ? and tasks.kind = ? and tasks.state <> 'failed'
           and tasks.error is not null and objects.is_hidden = 0 and objects.deleted_at is null`,
        [ownerId, kind],
      );
      return Number(row?.delayed ?? 0);
    },
  };
}
