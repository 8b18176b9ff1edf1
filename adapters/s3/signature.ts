import { createHash, createHmac } from 'node:crypto';
import type { S3Place } from './place.ts';

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As AWS wants it: whatever RFC 3986 does not call unreserved. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The query as it is signed and sent. */
export const queryOf = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');

export interface Signable {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. All of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hex: the server refuses another one. */
  readonly bodyHash: string;
}

/** The headers of a request with its signature (AWS Signature Version 4, in the header). */
export function signed(
  { region, accessKeyId, secretAccessKey }: S3Place,
  { method, url, headers, bodyHash }: Signable,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
  };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${(Object.hasOwn(all, name) ? all[name] : '')?.trim() ?? ''}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(
    (before, part) => hmac(before, part),
    hmac(`AWS4${secretAccessKey}`, day),
  );
  const proof = hmac(key, toSign).toString('hex');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${proof}`,
  };
}
