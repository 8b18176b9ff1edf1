import { MARKS } from '../schema.ts';

export type Node = Readonly<Record<string, unknown>>;

/** The description of an error: its status, and its condition. */
export interface ErrorEntry {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** Collects named schemas. The same name for two different schemas is a programming error. */
export type Components = Map<string, Node>;

export const SHARED_SCHEMAS: Readonly<Record<string, Node>> = {
  Error: {
    type: 'object',
    properties: {
      detail: { type: 'string', description: 'Message for people.' },
      code: { type: 'string', description: 'Machine-readable code.' },
    },
    required: ['detail', 'code'],
  },
  ValidationError: {
    type: 'object',
    properties: {
      detail: {
        type: 'array',
        description: 'All errors of the request: path, query and header first, then the body.',
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

const seconds = (description: string): Node => ({ description, schema: { type: 'integer' } });
export const SHARED_HEADERS = { RetryAfter: seconds('Seconds to wait before a repeat.') };
const RETRY = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const MAY_RETRY: ReadonlySet<number> = new Set([429, 503]);

/** Errors that any operation for an owner can return, by the name of the component that describes them. */
export const COMMON: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    unauthorized: 'Unauthorized',
    rate_limited: 'RateLimited',
    internal: 'Internal',
    unavailable: 'Unavailable',
  }),
);
export const KEYED = ['idempotency_in_progress', 'idempotency_key_reused', 'hidden_locked'];

export const HIDDEN_TOKEN = {
  name: 'x-hidden-token',
  in: 'header',
  required: false,
  description: 'Unlock token of the hidden zone.',
  schema: { type: 'string' },
};
export const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last event received.',
  schema: { type: 'string' },
};
export const SHARE_ACCESS = {
  name: 'x-share-access',
  in: 'header',
  required: false,
  description: 'Access token of an unlocked share.',
  schema: { type: 'string' },
};
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeat with the same key within 24 hours returns the first response and creates nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const reference = (kind: string, name: string): Node => ({
  $ref: `#/components/${kind}/${name}`,
});
export const jsonContent = (schema: Node): Node => ({ 'application/json': { schema } });

/** The response to a client that prefers HTML. */
export const HTML = { 'text/html': { schema: { type: 'string' } } };

export const failure = (status: number, entries: readonly ErrorEntry[], asPage = false): Node => ({
  description: [...new Set(entries.map(({ code, message }) => `\`${code}\`: ${message}`))].join(
    '\n\n',
  ),
  ...(MAY_RETRY.has(status) && { headers: RETRY }),
  content: { ...jsonContent(reference('schemas', 'Error')), ...(asPage && HTML) },
});

export const invalidRequest = (asPage = false): Node => ({
  description: 'The request does not pass validation.',
  content: { ...jsonContent(reference('schemas', 'ValidationError')), ...(asPage && HTML) },
});

export function sharedResponses(errors: readonly ErrorEntry[]): Record<string, Node> {
  const shared = [...COMMON].flatMap(([code, name]) => {
    const entries = errors.filter((entry) => entry.code === code);
    const [first] = entries;
    return first ? [[name, failure(first.status, entries)] as const] : [];
  });
  return Object.fromEntries([...shared, ['Invalid', invalidRequest()]]);
}

const OWN_WORDS: ReadonlySet<string> = new Set([...MARKS, 'title']);

/** A schema without the project's keywords. A named schema becomes a component and is referenced. */
export function plain(schema: Node, components: Components): Node {
  const made: Node = {
    ...Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => !OWN_WORDS.has(key))
        .map(([key, value]) => [key, inner(key, value, components)]),
    ),
    ...(schema['sentInt64'] === true && { type: 'integer', format: 'int64' }),
    ...(schema['secret'] === true && { writeOnly: true }),
    ...(schema['clearable'] === true && { anyOf: cleared(schema, components) }),
  };
  const name = schema['title'];
  if (typeof name !== 'string') return made;
  const known = components.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(made))
    throw new Error(`Two schemas are named ${name}.`);
  components.set(name, made);
  return reference('schemas', name);
}

/** Null counts as not sent there, so a field is emptied with the empty text. */
const cleared = (schema: Node, components: Components): readonly Node[] => [
  plain((schema['anyOf'] as readonly [Node])[0], components),
  { const: '' },
];

function inner(key: string, value: unknown, components: Components): unknown {
  if (key === 'items') return plain(value as Node, components);
  if (key === 'anyOf') return (value as readonly Node[]).map((each) => plain(each, components));
  if (key !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Node>).map(([name, field]) => [
      name,
      plain(field, components),
    ]),
  );
}
