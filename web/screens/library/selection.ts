import type { Selected } from '../../data/bulk.ts';
import type { ObjectFilters } from '../../data/object-filters.ts';

/** Documents chosen one by one, or all that the list means but a few. */
export type Selection =
  | { readonly isAll: false; readonly ids: ReadonlySet<string> }
  | { readonly isAll: true; readonly except: ReadonlySet<string> };

export const NONE_SELECTED: Selection = { isAll: false, ids: new Set() };
export const ALL_SELECTED: Selection = { isAll: true, except: new Set() };

export const isSelected = (selection: Selection, id: string): boolean =>
  selection.isAll ? !selection.except.has(id) : selection.ids.has(id);

export const countSelected = (selection: Selection, total: number): number =>
  selection.isAll ? Math.max(0, total - selection.except.size) : selection.ids.size;

/** The selection with some documents ticked, or unticked. */
export function withTicked(
  selection: Selection,
  ids: readonly string[],
  isTicked: boolean,
): Selection {
  const named = new Set(selection.isAll ? selection.except : selection.ids);
  for (const id of ids)
    if (isTicked === selection.isAll) named.delete(id);
    else named.add(id);
  return selection.isAll ? { isAll: true, except: named } : { isAll: false, ids: named };
}

export const toSelected = (selection: Selection, filter: ObjectFilters): Selected =>
  selection.isAll ? { filter, except: [...selection.except] } : { ids: [...selection.ids] };
