import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import type { Draft, Part } from './draft.ts';
import type { Random } from './random.ts';
import { INVALID_UTF8, PROTOTYPE_NAMES, hostileText } from './vocabulary.ts';

type Change = (draft: Draft, random: Random) => boolean;

const BOMB_BYTES = 32 * 2 ** 20;
let bomb: Buffer | undefined;
/** Small once it is compressed, made once. */
const bombBytes = (): Buffer => (bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, ' ')));

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
const brotli = (bytes: Buffer): Buffer => brotliCompressSync(bytes, QUALITY);
const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
const same = (bytes: Buffer): Buffer => bytes;

/** Names of content codings with the applied change: none, truncation, or a different coding than declared. */
const CODINGS: readonly (readonly [name: string, coding: (body: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotli],
  ['zstd', zstdCompressSync],
  ['gzip', (body) => half(gzipSync(body))],
  ['br', (body) => half(brotli(body))],
  ['deflate', (body) => half(deflateSync(body))],
  ['gzip', (body) => Buffer.concat([gzipSync(body), gzipSync(body)])],
  ['gzip', (body) => Buffer.concat([gzipSync(body), Buffer.from('trailing')])],
  ['gzip', () => bombBytes()],
  ['br', () => brotli(Buffer.alloc(BOMB_BYTES, ' '))],
  ['gzip', same],
  ['br', same],
  ['deflate', same],
  ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
  ['gzip, br', (body) => brotli(gzipSync(body))],
  ['identity', same],
  ['', same],
  ['compress', same],
  ['aws-chunked', same],
  ...PROTOTYPE_NAMES.map((name): [string, typeof same] => [name, same]),
];

const BODY_DAMAGE: readonly ((body: Buffer, random: Random) => Buffer)[] = [
  half,
  (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
  (body) => Buffer.from(body.toString('utf8'), 'utf16le'),
  (body) => Buffer.concat([body, body]),
  (body) => Buffer.concat([body, Buffer.from('\0')]),
  () => Buffer.alloc(0),
  () => Buffer.from(' '),
  () => Buffer.from('null'),
  () => Buffer.alloc(1_100_000, 'x'),
  () => Buffer.from('[]'.repeat(1)),
  (body, random) => withBytes(body, random),
  (body, random) => withBytes(body, random),
  (body, random) => withFlippedBit(body, random),
];

function withBytes(body: Buffer, random: Random): Buffer {
  // Preferably within a text, where parsers handle characters.
  const quote = body.indexOf('"', random.below(body.length + 1)) + 1;
  return Buffer.concat([body.subarray(0, quote), random.pick(INVALID_UTF8), body.subarray(quote)]);
}

function withFlippedBit(body: Buffer, random: Random): Buffer {
  const copy = Buffer.from(body);
  if (copy.length > 0) {
    const at = random.below(copy.length);
    copy[at] = copy[at]! ^ (1 << random.below(8));
  }
  return copy;
}

const quoted = (text: string): string =>
  text
    .replaceAll(/[\r\n]/g, ' ')
    .replaceAll('"', '%22')
    .slice(0, 3_000);

/** Odd heads of a part of a form. */
const headOf = (random: Random): readonly (string | Buffer)[] => {
  const text = quoted(random.chance(0.3) ? random.pick(PROTOTYPE_NAMES) : hostileText(random));
  return random.pick<readonly (string | Buffer)[]>([
    [`Content-Disposition: form-data; name="${text}"`],
    [`Content-Disposition: form-data; name="file"; filename="${text}"`],
    [
      `Content-Disposition: form-data; name="file"; filename*=UTF-8''${encodeURIComponent(text.toWellFormed())}`,
    ],
    [`Content-Disposition: form-data; name="file"; filename*=constructor''x`],
    [`Content-Disposition: form-data; name="file"; filename*=UTF-8''%ff%fe%zz`],
    [`Content-Disposition: form-data; name="file"; filename="x"`, `Content-Type: ${text}`],
    [
      'Content-Disposition: form-data; name="file"; filename="x.txt"',
      `Content-Type: text/plain; charset=${random.pick(PROTOTYPE_NAMES)}`,
    ],
    [
      'Content-Disposition: form-data; name="file"; filename="x.txt"',
      `Content-Transfer-Encoding: ${random.pick([...PROTOTYPE_NAMES, 'base64'])}`,
    ],
    [
      Buffer.concat([
        Buffer.from('Content-Disposition: form-data; name="file"; filename="'),
        random.pick(INVALID_UTF8),
        Buffer.from('.txt"'),
      ]),
    ],
    ['Content-Disposition: form-data'],
    ['Content-Disposition: attachment; name=file; filename=x'],
    [`Content-Disposition: form-data; name=file; filename="unclosed`],
    ['Content-Type: text/plain'],
    ['no colon at all'],
    [': x'],
    [],
    Array.from({ length: random.pick([10, 200]) }, (_, at) => `X-${at}: x`),
    [`X-Long: ${'x'.repeat(20_000)}`],
  ]);
};

export const BODY_CHANGES: readonly (readonly [number, string, Change])[] = [
  [
    4,
    'content coding',
    (draft, random) => {
      if (draft.body.kind === 'none') return false;
      const [name, coding] = random.pick(CODINGS);
      draft.headers.push(['Content-Encoding', name]);
      draft.codings.push(coding);
      return true;
    },
  ],
  [
    4,
    'body bytes',
    (draft, random) => {
      if (draft.body.kind === 'none') return false;
      const damage = random.pick(BODY_DAMAGE);
      draft.codings.push((body) => damage(body, random));
      return true;
    },
  ],
  [
    1,
    'body where there is none',
    (draft) => {
      if (draft.body.kind !== 'none') return false;
      draft.body = { kind: 'bytes', bytes: Buffer.from('{"a":1}') };
      return true;
    },
  ],
  [
    9,
    'form part',
    (draft, random) => {
      const { body } = draft;
      if (body.kind !== 'multipart') return false;
      const part: Part = { head: headOf(random), body: hostileText(random).slice(0, 100_000) };
      const parts = [...body.parts];
      parts.splice(random.below(parts.length + 1), random.below(2), part);
      draft.body = { ...body, parts };
      return true;
    },
  ],
  [
    5,
    'form field',
    (draft, random) => {
      const { body } = draft;
      if (body.kind !== 'multipart' || body.parts.length === 0) return false;
      const at = random.below(body.parts.length);
      const text = hostileText(random).slice(0, 100_000);
      const parts = body.parts.map((part, i) => (i === at ? { ...part, body: text } : part));
      draft.body = { ...body, parts };
      return true;
    },
  ],
  [
    1,
    'form boundary',
    (draft, random) => {
      const { body } = draft;
      if (body.kind !== 'multipart') return false;
      const boundary = quoted(hostileText(random)).slice(0, 80);
      draft.body = { ...body, boundary };
      const value = Buffer.from(
        `multipart/form-data; boundary="${boundary.replaceAll(/[^\x20-\x7e]/g, 'é')}"`,
      );
      draft.headers = draft.headers.map(([name, sent]) =>
        name === 'Content-Type' ? [name, value] : [name, sent],
      );
      return true;
    },
  ],
  [
    1,
    'many form parts',
    (draft, random) => {
      const { body } = draft;
      if (body.kind !== 'multipart') return false;
      const name = random.pick(['file', 'x', '__proto__']);
      const filename = random.chance(0.3) ? '; filename=""' : '';
      const part = {
        head: [`Content-Disposition: form-data; name="${name}"${filename}`],
        body: '',
      };
      draft.body = {
        ...body,
        parts: [...body.parts, ...Array.from({ length: 1_300 }, () => part)],
      };
      return true;
    },
  ],
];
