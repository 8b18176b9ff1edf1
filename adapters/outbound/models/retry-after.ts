import type { IncomingHttpHeaders } from 'node:http';
import { MAX_RETRY_AFTER_SECONDS } from '../../../ports/language-model.ts';

/**
 * The seconds until a service accepts requests again: `Retry-After` in seconds or as an HTTP date (RFC 9110 §10.2.3), or
 * `Retry-After-Ms`, which some services send as well. Null if they are absent or malformed.
 */
export function retryAfterIn(headers: IncomingHttpHeaders, now: number): number | null {
  const seconds =
    numberIn(headers['retry-after']) ??
    untilDate(headers, now) ??
    // The shorter unit is for programs that read the longer one as well.
    thousandth(numberIn(headers['retry-after-ms']));
  return seconds === null ? null : Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_SECONDS);
}

type Header = IncomingHttpHeaders[string];

const first = (header: Header): string =>
  (Array.isArray(header) ? (header[0] ?? '') : (header ?? '')).trim();

const numberIn = (header: Header): number | null =>
  /^\d{1,15}(\.\d{1,9})?s?$/.test(first(header)) ? parseFloat(first(header)) : null;

const thousandth = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

/** Its day comes first, so that no other text is taken for a date. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** By the clock of the service if it states its time. A date that has passed is now. */
function untilDate(headers: IncomingHttpHeaders, now: number): number | null {
  const until = dateIn(headers['retry-after']);
  if (until === null) return null;
  return Math.max(0, until - (dateIn(headers['date']) ?? now)) / 1_000;
}

function dateIn(header: Header): number | null {
  const sent = first(header);
  const moment = HTTP_DATE.test(sent) ? Date.parse(sent) : NaN;
  return Number.isNaN(moment) ? null : moment;
}
