import type { Bytes, Draft } from './draft.ts';
import type { Random } from './random.ts';
import { PROTOTYPE_NAMES, hostileText } from './vocabulary.ts';

type Change = (draft: Draft, random: Random) => boolean;

/** Headers that the service reads, or that something between reads, with values that have meaning there. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  Accept: [
    'text/html',
    '*/*;q=NaN',
    'text/html;q=1e9',
    ',,,',
    'text/event-stream',
    'x'.repeat(9_000),
  ],
  'Accept-Encoding': [
    'gzip',
    'br',
    'gzip;q=0, br;q=0',
    'identity;q=0',
    '*;q=0',
    'constructor',
    '__proto__, gzip',
  ],
  'Accept-Language': ['ru', 'zh-Hant-TW', '*', 'de;q=1e400', '-', 'x-klingon', 'en,'.repeat(3_000)],
  'Accept-Charset': ['utf-16', 'constructor'],
  Range: [
    'bytes=0-0',
    'bytes=-1',
    'bytes=9-1',
    'bytes=0-,0-,0-',
    'bytes=99999999999999999999-',
    'octets=1-2',
    `bytes=${'0-0,'.repeat(2_000)}0-0`,
  ],
  'If-None-Match': ['*', 'W/"x"', '"', '"a", W/"b",', ','.repeat(5_000), 'constructor'],
  'If-Range': ['"x"', 'W/"x"', 'Mon, 01 Jan 2024 00:00:00 GMT', 'never'],
  'If-Modified-Since': ['Mon, 01 Jan 2024 00:00:00 GMT', 'yesterday', '0'],
  'If-Match': ['*', '"x"'],
  'Idempotency-Key': ['key-1', '', 'x'.repeat(255), 'x'.repeat(256), '__proto__', 'a, b', ' '],
  Authorization: [
    'Basic YTpi',
    'Bearer',
    'Bearer  ',
    'bearer x',
    'Digest username="x"',
    'Bearer owt_aaaaaaaa_aaaa',
    'Bearer a b',
    'constructor',
    `Bearer ${'x'.repeat(9_000)}`,
  ],
  'X-Hidden-Token': ['x', 'constructor', '', 'x'.repeat(9_000)],
  'X-Share-Access': ['x', 'constructor', 'a.b.c'],
  'X-Telegram-Bot-Api-Secret-Token': ['x', '', 'constructor'],
  'X-Request-Id': ['a', 'x'.repeat(200), '../x', 'constructor', '{"a":1}'],
  Cookie: [
    'session=x',
    'session=',
    '__Host-session=x; session=y',
    'session=a; session=b',
    'share=x',
    '__proto__=1',
    '=;=;',
    'a=b;'.repeat(2_000),
    'share_access=%zz',
    '"',
  ],
  Origin: ['https://elsewhere.example', 'null', '://', 'x'],
  'Sec-Fetch-Site': ['cross-site', 'same-origin', 'constructor'],
  'X-Forwarded-For': [
    '1.2.3.4, 5.6.7.8',
    '::1',
    'unknown',
    '1.2.3.4, constructor',
    ','.repeat(3_000),
  ],
  'X-Forwarded-Proto': ['https', 'javascript', 'https, http'],
  'X-Forwarded-Host': ['elsewhere.example', 'a b', '"><script>'],
  Forwarded: ['for=1.2.3.4;host=elsewhere.example'],
  'X-HTTP-Method-Override': ['DELETE', 'constructor'],
  'Content-Disposition': ['attachment; filename="../x"'],
  'Content-Language': ['constructor'],
  'Content-Range': ['bytes 0-1/2'],
  'Content-MD5': ['x'],
  'Cache-Control': ['no-cache', 'max-age=x'],
  Pragma: ['no-cache'],
  'Access-Control-Request-Method': ['DELETE', 'constructor'],
  'Access-Control-Request-Headers': ['authorization', '*'],
  TE: ['trailers', 'gzip'],
  Trailer: ['Authorization'],
  'User-Agent': [''],
  'Keep-Alive': ['timeout=0, max=0'],
  'Max-Forwards': ['0'],
  'Proxy-Authorization': ['Basic x'],
  Via: ['1.1 x'],
};
const NAMES = [...Object.keys(VALUES), ...PROTOTYPE_NAMES];

/**
 * Bytes that are invalid in headers are escaped. The raw scenarios send them, because they expect no regular response.
 */
const headerText = (text: string): Bytes =>
  Buffer.from(
    text
      .toWellFormed()
      .replaceAll(/(?!\t)\p{Cc}/gu, '·')
      .slice(0, 20_000),
  );

function replaceHeader(draft: Draft, name: string, value: Bytes): void {
  const requested = name.toLowerCase();
  draft.headers = draft.headers.filter(([each]) => each.toLowerCase() !== requested);
  draft.headers.push([name, value]);
}

export const HEADER_CHANGES: readonly (readonly [number, string, Change])[] = [
  [
    12,
    'header value',
    (draft, random) => {
      const name = random.pick(NAMES);
      const listed = Object.hasOwn(VALUES, name) ? (VALUES[name] ?? []) : ['1'];
      const value = random.chance(0.6) ? random.pick(listed) : hostileText(random);
      replaceHeader(draft, name, headerText(value));
      return true;
    },
  ],
  [
    2,
    'repeated header',
    (draft, random) => {
      const name = random.pick(NAMES);
      const listed = Object.hasOwn(VALUES, name) ? (VALUES[name] ?? []) : ['1'];
      draft.headers.push([name, headerText(random.pick(listed))]);
      draft.headers.push([name.toLowerCase(), headerText(random.pick(listed))]);
      return true;
    },
  ],
  [
    1,
    'header flood',
    (draft, random) => {
      const count = random.pick([100, 900, 2_500]);
      for (let at = 0; at < count; at++) draft.headers.push([`X-Flood-${at}`, 'x']);
      return true;
    },
  ],
  [
    1,
    'header name',
    (draft, random) => {
      draft.headers.push([random.pick(PROTOTYPE_NAMES), random.pick(PROTOTYPE_NAMES)]);
      return true;
    },
  ],
  [
    1,
    'no authorization',
    (draft) => {
      draft.headers = draft.headers.filter(([name]) => name !== 'Authorization');
      return draft.operation.needsOwner;
    },
  ],
  [
    4,
    'content type',
    (draft, random) => {
      if (draft.body.kind === 'none') return false;
      replaceHeader(draft, 'Content-Type', headerText(random.pick(CONTENT_TYPES)));
      return true;
    },
  ],
];

const CONTENT_TYPES = [
  '',
  'application/json; charset=utf-16',
  'application/json; charset=constructor',
  'application/json;charset="utf-8',
  'APPLICATION/JSON',
  'application/vnd.x+json',
  'application/+json',
  'constructor',
  'application/__proto__+json',
  'text/plain',
  'text/plain; charset=__proto__',
  'text/calendar; charset=constructor',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-7',
  'application/octet-stream',
  'application/zip',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  'multipart/form-data; boundary=constructor',
  `multipart/form-data; boundary=${'x'.repeat(200)}`,
  `multipart/form-data; boundary=${'x'.repeat(300)}`,
  'multipart/form-data; boundary=é',
  'multipart/form-data; boundary="a b',
  'multipart/form-data; boundary=a; boundary=b',
  'multipart/mixed; boundary=fuzz-boundary',
  'application/json, text/plain',
  '/',
  ';',
  'x'.repeat(9_000),
];
