import type { Route } from './route.ts';
import type { Schema } from './schema.ts';

type Node = Readonly<Record<string, unknown>>;

/** What the document says of an error: its status, and when it comes. */
export interface ErrorEntry {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

const COMMON = ['unauthorized', 'rate_limited', 'internal', 'unavailable'];
/** Words of the schema language that are our own. */
const MARKS = new Set(['optional', 'secret', 'clearable', 'trimmed', 'filenameText']);

/** The OpenAPI 3.1 document, read off the same table that serves requests. */
export function openApi(routes: readonly Route[], errors: readonly ErrorEntry[]): Node {
  const components = new Map<string, Node>(Object.entries(SHARED));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = operation(route, errors, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Owner Workspace',
      version: '1',
      description:
        'A personal document workspace: keep files, links and notes, find them, and ask questions that are answered with citations exact to the character.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

const SHARED: Readonly<Record<string, Node>> = {
  Error: {
    type: 'object',
    properties: { detail: { type: 'string' }, code: { type: 'string' } },
    required: ['detail', 'code'],
  },
  ValidationError: {
    type: 'object',
    properties: {
      detail: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            type: { type: 'string' },
            loc: { type: 'array', items: { type: ['string', 'integer'] } },
            msg: { type: 'string' },
            input: {},
            ctx: { type: 'object' },
          },
          required: ['type', 'loc', 'msg'],
        },
      },
    },
    required: ['detail'],
  },
};

function operation(
  route: Route,
  errors: readonly ErrorEntry[],
  components: Map<string, Node>,
): Node {
  const owned = route.access === 'owner';
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: owned ? [{ bearer: [] }] : [],
    parameters: [
      ...parameters('path', route.params, components),
      ...parameters('query', route.query, components),
      ...headers(route),
    ],
    ...(route.body && { requestBody: requestBody(route.body, components) }),
    responses: {
      ...success(route, components),
      ...failures(route, errors),
    },
  };
}

function headers(route: Route): readonly Node[] {
  const header = (name: string, description: string, schema: Node): Node => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  });
  return [
    ...(route.hidden
      ? [header('x-hidden-token', 'Unlock token of the hidden zone.', { type: 'string' })]
      : []),
    ...(route.creates
      ? [
          header(
            'Idempotency-Key',
            'A repeat with the same key within 24 hours gets the first answer and creates nothing.',
            { type: 'string', minLength: 1, maxLength: 255 },
          ),
        ]
      : []),
  ];
}

function parameters(
  place: 'path' | 'query',
  schema: Schema<unknown> | undefined,
  components: Map<string, Node>,
): readonly Node[] {
  const required = new Set((schema?.['required'] ?? []) as readonly string[]);
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, Node>).map(
    ([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || required.has(name),
      schema: plain(field, components),
    }),
  );
}

function requestBody(body: NonNullable<Route['body']>, components: Map<string, Node>): Node {
  if ('json' in body)
    return {
      required: true,
      content: { 'application/json': { schema: plain(body.json, components) } },
    };
  const fields = plain(body.multipart, components);
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          ...fields,
          properties: {
            [body.files.name]: body.files.many ? { type: 'array', items: file, minItems: 1 } : file,
            ...(fields['properties'] as Node),
          },
          required: [body.files.name, ...(fields['required'] as readonly string[])],
        },
      },
    },
  };
}

function success(route: Route, components: Map<string, Node>): Record<string, Node> {
  if ('bytes' in route.reply) {
    const content = { [route.reply.bytes]: { schema: {} } };
    return {
      200: { description: 'The bytes.', content },
      206: { description: 'The range asked for.', content },
      304: { description: 'Unchanged.' },
    };
  }
  const schema = plain(route.reply.json, components);
  const events = 'events' in route && route.events !== undefined;
  const content = {
    'application/json': { schema },
    ...(events && { 'text/event-stream': { schema: { type: 'string' } } }),
  };
  const also = 'status' in route && route.status !== undefined;
  return {
    200: { description: 'Done.', content },
    ...(route.method === 'get' && { 304: { description: 'Unchanged.' } }),
    ...(also && { 503: { description: 'Not everything is well.', content } }),
  };
}

/** The documented ends of an operation, by status; the codes that share one are listed together. */
function failures(route: Route, errors: readonly ErrorEntry[]): Record<string, Node> {
  const owned = route.access === 'owner';
  const codes = new Set([...(owned ? COMMON : ['internal']), ...(route.errors ?? [])]);
  if (owned && route.method !== 'get') codes.add('forbidden');
  if (route.creates) for (const code of KEYED) codes.add(code);
  if (route.body) codes.add('too_large');
  const byStatus: Record<string, Node> = {};
  for (const status of new Set(errors.map((entry) => entry.status))) {
    const here = errors.filter((entry) => entry.status === status && codes.has(entry.code));
    const answered = status === 503 && 'status' in route && route.status !== undefined;
    if (here.length === 0 || answered) continue;
    byStatus[status] = {
      description: [...new Set(here.map(({ code, message }) => `\`${code}\`: ${message}`))].join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  if (owned && (route.params || route.query || route.body || route.creates))
    byStatus['422'] = {
      description: 'The request does not pass validation.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ValidationError' } } },
    };
  return byStatus;
}

const KEYED = ['idempotency_in_progress', 'idempotency_key_reused'];

/** A schema without our own words; a named one becomes a component and is referred to. */
function plain(schema: Node, components: Map<string, Node>): Node {
  const made = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !MARKS.has(key) && key !== 'title')
      .map(([key, value]) => [key, inner(key, value, components)]),
  );
  const name = schema['title'];
  if (typeof name !== 'string') return made;
  components.set(name, made);
  return { $ref: `#/components/schemas/${name}` };
}

function inner(key: string, value: unknown, components: Map<string, Node>): unknown {
  if (key === 'items') return plain(value as Node, components);
  if (key === 'anyOf') return (value as readonly Node[]).map((each) => plain(each, components));
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, Node>).map(([name, field]) => [
        name,
        plain(field, components),
      ]),
    );
  return value;
}
