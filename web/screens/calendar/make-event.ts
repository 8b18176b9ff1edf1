import type { DocumentText } from '../viewer/document.ts';
import type { DocumentDetail } from '../viewer/kinds.ts';
import { codePointsBefore, type TextRange } from '../viewer/text/range.ts';
import { to } from '../../app/address.ts';
import { timeZone } from '../../state/preferences.ts';
import { createEvent } from './changes.ts';
import { isoWall, midnightOf, MINUTE_MS } from './days.ts';
import { dayOfWords, timeAfter } from './found-dates.ts';
import { shortDayText } from './formats.ts';
import { descriptionOf } from './from-document.ts';
import { addressOf } from './view-state.ts';
import { today } from './zones.ts';

const MAX_QUOTE = 300;
/** Of a file; a title has none. */
const EXTENSION = /\.[a-z0-9]{2,5}$/i;
const HOUR_MS = 60 * MINUTE_MS;

export interface MadeEvent {
  /** Of the day in the calendar. */
  readonly address: string;
  readonly day: string;
}

/** Makes an event of a date that was found in a document. Undefined if it names no day. Never of a hidden document. */
export async function makeEvent(
  shown: DocumentDetail,
  reading: DocumentText | undefined,
  words: string,
): Promise<MadeEvent | undefined> {
  if (shown.is_hidden) return undefined;
  const day = dayOfWords(words, shown.enrichment?.language ?? '', today());
  if (day === undefined) return undefined;
  const text = reading?.text ?? '';
  const at = text.indexOf(words);
  const range: TextRange | undefined = at < 0 ? undefined : { start: at, end: at + words.length };
  const minutes = range && timeAfter(text.slice(range.end, range.end + 40));
  const start = midnightOf(day) + (minutes ?? 0) * MINUTE_MS;
  const end = minutes === undefined ? midnightOf(day + 1) : start + HOUR_MS;
  const place = range
    ? `#t=${codePointsBefore(text, range.start)}-${codePointsBefore(text, range.end)}`
    : '';
  const event = await createEvent({
    title: shown.display_name.replace(EXTENSION, ''),
    starts_at: isoWall(start),
    ends_at: isoWall(end),
    tz: timeZone.peek(),
    all_day: minutes === undefined,
    description: descriptionOf(
      range ? quoteAround(text, range) : words,
      to(`/object/${shown.id}${place}`),
    ),
  });
  const address = addressOf({ view: 'day', day }, { id: event.id, at: event.starts_at });
  return { address, day: shortDayText(day) };
}

/** The sentence, or the line, that has the words. */
function quoteAround(text: string, { start, end }: TextRange): string {
  const before = text.slice(Math.max(0, start - MAX_QUOTE / 2), start);
  const after = text.slice(end, end + MAX_QUOTE / 2);
  const from = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. ') + 1);
  const until = /\n|[.!?](?=\s|$)/.exec(after);
  const rest = until ? after.slice(0, until.index + (until[0] === '\n' ? 0 : 1)) : after;
  return `${before.slice(from + 1)}${text.slice(start, end)}${rest}`.replaceAll(/\s+/g, ' ').trim();
}
