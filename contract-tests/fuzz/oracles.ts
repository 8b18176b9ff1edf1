import { headerIn, type Reply } from './connection.ts';
import type { Contract, Operation } from './contract.ts';

/** The parts of the request that determine the response. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  /** The service may say that the head is too large. */
  readonly hasLargeHead: boolean;
  /** If there is one valid id, the response contains it. */
  readonly requestId?: string;
}

const LARGE_HEAD_BYTES = 20_000;
const MANY_HEADERS = 500;

/** Node counts more than the bytes of many short headers, so its limit is not the service's. */
export function isLargeHead(request: Buffer): boolean {
  const head = request.subarray(0, request.indexOf('\r\n\r\n')).toString('latin1');
  return head.length > LARGE_HEAD_BYTES || head.split('\r\n').length > MANY_HEADERS;
}

/** Internals that a response must not reveal. The vocabulary contains nothing similar. */
const LEAK =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|\.[cm]?[jt]s:\d|\bSQLITE_|\b(?:Type|Range|Reference|Syntax)Error\b|\bE(?:NOENT|ACCES|ISDIR|NAMETOOLONG)\b|invalid byte sequence|(?:insert into|update|delete from|select .{1,200} from) ["`]|\/tmp\/|ow-spec-/i;

/** Which operation a target names by the document. */
export function operationAt(
  contract: Contract,
  method: string,
  target: string,
): {
  readonly known: boolean;
  readonly operation: Operation | undefined;
  /** Whether the first matching path passes the method on to a wider one, or rejects it. */
  readonly passed: boolean;
} {
  const [pathname = ''] = target.split(/[?#]/);
  const matches = contract.at(pathname);
  const operations = matches.flatMap((match) => match.operations);
  const by = (requested: string) => operations.find((each) => each.method === requested);
  const operation = by(method.toLowerCase()) ?? (method === 'HEAD' ? by('get') : undefined);
  const passed = operation !== undefined && !matches[0]?.operations.includes(operation);
  return { known: matches.length > 0, operation, passed };
}

/** All violations of a response. */
export function judge(contract: Contract, sent: Sent, reply: Reply): readonly string[] {
  const found = operationAt(contract, sent.method, sent.target);
  const { operation } = found;
  return [
    ...checkStatus(sent, reply, found),
    ...checkHeaders(sent, reply),
    ...(sent.method === 'HEAD' || reply.status === 304
      ? []
      : reply.status < 400
        ? checkSuccess(contract, operation, reply)
        : checkError(contract, operation, reply)),
  ];
}

/** Rules for every response, also to a malformed request. */
export function checkEdge(reply: Reply, method: string): readonly string[] {
  const { status } = reply;
  const problems = [...checkHeaders({}, reply)];
  if (status >= 500) problems.push(`status ${status}`);
  if (status < 400 || method === 'HEAD') return problems;
  const json = parsed(reply) as { detail?: unknown; code?: unknown } | undefined;
  if (json?.detail === undefined || (status !== 422 && typeof json.code !== 'string'))
    problems.push(`an error ${status} without detail and code`);
  return problems;
}

function checkStatus(
  { target, hasLargeHead }: Sent,
  { status }: Reply,
  { known, operation, passed }: ReturnType<typeof operationAt>,
): readonly string[] {
  if (status === 405 && passed) return [];
  if (status === 431 && hasLargeHead) return [];
  // A path that does not decode fits no route.
  if (status === 404 && !decodes(target.split('?')[0] ?? '')) return [];
  // A browser that asks for the service itself is sent to the app.
  if (status === 303 && /^\/(?:[?#]|$)/.test(target)) return [];
  const allowed = operation ? operation.replies.has(status) : status === (known ? 405 : 404);
  if (status === 500) return ['an internal error'];
  return allowed ? [] : [`status ${status} is not documented`];
}

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Holds for any response. */
const COMMON_HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['x-content-type-options', /^nosniff$/],
  ['content-security-policy', /default-src 'none'/],
  ['cross-origin-opener-policy', /^same-origin$/],
  ['cross-origin-resource-policy', /^same-origin$/],
  ['permissions-policy', /(?=.*camera=\(\))(?=.*microphone=\(\))(?=.*geolocation=\(\))/],
  ['cache-control', /\S/],
];

function checkHeaders({ requestId }: Pick<Sent, 'requestId'>, reply: Reply): readonly string[] {
  const { status } = reply;
  const problems: string[] = [];
  const id = headerIn(reply, 'x-request-id') ?? '';
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(id)) problems.push('no x-request-id');
  else if (requestId !== undefined && id !== requestId && status !== 431)
    problems.push('the x-request-id of another request');
  for (const [name, value] of COMMON_HEADERS)
    if (!value.test(headerIn(reply, name) ?? '')) problems.push(`no ${name}: ${value.source}`);
  if (headerIn(reply, 'x-injected') !== undefined) problems.push('an injected header');
  if ((status === 429 || status === 503) && !/^\d+$/.test(headerIn(reply, 'retry-after') ?? ''))
    if (!isHealth(reply)) problems.push(`${status} without Retry-After`);
  if (status === 401 && !codeOf(reply).startsWith('password'))
    if (headerIn(reply, 'www-authenticate') === undefined)
      problems.push('401 without WWW-Authenticate');
  if (status === 405 && headerIn(reply, 'allow') === undefined) problems.push('405 without Allow');
  return problems;
}

/** The deep health check says with 503 that not everything is well, and the agent that no model is connected. */
const isHealth = (reply: Reply): boolean =>
  codeOf(reply) === '' || codeOf(reply) === 'agent_disabled';

function checkSuccess(
  contract: Contract,
  operation: Operation | undefined,
  reply: Reply,
): readonly string[] {
  if (!operation || reply.status === 303) return [];
  const type = headerIn(reply, 'content-type') ?? '';
  const documented = operation.replies.get(reply.status) ?? [];
  if (documented.includes('application/octet-stream')) return [];
  if (documented.length === 0 && type === '' && reply.body.length === 0) return [];
  if (!documented.some((each) => type.startsWith(each)))
    return [`an answer of the type ${type || 'none'}`];
  if (!type.startsWith('application/json') || encoded(reply)) return [];
  const json = parsed(reply);
  if (json === undefined) return ['a success that is no JSON'];
  const wrong = contract.checkReply(operation, reply.status, json);
  return wrong === undefined ? [] : [`an answer against its schema: ${wrong}`];
}

function checkError(
  contract: Contract,
  operation: Operation | undefined,
  reply: Reply,
): readonly string[] {
  const type = headerIn(reply, 'content-type') ?? '';
  if (encoded(reply)) return [];
  if (type.startsWith('text/html') && operation?.replies.get(reply.status)?.includes('text/html'))
    return LEAK.test(reply.body.toString()) ? ['an error that shows the inside'] : [];
  if (!type.startsWith('application/json')) return [`an error of the type ${type || 'none'}`];
  const json = parsed(reply) as { detail?: unknown; code?: unknown } | undefined;
  if (json === undefined) return ['an error that is no JSON'];
  if (operation?.id === 'deepHealth' && reply.status === 503)
    return checkSuccess(contract, operation, reply);
  const wrong = contract.checkError(reply.status, json);
  if (wrong !== undefined) return [`an error against its schema: ${wrong}`];
  return LEAK.test(shownIn(json)) ? ['an error that shows the inside'] : [];
}

/** An error response without the values that the caller sent. */
function shownIn({ detail, ...rest }: { readonly detail?: unknown }): string {
  const shown = Array.isArray(detail)
    ? detail.map(({ type, msg }: { type: unknown; msg: unknown }) => [type, msg])
    : detail;
  return JSON.stringify([shown, rest]);
}

export function codeOf(reply: Reply): string {
  const { code } = (parsed(reply) ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

const encoded = (reply: Reply): boolean => headerIn(reply, 'content-encoding') !== undefined;

export function parsed(reply: Reply): unknown {
  if (!/json/.test(headerIn(reply, 'content-type') ?? '') || encoded(reply)) return undefined;
  try {
    return JSON.parse(reply.body.toString()) as unknown;
  } catch {
    return undefined;
  }
}
