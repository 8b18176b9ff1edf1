import type { ObjectOrder } from '../../ports/objects.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { ListFilters, SavedView } from '../../ports/views.ts';
import { saveResponse } from '../idempotency/index.ts';
import { requireKnownFilters } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { tooManyViews } from './errors.ts';
import { MAX_VIEW_POSITION, MAX_VIEWS } from './limits.ts';

export interface ViewDeps {
  readonly uow: UnitOfWork<'views' | 'idempotency'>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface ViewEdit {
  readonly name?: string;
  /** Replaces all filters. A folder or theme that does not exist is accepted: the view then lists nothing. */
  readonly filters?: ListFilters;
  readonly order?: ObjectOrder;
  readonly position?: number;
}

/** All saved views, in their order. They are the same whether the hidden zone is locked or not. */
export async function listViews(
  deps: Pick<ViewDeps, 'uow'>,
  caller: Caller,
): Promise<readonly SavedView[]> {
  return deps.uow.read(caller.scope, ({ views }) => views.list(MAX_VIEWS));
}

/** Saves a new view, after all others if no position is given. Ends with `too_many_views`. */
export async function createView(
  deps: ViewDeps,
  caller: Caller,
  input: ViewEdit & { readonly name: string },
): Promise<SavedView> {
  const now = deps.clock.now();
  const { filters = {} } = input;
  requireKnownFilters(filters);
  return deps.uow.write(caller.scope, async (stores) => {
    const others = await requireViewCapacity(stores.views);
    const last = others.at(-1)?.position ?? -1;
    const view: SavedView = {
      id: deps.random.uuid(),
      name: input.name,
      filters,
      order: input.order ?? 'newest',
      position: input.position ?? Math.min(last + 1, MAX_VIEW_POSITION),
      createdAt: now,
      updatedAt: now,
    };
    await stores.views.save(view);
    return saveResponse(stores, deps.clock, caller, view);
  });
}

/** Returns the existing views. Rejects if one more would exceed the limit. */
export async function requireViewCapacity(views: Stores['views']): Promise<readonly SavedView[]> {
  const existing = await views.list(MAX_VIEWS);
  if (existing.length >= MAX_VIEWS) throw tooManyViews();
  return existing;
}

/** Changes the given fields. */
export async function editView(
  deps: Pick<ViewDeps, 'uow' | 'clock'>,
  caller: Caller,
  id: string,
  edit: ViewEdit,
): Promise<SavedView> {
  if (edit.filters) requireKnownFilters(edit.filters);
  return deps.uow.write(caller.scope, async ({ views }) => {
    const view = await views.find(id);
    if (!view) throw notFound();
    const edited = { ...view, ...edit, updatedAt: deps.clock.now() };
    await views.save(edited);
    return edited;
  });
}

export async function deleteView(
  deps: Pick<ViewDeps, 'uow'>,
  caller: Caller,
  id: string,
): Promise<void> {
  await deps.uow.write(caller.scope, async ({ views }) => {
    if (!(await views.remove(id))) throw notFound();
  });
}
