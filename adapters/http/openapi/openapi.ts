import {
  COMMON,
  HIDDEN_TOKEN,
  LAST_EVENT_ID,
  HTML,
  IDEMPOTENCY_KEY,
  KEYED,
  SHARE_ACCESS,
  SHARED_HEADERS,
  SHARED_SCHEMAS,
  failure,
  invalidRequest,
  jsonContent,
  plain,
  reference,
  sharedResponses,
  type Components,
  type ErrorEntry,
  type Node,
} from './openapi-parts.ts';
import { mayLackBody } from '../validation/optional-body.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../../ports/identity.ts';
import type { RequiredScope } from '../../../core/identity/index.ts';
import type { Access } from '../route.ts';
import type { Schema } from '../schema.ts';
import type { CrossFieldRules } from '../validation/json/json-validator.ts';

export type { ErrorEntry };

/** The part of a route that appears in the document. */
export interface DescribedOperation {
  readonly method: string;
  /** Express form: `/v1/objects/:object_id`. */
  readonly path: string;
  readonly tag: string;
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Of an owner's operation. */
  readonly scope?: RequiredScope;
  readonly errors?: readonly string[];
  readonly readsUnlockToken?: true;
  readonly readsShareAccess?: true;
  readonly acceptsIdempotencyKey?: true;
  readonly needsRecentSignIn?: true;
  readonly params?: Schema<unknown>;
  readonly query?: Schema<unknown>;
  readonly headers?: Schema<unknown>;
  readonly events?: { readonly always?: true };
  /** Whether its replies, and its errors, are also available as HTML. */
  readonly page?: unknown;
  readonly errorPage?: unknown;
  readonly body?:
    | { readonly json: Schema<unknown>; readonly crossFieldRules?: CrossFieldRules }
    | {
        readonly multipart: Schema<unknown>;
        readonly files: {
          readonly name: string;
          readonly many: boolean;
          readonly rawMediaType?: string;
        };
      };
  readonly reply:
    | { readonly json: Schema<unknown> }
    | { readonly bytes: string }
    | { readonly seeOther: string }
    | { readonly tus: { readonly status: number; readonly headers: readonly string[] } }
    | { readonly events: string }
    | { readonly stream: string; readonly tagged?: true };
  /** A body that is no JSON and no form. */
  readonly sends?: { readonly mediaType: string; readonly required: boolean };
}

/**
 * The OpenAPI 3.1 document of a route table. The responses that every operation can return are components. Other
 * responses are listed at their operation, with the codes of one status together. Throws if two schemas have one name,
 * or if an operation names an error that is in no catalogue.
 */
export function openApi(
  operations: readonly DescribedOperation[],
  errors: readonly ErrorEntry[],
): Node {
  const components: Components = new Map(Object.entries(SHARED_SCHEMAS));
  const paths = new Map<string, Map<string, Node>>();
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const methods = paths.get(path) ?? new Map<string, Node>();
    paths.set(path, methods.set(operation.method, described(operation, errors, components)));
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, methods]) => [path, Object.fromEntries(methods)]),
    ),
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: sharedResponses(errors),
      headers: SHARED_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  session: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
  platform: { type: 'apiKey', in: 'header', name: 'x-telegram-bot-api-secret-token' },
};

const SECURITY: Readonly<Record<Access, readonly Node[]>> = {
  owner: [{ bearer: [] }, { session: [] }],
  'sign-in': [],
  public: [],
  visitor: [],
  platform: [{ platform: [] }],
  engine: [],
};

/** The scopes are the roles of the requirement (OpenAPI 3.1 §4.8.30): those of one entry together, or those of another. */
function securityOf({ access, scope = 'any' }: DescribedOperation): readonly Node[] {
  if (access !== 'owner' || scope === 'any') return SECURITY[access];
  return [...rolesOf(scope).map((roles) => ({ bearer: roles })), { session: [] }];
}

/** The alternatives, each with the scopes that are needed together. */
function rolesOf(scope: Exclude<RequiredScope, 'any'>): readonly (readonly TokenScope[])[] {
  if (scope === 'unrestricted') return [TOKEN_SCOPES];
  if (typeof scope === 'string') return [[scope]];
  return 'all' in scope ? [scope.all] : scope.map((each) => [each]);
}

function scopeSentence({ scope = 'any' }: DescribedOperation): string | undefined {
  if (scope === 'any') return undefined;
  if (scope === 'unrestricted') return 'All scopes, and a token that is bound to no folders.';
  if (typeof scope === 'string') return `Scope: \`${scope}\`.`;
  const quoted = ('all' in scope ? scope.all : scope).map((each) => `\`${each}\``);
  return 'all' in scope
    ? `Scopes: ${quoted.join(', ')}, all of them.`
    : `Scope: ${quoted.join(' or ')}.`;
}

const INFO = {
  title: 'Owner Workspace',
  version: '1',
  description:
    'A personal document workspace: files, links and notes, full-text search, and answers with citations of exact character ranges.',
  license: { name: 'MIT', identifier: 'MIT' },
};

function described(
  operation: DescribedOperation,
  errors: readonly ErrorEntry[],
  components: Components,
): Node {
  const { description, body } = operation;
  const texts = [description, scopeSentence(operation)].filter((text) => text !== undefined);
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(texts.length > 0 && { description: texts.join(' ') }),
    security: securityOf(operation),
    parameters: [
      ...parameters('path', operation.params, components),
      ...parameters('query', operation.query, components),
      ...parameters('header', operation.headers, components),
      ...('events' in operation.reply ? [LAST_EVENT_ID] : []),
      ...(operation.readsUnlockToken ? [HIDDEN_TOKEN] : []),
      ...(operation.readsShareAccess ? [SHARE_ACCESS] : []),
      ...(operation.acceptsIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body && { requestBody: requestBody({ ...operation, body }, components) }),
    ...(operation.sends && { requestBody: sentBytes(operation.sends) }),
    responses: { ...success(operation, components), ...failures(operation, errors) },
  };
}

