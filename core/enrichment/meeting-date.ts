import type { Instant } from '../../ports/runtime.ts';
import type { FoundDate } from './entities/index.ts';

/** Words next to a date that mark it as the date of this meeting, or of the next one. */
const HELD =
  /(?:held on|date|дата|от|на|состоявш\S{0,4}|datum|vom|am|fecha|du|le)[ :.]*(?:\p{L}+,?\s)?$/iu;
const ANOTHER =
  /(?:next|previous|last|follow[- ]?up|due|deadline|until|till|by|before|since|following|следующ\p{L}*|предыдущ\p{L}*|прошл\p{L}*|прошедш\p{L}*|срок|до|не позднее|к|с|nächste\p{L}*|bis|prochaine?|avant|próxima|hasta)[\s:,.–-]{0,3}(?:(?:meeting|call|sync|session|встреча|собрание|заседание|созвон|совещание|sitzung|besprechung|réunion|reunión|is|will be|on|состоится|назначен\p{L}*|am|le|el|на|the)[\s:,.–-]{0,3}){0,4}$/iu;
const CLOCK =
  /^[^\n\d]{0,16}?(?<![\p{N}])(?<hour>[01]?\d|2[0-3])(?:[:.](?<minute>[0-5]\d)|(?<=\d)(?=\s?[ap]\.?m))\s?(?<half>[ap]\.?m)?/iu;
const NEAR = 60;
const HEAD = 600;

/**
 * When a meeting took place, from its notes: the first date near the beginning that is not attributed to another
 * meeting or to a task. Midnight UTC, or the time next to it, read as UTC. A date without a year is the one nearest
 * to `around`.
 */
export function meetingDateOf(
  text: string,
  dates: readonly FoundDate[],
  around: Instant,
): Instant | null {
  const complete = dates.filter(({ day }) => day !== undefined);
  const own = complete.filter(
    ({ start }) => !ANOTHER.test(text.slice(Math.max(0, start - NEAR), start)),
  );
  const said = own.find(({ start }) => HELD.test(text.slice(Math.max(0, start - 30), start)));
  const [first] = own;
  const date = first && first.start < HEAD ? first : (said ?? first);
  return date ? instantOf(date, text.slice(date.end, date.end + 40), around) : null;
}

function instantOf(date: FoundDate, after: string, around: Instant): Instant {
  const { hour = 0, minute = 0 } = clockWithin(date.text) ?? clockOf(after) ?? {};
  const at = (year: number): Instant => Date.UTC(year, date.month - 1, date.day, hour, minute);
  if (date.year !== undefined) return at(date.year);
  const year = new Date(around).getUTCFullYear();
  const [nearest = at(year)] = [year - 1, year, year + 1]
    .map(at)
    .sort((a, b) => Math.abs(a - around) - Math.abs(b - around));
  return nearest;
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
}

function clockWithin(date: string): Clock | undefined {
  const iso = /T(\d\d):(\d\d)/.exec(date);
  return iso ? { hour: Number(iso[1]), minute: Number(iso[2]) } : undefined;
}

function clockOf(text: string): Clock | undefined {
  const groups = CLOCK.exec(text)?.groups;
  if (!groups) return undefined;
  const hour = Number(groups['hour']);
  const half = groups['half']?.toLowerCase().charAt(0);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const turned = half === 'p' && hour < 12 ? 12 : half === 'a' && hour === 12 ? -12 : 0;
  return { hour: hour + turned, minute: Number(groups['minute'] ?? 0) };
}
