import { RawJson } from './json-text.ts';
import type { Random } from './random.ts';

/** Inherited names that a lookup on a plain object finds (prototype pollution). */
export const PROTOTYPE_NAMES: readonly string[] = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  '__defineGetter__',
  'toJSON',
  'then',
  'length',
];

const BLANK = ['', ' ', '\t', '\n', '\r\n', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u2028'];

const CONTROL = [
  '\0',
  'a\0b',
  '\u0001\u0002\u0007\b\u001b[31m',
  '\u007f',
  '\u0080\u0085\u009f',
  'x\r\nX-Injected: yes',
  'x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
];

const UNPAIRED = ['\ud800', 'a\udfffb', '\udc00\ud800', '😀'.slice(0, 1), 'x\udbff'];

const LOOK_ALIKE = [
  '\u202efdp.exe',
  '\u2066a\u2069',
  'раураl',
  'ℂ𝕠𝕟𝕤𝕥𝕣𝕦𝕔𝕥𝕠𝕣',
  'ﬁle',
  'İstanbul',
  'ß',
  'K',
  'e\u0301',
  'é',
  'x\u200d\u200c\u2060y',
  `a${'\u0300'.repeat(400)}`,
  '👨‍👩‍👧‍👦'.repeat(30),
  '\u{10ffff}\u{1fffe}',
  '\ufffd\ufffe\uffff',
];

const NUMERIC = [
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
  '00',
  '007',
  '+5',
  ' 5 ',
  '0x10',
  '0b1',
  '1e3',
  '1e400',
  '1_000',
  '٣',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '2147483648',
  '-1',
  '0',
  '101',
  '5.5',
  '9'.repeat(400),
];

const TEMPORAL = [
  '2026-02-30',
  '2026-01-05T09:00:00Z',
  '0000-00-00T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999999999-23:59',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01',
  '2026-06-30T23:59:60Z',
  '2026-01-05T24:00:00Z',
  '2026-W01-1',
  '1582-10-10',
  '2026-03-29T02:30:00',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/Argentina/ComodRivadavia',
  'Etc/GMT+14',
  'UTC+01:00',
  'posixrules',
  '../../etc/localtime',
  'europe/berlin',
];

const RULES = [
  'FREQ=DAILY;COUNT=3',
  'FREQ=SECONDLY',
  'FREQ=DAILY;COUNT=1000000000',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=HOURLY;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12',
  'FREQ=YEARLY;BYDAY=-53MO;BYSETPOS=-366',
  `FREQ=YEARLY;BYYEARDAY=${Array.from({ length: 110 }, (_, day) => day + 1).join(',')}`,
  'FREQ=WEEKLY;UNTIL=99991231T235959Z;BYDAY=MO',
  'FREQ=DAILY;FREQ=DAILY',
  'RRULE:FREQ=DAILY',
];

const PATHS = [
  '.',
  '..',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\x',
  'CON',
  'a/b',
  'name.',
  '.htaccess',
  '%2e%2e%2f',
  'file:///etc/passwd',
  'x\0.png',
];

const SNIPPETS = [
  `' OR '1'='1`,
  `x'); DROP TABLE objects; --`,
  '$1 $2 ?',
  ':name ::text',
  '%_\\',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '{{7*7}}${7*7}<%= 7*7 %>#{7*7}',
  '%s%n%x',
  '$(id)`id`;id|id',
  '"unclosed -',
  '- -- --- * ** "',
  'a* OR b* NEAR/9 c AND NOT (',
  `${'a'.repeat(40)}!`,
  `${'(a+'.repeat(30)}`,
  `${' '.repeat(3_000)}x`,
  'owt_aaaaaaaa_',
  '0'.repeat(36),
  '7B0C3F9E3F3A4F0E9F0E0A0B0C0D0E0F',
  'urn:uuid:7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f',
  '{7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f}',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '*',
  ',',
  ';=',
  '"',
  '\\',
];

const TEXTS: readonly (readonly string[])[] = [
  PROTOTYPE_NAMES,
  BLANK,
  CONTROL,
  UNPAIRED,
  LOOK_ALIKE,
  NUMERIC,
  TEMPORAL,
  RULES,
  PATHS,
  SNIPPETS,
];

/** Lengths around the bounds of the interface: code points of a name, a header block, a body. */
const LENGTHS: readonly (readonly [weight: number, length: number])[] = [
  [20, 256],
  [20, 501],
  [10, 5_000],
  [6, 20_000],
  [3, 70_000],
  [1, 1_000_000],
];
const FILLINGS = ['x', 'é', '😀', ' ', '\u0300', '[', '"', '%'];

/** Spellings of this machine's loopback address. The service must not connect to any of them for a link. */
export const loopbackUrls = (port: number): readonly string[] =>
  [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    'localhost',
    'localhost.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '127.0.0.1',
    '①②⑦.0.0.1',
    'user:pass@127.0.0.1',
    '127。0。0。1',
  ].map((host) => `http://${host}:${port}/`);

/** A text that has broken something somewhere. */
export function hostileText(random: Random): string {
  if (random.chance(0.94)) return random.pick(random.pick(TEXTS));
  const length = random.weighted(LENGTHS);
  const filling = random.pick(FILLINGS);
  return filling.repeat(Math.ceil(length / filling.length));
}

const NUMBERS: readonly string[] = [
  '1e400',
  '-1e400',
  '-0',
  '1e-400',
  '9007199254740993',
  '9223372036854775808',
  '123456789012345678901234567890',
  '5.0',
  '5.5',
  '0.1e1',
  '2147483648',
  '-2147483649',
  '0',
  '-1',
];

/** Not JSON, although some parsers take it. */
const BROKEN: readonly string[] = [
  'NaN',
  'Infinity',
  '00',
  '0x10',
  '+1',
  '.5',
  "'x'",
  'undefined',
  '[1,]',
  '{"a":1,}',
  '"\\u12"',
  '"\\x41"',
  '/**/1',
];

const nested = (levels: number, open: string, close: string) =>
  new RawJson(`${open.repeat(levels)}1${close.repeat(levels)}`);

/** A JSON value that fits nowhere, or only just. */
export function hostileValue(random: Random): unknown {
  return random.weighted<() => unknown>([
    [10, () => hostileText(random)],
    [3, () => new RawJson(random.pick(NUMBERS))],
    [1, () => new RawJson(random.pick(BROKEN))],
    [3, () => random.pick([null, true, false, 0, [], {}, '', -1])],
    [1, () => nested(random.pick([10, 62, 63, 64, 65, 5_000]), '[', ']')],
    [1, () => nested(random.pick([10, 62, 63, 64, 65, 5_000]), '{"a":', '}')],
    [1, () => Array.from({ length: random.pick([2, 501, 10_000]) }, () => hostileText(random)[0])],
    [1, () => ({ [random.pick(PROTOTYPE_NAMES)]: { polluted: 'yes' } })],
    [1, () => new RawJson('{"__proto__":{"polluted":"yes","proactive":true}}')],
    [1, () => ({ [hostileText(random)]: hostileText(random) })],
    [1, () => [hostileText(random), null, 1, {}]],
  ])();
}

/** Bytes that are no UTF-8: cut off, overlong, surrogates, beyond the last code point. */
export const INVALID_UTF8: readonly Buffer[] = [
  [0xff],
  [0xc3],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0x80],
].map((bytes) => Buffer.from(bytes));
