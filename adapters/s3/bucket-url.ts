import { isIP } from 'node:net';

/** A bucket, its server and the credentials. */
export interface BucketLocation {
  /** Origin of the server, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of all keys: empty, or a path that ends with a slash. */
  readonly prefix: string;
  /** The name of the bucket is part of the path, not of the host name. */
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The URL of the bucket, to which keys are appended. It ends with a slash. */
export function bucketAddress({ endpoint, bucket, pathStyle }: BucketLocation): string {
  const url = new URL(endpoint);
  if (pathStyle) url.pathname = `/${bucket}/`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url.href;
}

const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
const REGION = /^[a-z\d-]{1,40}$/i;
const KEY_ID = /^[\x21-\x2b\x2d-\x2e\x30-\x7e]{1,256}$/;
const VISIBLE = /^[\x21-\x7e]{1,512}$/;
const SEGMENT = /^[\w.~-]{1,200}$/;
const PARAMETERS = new Set(['endpoint', 'region', 'path_style']);

/**
 * Reads `s3://KEY:SECRET@BUCKET[/PREFIX][?region=…&endpoint=…&path_style=…]` or
 * `https://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=…&path_style=…]`. `wrong` contains no part of
 * the text: any part may be the secret.
 */
export function parseBucketUrl(text: string): BucketLocation | { readonly wrong: string } {
  const url = URL.parse(text);
  if (!url || !/^(s3|https?):$/.test(url.protocol))
    return wrong(
      'is not s3://KEY:SECRET@BUCKET/PREFIX or https://KEY:SECRET@HOST/BUCKET/PREFIX; in the secret / ? @ and % are written as %2F %3F %40 %25',
    );
  if (url.hash !== '') return wrong('has a fragment; a # in the secret is written as %23');
  const query = url.searchParams;
  const names = [...query.keys()];
  if (names.some((name) => !PARAMETERS.has(name)) || new Set(names).size < names.length)
    return wrong('takes region, path_style and for s3:// endpoint, each once, behind the ?');
  const server = serverOf(url);
  return 'wrong' in server ? server : whole(url, server);
}

interface Server {
  readonly endpoint: string;
  readonly path: readonly string[];
  /** Only AWS is known to support both styles. */
  readonly isAws: boolean;
}

/** The server, and the bucket followed by the segments of the prefix. */
function serverOf(url: URL): Server | { readonly wrong: string } {
  const path = url.pathname.split('/').filter((segment) => segment !== '');
  const given = url.searchParams.get('endpoint');
  if (url.protocol !== 's3:')
    return given === null
      ? { endpoint: url.origin, path, isAws: false }
      : wrong('has its endpoint twice: before the ? and behind it');
  if (url.port !== '')
    return wrong('has a port where the bucket stands; the server belongs into endpoint');
  const bucket = url.hostname;
  if (given === null) {
    const region = url.searchParams.get('region') ?? DEFAULT_REGION;
    const endpoint = `https://s3.${REGION.test(region) ? region : DEFAULT_REGION}.amazonaws.com`;
    return { endpoint, path: [bucket, ...path], isAws: true };
  }
  const parsed = URL.parse(given);
  const plain = parsed && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`;
  return plain
    ? { endpoint: parsed.origin, path: [bucket, ...path], isAws: false }
    : wrong('has an endpoint that is not http(s)://HOST[:PORT]');
}

const DEFAULT_REGION = 'us-east-1';

function whole(
  url: URL,
  { endpoint, path, isAws }: Server,
): BucketLocation | { readonly wrong: string } {
  const [bucket = '', ...segments] = path;
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  const style = url.searchParams.get('path_style') ?? String(!isAws || bucket.includes('.'));
  const accessKeyId = decoded(url.username);
  const secretAccessKey = decoded(url.password);
  if (!BUCKET.test(bucket)) return wrong('names no bucket, or one that can not be');
  if (!segments.every((it) => SEGMENT.test(it) && !/^\.+$/.test(it)))
    return wrong('has a prefix with more than letters, digits, and . _ ~ - in it');
  if (!REGION.test(region)) return wrong('has a region that can not be');
  if (style !== 'true' && style !== 'false') return wrong('has a path_style not true or false');
  if (style === 'false' && isIP(new URL(endpoint).hostname.replace(/^\[|\]$/g, '')) !== 0)
    return wrong('has path_style=false for a server without a name');
  if (!KEY_ID.test(accessKeyId) || !VISIBLE.test(secretAccessKey))
    return wrong('has no KEY:SECRET before the @, or one that is not visible ASCII');
  const prefix = segments.map((segment) => `${segment}/`).join('');
  const pathStyle = style === 'true';
  return { endpoint, region, bucket, prefix, pathStyle, accessKeyId, secretAccessKey };
}

const wrong = (why: string): { readonly wrong: string } => ({ wrong: why });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
