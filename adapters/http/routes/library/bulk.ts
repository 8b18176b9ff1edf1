import { BULK_ACTIONS, BULK_STATES } from '../../../../ports/bulk-runs.ts';
import type { BulkChange, BulkOutcome, BulkProgress } from '../../../../core/objects/index.ts';
import { route } from '../../route.ts';
import {
  clearable,
  closed,
  dateTime,
  int,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import type { CrossFieldError } from '../../validation/json/json-validator.ts';
import { validationError } from '../../validation/compile-request.ts';
import { iso, isoOrNull } from '../shapes.ts';
import { listingOf, ObjectFilters } from './filters.ts';
import { categories } from './objects.ts';

const tag = 'Objects';
const MAX_IDS = 500;

const Bulk = object({
  ids: optional(list(uuid(), { minItems: 1, maxItems: MAX_IDS })),
  filter: optional(ObjectFilters),
  except: optional(
    list(uuid(), { maxItems: MAX_IDS, description: 'Objects that `filter` leaves out.' }),
  ),
  action: oneOf(...BULK_ACTIONS),
  collection_id: optional(clearable(uuid())),
  categories: optional(categories),
});

/** Either `ids` or `filter`; `except` belongs to the filter. */
function misfits(
  _params: unknown,
  { ids, filter, except }: Readonly<Record<string, unknown>>,
): readonly CrossFieldError[] {
  if (ids === undefined && filter === undefined)
    return [{ field: 'ids', type: 'missing', msg: 'Field required' }];
  if (ids === undefined) return [];
  const error = (field: string): CrossFieldError => ({
    field,
    type: 'value_error',
    msg: 'Value error, ids can not be combined with filter or except',
    ctx: { error: {} },
  });
  return [
    ...(filter === undefined ? [] : [error('filter')]),
    ...(except === undefined ? [] : [error('except')]),
  ];
}

function bulkChange(body: TypeOf<typeof Bulk>): BulkChange {
  const { action } = body;
  if (action === 'move') return { action, collectionId: body.collection_id ?? null };
  if (action !== 'categorize') return { action };
  if (body.categories === undefined)
    throw validationError(['body', 'categories'], 'missing', 'Field required', body);
  return { action, categories: body.categories };
}

const BulkRun = named(
  'BulkRun',
  closed({
    task_id: uuid(),
    action: oneOf(...BULK_ACTIONS),
    undo_of: nullable(uuid({ description: 'The run whose changes this one puts back.' })),
    state: oneOf(...BULK_STATES),
    total: int({ description: 'Objects found so far; all of them after the first change.' }),
    done: int(),
    failed: list(closed({ code: text(), count: int() })),
    undo_until: nullable(dateTime({ description: 'null if it can not be undone.' })),
    created_at: dateTime(),
  }),
);

const bulkRun = ({ run, undoUntil, ...counts }: BulkProgress): TypeOf<typeof BulkRun> => ({
  task_id: run.id,
  action: run.action,
  undo_of: run.undoOf,
  state: run.state,
  total: counts.total,
  done: counts.done,
  failed: counts.failed.map(({ code, count }) => ({ code, count })),
  undo_until: isoOrNull(undoUntil),
  created_at: iso(run.createdAt),
});

type Started = Pick<BulkOutcome, 'taskId'> & Partial<BulkOutcome>;

/** Task ids are opaque. */
const taskPath = object({ task_id: text() });

export const bulkRoutes = [
  route({
    method: 'post',
    path: '/v1/objects/bulk',
    tag,
    name: 'changeObjects',
    summary: 'Apply one action to many objects',
    description:
      '`delete` erases permanently. `move` removes objects from their folders unless `collection_id` names one; `categorize` needs `categories`. With `ids`, each id ends in `done` or, with the code of the single operation, in `failed`; both keep the order of the request, and a repeated id counts once. Fifty objects at a time change in one transaction; an `Idempotency-Key` is ignored. With `filter`, the response has `task_id` only, and up to 100 000 objects are changed in the background: those that the filter selects and `except` does not name. Objects added after the request are not among them. The hidden zone counts as it was at the request. At most three such runs are unfinished at a time. A run can be undone for 24 hours; of more than 20 runs by filter or 200 by ids, only the newest.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    // A request by ids can be repeated: what is done already is not changed again.
    usesKey: ({ ids }) => ids === undefined,
    errors: [
      'not_found',
      'hidden_locked',
      'unknown_kind',
      'unknown_doc_type',
      'too_many_objects',
      'too_many_bulk_runs',
    ],
    body: { json: Bulk, crossFieldRules: misfits },
    reply: {
      json: named(
        'BulkOutcome',
        closed({
          task_id: uuid(),
          done: optional(list(uuid())),
          failed: optional(list(closed({ id: uuid(), code: text() }))),
        }),
      ),
    },
    run: async (core, { caller, body }): Promise<Started> => {
      const change = bulkChange(body);
      return body.ids
        ? core.objects.updateMany(caller, body.ids, change)
        : core.objects.updateMatching(
            caller,
            listingOf(body.filter ?? {}),
            body.except ?? [],
            change,
          );
    },
    present: ({ taskId, done, failed }) => ({
      task_id: taskId,
      ...(done && { done: [...done] }),
      ...(failed && { failed: failed.map(({ id, code }) => ({ id, code })) }),
    }),
  }),
  route({
    method: 'get',
    path: '/v1/objects/bulk/:task_id',
    tag,
    name: 'getBulkRun',
    summary: 'Progress and result of a bulk change',
    description:
      '`done` and `failed` add up to `total` at the end. While the hidden zone is locked, objects that are hidden now are not counted, and a run whose filter included hidden objects is 404. A run is stored for 24 hours after its end.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: taskPath,
    reply: { json: BulkRun },
    run: (core, { caller, params }) => core.objects.getBulkRun(caller, params.task_id),
    present: bulkRun,
  }),
  route({
    method: 'post',
    path: '/v1/objects/bulk/:task_id/undo',
    tag,
    name: 'undoBulkRun',
    summary: 'Put back what a bulk change changed',
    description:
      'It runs in the background as a run of its own, which can be undone as well. An object whose value has been changed since fails with `changed_since`. Erased objects can not be restored: 409 `not_undoable`. A run that has not ended is 409 `still_running`.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'not_undoable', 'still_running', 'too_many_bulk_runs'],
    params: taskPath,
    reply: { json: BulkRun },
    run: (core, { caller, params }) => core.objects.undoBulk(caller, params.task_id),
    present: bulkRun,
  }),
];
