import { dayKey, formatMonth } from '../../i18n/format.ts';
import { language, t } from '../../i18n/language.ts';
import { timeZone } from '../../state/preferences.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import type { ObjectOrder } from '../../data/object-filters.ts';

const DAY_MS = 86_400_000;

/** Today, yesterday, or the month in which a document was added; undefined in orders that are not by day. */
export function groupOf(
  item: ObjectItem,
  order: ObjectOrder,
  now = Date.now(),
): string | undefined {
  if (order !== 'newest' && order !== 'oldest') return undefined;
  const day = dayKey(item.created_at);
  if (day === dayKey(now)) return t().library.today;
  if (day === dayKey(now - DAY_MS)) return t().library.yesterday;
  return formatMonth(item.created_at);
}

let cache: { readonly context: string; readonly groups: WeakMap<ObjectItem, string> } = {
  context: '',
  groups: new WeakMap(),
};

/** Thousands of rows are grouped again with each page. */
function cachedGroupOf(item: ObjectItem, order: ObjectOrder): string | undefined {
  const now = Date.now();
  const context = [order, language.value, timeZone.value, dayKey(now)].join();
  if (cache.context !== context) cache = { context, groups: new WeakMap() };
  const found = cache.groups.get(item) ?? groupOf(item, order, now);
  if (found !== undefined) cache.groups.set(item, found);
  return found;
}

/** Indexes of the rows with which another group begins, as far as rows are in memory, with the group's name. */
export function headingsOf(
  rows: ReadonlyMap<number, ObjectItem>,
  order: ObjectOrder,
): ReadonlyMap<number, string> {
  const headings = new Map<number, string>();
  const groups = new Map<number, string | undefined>();
  for (const [index, item] of rows) groups.set(index, cachedGroupOf(item, order));
  for (const [index, group] of [...groups].toSorted(([a], [b]) => a - b)) {
    if (group === undefined) continue;
    // Above a gap it is not known which group was before.
    const isStart = index === 0 || (groups.has(index - 1) && groups.get(index - 1) !== group);
    if (isStart) headings.set(index, group);
  }
  return headings;
}
