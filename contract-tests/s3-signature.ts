import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const SKEW_MS = 15 * 60_000;
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();
const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const strict = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The error code of a request's signature (AWS Signature Version 4 in the header) or body; undefined if both are valid.
 * Written from the specification, independently of the tested client.
 */
export function wrongWith(
  request: IncomingMessage,
  body: Buffer,
  { region, accessKeyId, secretAccessKey }: Credentials,
): string | undefined {
  const header = (name: string) => String(request.headers[name] ?? '');
  const [, id, day, where, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z\d;-]+), ?Signature=([\da-f]{64})$/.exec(
      header('authorization'),
    ) ?? [];
  if (signature === undefined || day === undefined) return 'AccessDenied';
  if (id !== accessKeyId) return 'InvalidAccessKeyId';
  if (where !== region) return 'AuthorizationHeaderMalformed';
  const time = header('x-amz-date');
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const at = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  if (!(Math.abs(at - Date.now()) < SKEW_MS) || !time.startsWith(day))
    return 'RequestTimeTooSkewed';
  const signed = names.split(';');
  const needed = ['host', ...Object.keys(request.headers).filter((it) => it.startsWith('x-amz-'))];
  if (needed.some((name) => !signed.includes(name))) return 'AccessDenied';
  if (!signed.includes('x-amz-content-sha256') || !signed.includes('x-amz-date'))
    return 'AccessDenied';

  const url = new URL(request.url ?? '/', 'http://any');
  const query = [...url.searchParams]
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .sort()
    .join('&');
  const path = url.pathname
    .split('/')
    .map((part) => strict(decodeURIComponent(part)))
    .join('/');
  const headers = signed.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}\n`);
  const reported = header('x-amz-content-sha256');
  const canonical = [request.method, path, query, headers.join(''), names, reported].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  const requested = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n'));
  if (requested.toString('hex') !== signature) return 'SignatureDoesNotMatch';

  if (reported !== 'UNSIGNED-PAYLOAD' && reported !== hash(body))
    return 'XAmzContentSHA256Mismatch';
  const md5 = header('content-md5');
  if (md5 !== '' && md5 !== createHash('md5').update(body).digest('base64')) return 'BadDigest';
  return undefined;
}