const sentBytes = ({ mediaType, required }: NonNullable<DescribedOperation['sends']>): Node => ({
  required,
  content: { [mediaType]: { schema: {} } },
});

type RequestBody = NonNullable<DescribedOperation['body']>;

function parameters(
  place: 'path' | 'query' | 'header',
  schema: Schema<unknown> | undefined,
  components: Components,
): readonly Node[] {
  const required = new Set((schema?.['required'] ?? []) as readonly string[]);
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, Node>).map(
    ([name, { description, ...field }]) => ({
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description !== undefined && { description }),
      schema: plain(field, components),
    }),
  );
}

function requestBody(
  { method, body, page }: DescribedOperation & { readonly body: RequestBody },
  components: Components,
): Node {
  if ('json' in body) {
    const schema = plain(body.json, components);
    const form = page !== undefined && { 'application/x-www-form-urlencoded': { schema } };
    const required = !mayLackBody({ method, body });
    return { required, content: { ...jsonContent(schema), ...form } };
  }
  const { name, many, rawMediaType: whole } = body.files;
  const fields = plain(body.multipart, components);
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const schema = {
    ...fields,
    properties: {
      [name]: many ? { type: 'array', items: file, minItems: 1 } : file,
      ...(fields['properties'] as Node),
    },
    required: [name, ...(fields['required'] as readonly string[])],
  };
  const alone =
    whole === undefined ? {} : { [whole]: { schema: { ...file, contentMediaType: whole } } };
  return { required: true, content: { ...alone, 'multipart/form-data': { schema } } };
}

const mayFail = (operation: DescribedOperation): boolean =>
  'status' in operation && operation.status !== undefined;

function success(operation: DescribedOperation, components: Components): Record<string, Node> {
  const { reply, method } = operation;
  if ('seeOther' in reply)
    return {
      303: {
        description: reply.seeOther,
        headers: { Location: { schema: { type: 'string', format: 'uri' } } },
      },
    };
  if ('tus' in reply) {
    const headers = reply.tus.headers.map((name) => [name, { schema: { type: 'string' } }]);
    return {
      [reply.tus.status]: { description: 'Done.', headers: Object.fromEntries(headers) as Node },
    };
  }
  if ('events' in reply)
    return {
      200: {
        description: reply.events,
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
    };
  if ('bytes' in reply)
    return {
      200: { description: 'The bytes.', content: { [reply.bytes]: { schema: {} } } },
      206: { description: 'The requested range.', content: { [reply.bytes]: { schema: {} } } },
      304: { description: 'Unchanged.' },
    };
  if ('stream' in reply)
    return {
      200: { description: 'The file.', content: { [reply.stream]: { schema: {} } } },
      ...(reply.tagged && { 304: { description: 'Unchanged.' } }),
    };
  const { events, page } = operation;
  const content = {
    ...(!events?.always && jsonContent(plain(reply.json, components))),
    ...(events && { 'text/event-stream': { schema: { type: 'string' } } }),
    ...(page !== undefined && method === 'get' && HTML),
  };
  return {
    200: { description: 'Done.', content },
    ...(page !== undefined &&
      method !== 'get' && { 303: { description: 'Redirect, for a page.' } }),
    ...(method === 'get' && { 304: { description: 'Unchanged.' } }),
    ...(mayFail(operation) && { 503: { description: 'A check is not `ok`.', content } }),
  };
}

function failures(
  operation: DescribedOperation,
  errors: readonly ErrorEntry[],
): Record<string, Node> {
  const { params, query, headers, body, acceptsIdempotencyKey: creates } = operation;
  const asPage = operation.errorPage !== undefined;
  const codes = codesOf(operation);
  const byStatus: Record<string, Node> = {};
  for (const code of codes)
    if (!errors.some((entry) => entry.code === code))
      throw new Error(`${operation.name} names the error ${code}, which is in no catalogue.`);
  for (const status of new Set(errors.map((entry) => entry.status))) {
    const here = errors.filter((entry) => entry.status === status && codes.has(entry.code));
    const [first] = here;
    if (!first || (status === 503 && mayFail(operation))) continue;
    const shared = here.every(({ code }) => code === first.code) && COMMON.get(first.code);
    byStatus[status] =
      shared && !asPage ? reference('responses', shared) : failure(status, here, asPage);
  }
  if (params || query || headers || body || creates)
    byStatus['422'] = asPage ? invalidRequest(asPage) : reference('responses', 'Invalid');
  return byStatus;
}

/** The errors that the operation names, and those that follow from its form. */
function codesOf({
  access,
  method,
  body,
  acceptsIdempotencyKey: creates,
  needsRecentSignIn,
  errors = [],
}: DescribedOperation): Set<string> {
  const owned = access === 'owner';
  return new Set([
    ...(owned || access === 'platform' ? COMMON.keys() : ['internal']),
    ...(needsRecentSignIn ? ['sign_in_again'] : []),
    ...(access === 'sign-in' && method !== 'get' ? ['forbidden'] : []),
    ...(access === 'visitor' || access === 'engine' || access === 'sign-in'
      ? ['rate_limited', 'unavailable']
      : []),
    ...(owned ? ['forbidden'] : []),
    ...(creates ? KEYED : []),
    ...(body ? ['too_large', 'request_timeout', 'unsupported_type'] : []),
    ...errors,
  ]);
}
