import { byTime, type Item } from './items.ts';
import { DAY_MS, midnightOf, MINUTE_MS, WEEK, type Day } from './days.ts';

/** What stands in the lines of each day of a week, from the top. A bar has the same line on all of its days. */
export type WeekLines = readonly (readonly (Item | undefined)[])[];

export function linesOfWeek(items: readonly Item[], first: Day, days = WEEK): WeekLines {
  const lines: (Item | undefined)[][] = Array.from({ length: days }, () => []);
  for (const item of items.toSorted(byTime)) {
    const from = Math.max(item.firstDay - first, 0);
    const until = Math.min(item.lastDay - first, days - 1);
    if (from > until) continue;
    const own = lines.slice(from, until + 1);
    let line = 0;
    while (own.some((day) => day[line] !== undefined)) line++;
    for (const day of own) {
      while (day.length < line) day.push(undefined);
      day[line] = item;
    }
  }
  return lines;
}

/** A block in the column of a day. */
export interface Block {
  readonly item: Item;
  /** Minutes since midnight, as the clock shows them. */
  readonly from: number;
  readonly until: number;
  /** Of so many blocks side by side, which one. */
  readonly lane: number;
  readonly lanes: number;
}

const DAY_MINUTES = DAY_MS / MINUTE_MS;
/** A shorter one could not be read. */
const MIN_MINUTES = 30;

/** The blocks of a day: what overlaps stands side by side. */
export function blocksOfDay(items: readonly Item[], day: Day): readonly Block[] {
  const midnight = midnightOf(day);
  const spans = items
    .map((item) => {
      const from = Math.max(0, Math.floor((item.start - midnight) / MINUTE_MS));
      const end = Math.min(DAY_MINUTES, Math.ceil((item.end - midnight) / MINUTE_MS));
      const start = Math.min(from, DAY_MINUTES - MIN_MINUTES);
      return { item, from: start, until: Math.max(end, start + MIN_MINUTES) };
    })
    .toSorted((a, b) => a.from - b.from || b.until - a.until);
  const blocks: Block[] = [];
  let group: { readonly span: (typeof spans)[number]; readonly lane: number }[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const { span, lane } of group) blocks.push({ ...span, lane, lanes: ends.length });
    group = [];
    ends = [];
  };
  for (const span of spans) {
    if (group.length > 0 && ends.every((end) => end <= span.from)) close();
    const free = ends.findIndex((end) => end <= span.from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = span.until;
    group.push({ span, lane });
  }
  close();
  return blocks;
}
