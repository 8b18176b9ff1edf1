import { Agent, parseMIMEType, request } from 'undici';
import type { FetchOptions, FetchedPage } from '../../ports/web-pages.ts';
import { CODINGS, readBody } from './body.ts';
import { createSsrfSafeConnector, type OutboundPolicy } from './ssrf-guard.ts';
import {
  badStatus,
  challenged,
  tooLarge,
  tooManyRedirects,
  withCredentials,
  wrongAddress,
} from './fetch-errors.ts';
import { turnOf, withoutRawBytes } from './page-turns.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** How much of a page is searched for a turn to another one. */
const TURN_BYTES = 65_536;
/** Headers by which a site says that its response is a check of the browser, with any status. */
const CHALLENGES = ['cf-mitigated', 'x-amzn-waf-action', 'sg-captcha'];
const MAX_HEADER_BYTES = 65_536;
const USER_AGENT = 'Mozilla/5.0 (compatible; OwnerWorkspace)';
const ACCEPT: Record<FetchOptions['contentType'], string> = {
  page: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5',
  picture: 'image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.1',
};

type Response = Awaited<ReturnType<typeof request>>;

/** GET without reuse of connections or DNS results. Rejects with the network error. */
export async function get(
  rules: OutboundPolicy,
  url: string,
  bounds: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const agent = new Agent({
    connect: createSsrfSafeConnector(rules, bounds.timeMs),
    headersTimeout: bounds.timeMs,
    bodyTimeout: bounds.timeMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  // Also while connecting, which the signal alone would not end.
  const end = () => void agent.destroy().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await follow(agent, url, bounds, signal);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

async function follow(
  agent: Agent,
  start: string,
  bounds: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedPage> {
  let url = new URL(start);
  let hasTurned = false;
  for (let hop = 0; ; hop++) {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrongAddress();
    if (url.username !== '' || url.password !== '') throw withCredentials();
    const response = await request(url, {
      dispatcher: agent,
      signal,
      headers: {
        accept: ACCEPT[bounds.contentType],
        'accept-encoding': CODINGS,
        'user-agent': USER_AGENT,
      },
    });
    const redirect = redirectOf(response, url);
    const page = redirect ? undefined : await pageOf(url, response, bounds, signal);
    const next = redirect ?? (page && !hasTurned ? turnIn(page, url, bounds) : undefined);
    if (!next && page) return page;
    hasTurned ||= page !== undefined;
    if (redirect) drop(response);
    if (hop === MAX_REDIRECTS) throw tooManyRedirects(MAX_REDIRECTS);
    url = next ?? url;
  }
}

/** A page that turns to another one at once is followed like a redirect, once. */
function turnIn(
  { mime, bytes }: FetchedPage,
  from: URL,
  { contentType }: FetchOptions,
): URL | undefined {
  const isHtml = mime === 'text/html' || mime === 'application/xhtml+xml';
  if (contentType !== 'page' || !isHtml) return undefined;
  return turnOf(Buffer.from(bytes.subarray(0, TURN_BYTES)).toString('latin1'), from);
}

function redirectOf(response: Response, from: URL): URL | null {
  const location = header(response, 'location');
  if (location === '' || !REDIRECTS.has(response.statusCode)) return null;
  return URL.parse(withoutRawBytes(location), from.href);
}

async function pageOf(
  url: URL,
  response: Response,
  bounds: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { statusCode } = response;
  if (CHALLENGES.some((name) => header(response, name).toLowerCase() === 'challenge')) {
    drop(response);
    throw challenged();
  }
  if (statusCode < 200 || statusCode > 299) {
    drop(response);
    throw badStatus(statusCode);
  }
  if (Number(header(response, 'content-length')) > bounds.maxBytes) {
    drop(response);
    throw tooLarge(bounds);
  }
  const bytes = await readBody(response.body, header(response, 'content-encoding'), {
    maxBytes: bounds.maxBytes,
    tooLarge: () => tooLarge(bounds),
    signal,
  });
  const type = parseMIMEType(header(response, 'content-type'));
  return {
    outcome: 'page',
    finalUrl: url.href,
    mime: type === 'failure' ? '' : type.essence,
    charset: type === 'failure' ? '' : (type.parameters.get('charset') ?? ''),
    bytes,
  };
}

/** The body is discarded, so its early end is no error. */
function drop({ body }: Response): void {
  body.on('error', () => undefined);
  body.destroy();
}

function header({ headers }: Response, name: string): string {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}
