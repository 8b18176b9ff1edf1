import { jsonText } from './json-text.ts';
import type { Operation } from './contract.ts';

/** Text, or bytes that are not valid text. */
export type Bytes = string | Buffer;

export interface Part {
  /** Everything above the blank line, each line as it is sent. */
  readonly head: readonly Bytes[];
  readonly body: Bytes;
}

export type DraftBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'multipart'; readonly parts: readonly Part[]; readonly boundary: string };

/** A request before serialization: the input of mutations. */
export interface Draft {
  readonly operation: Operation;
  method: string;
  /** Path segments as sent; separated by slashes. */
  segments: string[];
  query: string[];
  headers: [name: string, value: Bytes][];
  body: DraftBody;
  /** Done to the bytes of the body when it is sent, in this order. */
  readonly codings: ((body: Buffer) => Buffer)[];
  /** How the length is declared; `none` if a header does it already. */
  framing: 'length' | 'chunked' | 'none';
  /** The applied mutations, for the report. */
  readonly changes: string[];
}

const utf8 = (bytes: Bytes): Buffer => (typeof bytes === 'string' ? Buffer.from(bytes) : bytes);

const CRLF = Buffer.from('\r\n');

export function bodyBytes({ body, codings }: Draft): Buffer {
  return codings.reduce((bytes, coding) => coding(bytes), plainBytes(body));
}

function plainBytes(body: DraftBody): Buffer {
  switch (body.kind) {
    case 'none':
      return Buffer.alloc(0);
    case 'json':
      return Buffer.from(jsonText(body.value));
    case 'bytes':
      return body.bytes;
    case 'multipart': {
      const line = Buffer.from(`--${body.boundary}\r\n`);
      const parts = body.parts.flatMap(({ head, body: content }) => [
        line,
        ...head.flatMap((each) => [utf8(each), CRLF]),
        CRLF,
        utf8(content),
        CRLF,
      ]);
      return Buffer.concat([...parts, Buffer.from(`--${body.boundary}--\r\n`)]);
    }
  }
}

export const targetOf = ({ segments, query }: Draft): string =>
  `/${segments.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;

/** The bytes of the request as they go over the wire. */
export function requestBytes(draft: Draft): Buffer {
  const body = bodyBytes(draft);
  const sendsBody = draft.body.kind !== 'none';
  const framing: [string, Bytes][] =
    !sendsBody || draft.framing === 'none'
      ? []
      : draft.framing === 'length'
        ? [['Content-Length', String(body.length)]]
        : [['Transfer-Encoding', 'chunked']];
  const head = [
    Buffer.from(`${draft.method} ${targetOf(draft)} HTTP/1.1\r\n`),
    ...[...draft.headers, ...framing].flatMap(([name, value]) => [
      Buffer.from(`${name}: `),
      utf8(value),
      CRLF,
    ]),
    CRLF,
  ];
  if (!sendsBody) return Buffer.concat(head);
  if (draft.framing !== 'chunked') return Buffer.concat([...head, body]);
  return Buffer.concat([...head, ...chunksOf(body), Buffer.from('0\r\n\r\n')]);
}

const CHUNK_BYTES = 60_000;

function chunksOf(body: Buffer): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    const chunk = body.subarray(at, at + CHUNK_BYTES);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, CRLF);
  }
  return chunks;
}
