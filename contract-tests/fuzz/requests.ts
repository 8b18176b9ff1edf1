import type { Contract, Operation, Schema } from './contract.ts';
import type { Draft, DraftBody, Part } from './draft.ts';
import { validValue, type ValueSource } from './values.ts';

/** The sender of a request. */
export interface Sender {
  readonly token: string;
  /** The cookie of a session, which is sent by a page of the service in place of the token. */
  readonly cookie?: string;
  readonly host: string;
  /** Clients without an account are counted by it. */
  readonly address: string;
}

/** A valid request according to the document, with values from earlier responses. */
export function validRequest(source: ValueSource, operation: Operation, sender: Sender): Draft {
  const { random } = source;
  const valueOf = (name: string, schema: Schema): string =>
    String(validValue(source, schema, name));
  const of = (place: string) =>
    operation.parameters.filter(
      (each) => each.in === place && (each.required || random.chance(0.4)),
    );
  const paths = new Map(of('path').map(({ name, schema }) => [name, valueOf(name, schema)]));
  const segments = operation.path
    .slice(1)
    .split('/')
    .map((part) =>
      part.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(paths.get(name) || 'x'),
      ),
    );
  const draft: Draft = {
    operation,
    method: operation.method.toUpperCase(),
    segments,
    query: of('query').map(
      ({ name, schema }) => `${name}=${encodeURIComponent(valueOf(name, schema))}`,
    ),
    headers: [
      ['Host', sender.host],
      ['X-Forwarded-For', sender.address],
    ],
    body: { kind: 'none' },
    codings: [],
    framing: random.chance(0.9) ? 'length' : 'chunked',
    changes: [],
  };
  if (operation.needsOwner && sender.cookie !== undefined)
    draft.headers.push(['Cookie', sender.cookie], ['Sec-Fetch-Site', 'same-origin']);
  else if (operation.needsOwner) draft.headers.push(['Authorization', `Bearer ${sender.token}`]);
  for (const { name, schema } of of('header'))
    if (!/idempotency/i.test(name) || random.chance(0.3))
      draft.headers.push([name, headerValue(name, valueOf(name, schema), source)]);
  if (random.chance(0.15)) draft.headers.push(['Accept', random.pick(ACCEPTED)]);
  addBody(draft, source);
  return draft;
}

const ACCEPTED = ['text/html', 'text/event-stream', '*/*', 'application/json', 'text/html;q=0.9'];

/** Keys come from a handful, so that some are sent again with the same body, or with another. */
function headerValue(name: string, value: string, { random, pool }: ValueSource): string {
  if (/idempotency/i.test(name)) return `key-${random.below(40)}`;
  return pool.pick(name, random) ?? value.replaceAll(/[^\x20-\x7e]/g, 'x');
}

function addBody(draft: Draft, source: ValueSource): void {
  const types = [...draft.operation.takes];
  if (types.length === 0) return;
  const [type, schema] = source.random.pick(types);
  const [contentType, body] = bodyOf(type, schema, source);
  draft.headers.push(['Content-Type', contentType]);
  draft.body = body;
}

function bodyOf(type: string, schema: Schema, source: ValueSource): [string, DraftBody] {
  if (type === 'multipart/form-data') return multipartOf(schema, source);
  if (type === 'application/x-www-form-urlencoded') {
    const fields = validValue(source, schema, '') as Record<string, unknown>;
    const form = new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return [type, { kind: 'bytes', bytes: Buffer.from(form.toString()) }];
  }
  if (type === 'application/json')
    return [type, { kind: 'json', value: validValue(source, schema, '') }];
  return [type, { kind: 'bytes', bytes: source.random.pick(filesFor(type, source.known)) }];
}

const filesFor = (type: string, known: ValueSource['known']): readonly Buffer[] =>
  (known[type] ?? known['file'] ?? [Buffer.from('x')]) as readonly Buffer[];

const NAMES = ['note.txt', 'page.html', 'data.csv', 'table.json', 'picture.png', 'archive.zip'];

function multipartOf(schema: Schema, source: ValueSource): [string, DraftBody] {
  const { random, contract } = source;
  const boundary = 'fuzz-boundary';
  const properties = Object.entries(
    (contract.resolve(schema)['properties'] ?? {}) as Record<string, Schema>,
  );
  const parts = properties.flatMap(([name, field]): Part[] => {
    if (!isFile(contract, field))
      return random.chance(0.5)
        ? [
            {
              head: [`Content-Disposition: form-data; name="${name}"`],
              body: String(validValue(source, field, name)),
            },
          ]
        : [];
    const count = contract.resolve(field)['type'] === 'array' ? 1 + random.below(3) : 1;
    return Array.from({ length: count }, () => ({
      head: [
        `Content-Disposition: form-data; name="${name}"; filename="${random.pick(NAMES)}"`,
        'Content-Type: application/octet-stream',
      ],
      body: random.pick(filesFor('file', source.known)),
    }));
  });
  return [`multipart/form-data; boundary=${boundary}`, { kind: 'multipart', parts, boundary }];
}

function isFile(contract: Contract, sent: Schema): boolean {
  const schema = contract.resolve(sent);
  if ('contentMediaType' in schema) return true;
  return schema['type'] === 'array' && isFile(contract, schema['items'] as Schema);
}
