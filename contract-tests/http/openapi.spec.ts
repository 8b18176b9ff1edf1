import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { openApi, type DescribedOperation } from '../../adapters/http/openapi/openapi.ts';
import { openApiDocument, routes } from '../../adapters/http/routes/index.ts';
import {
  MARKS,
  clearable,
  closed,
  filename,
  flag,
  int,
  label,
  list,
  named,
  nullable,
  object,
  optional,
  secret,
  sentDateTime,
  text,
  url,
  uuid,
  withDefault,
} from '../../adapters/http/schema.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is looked at from outside
type Any = any;

const ERRORS = [
  { code: 'unauthorized', status: 401, message: 'Not authenticated' },
  { code: 'rate_limited', status: 429, message: 'Pause.' },
  { code: 'internal', status: 500, message: 'Our fault.' },
  { code: 'unavailable', status: 503, message: 'Not now.' },
  { code: 'forbidden', status: 403, message: 'No.' },
  { code: 'not_found', status: 404, message: 'Not found.' },
  { code: 'too_large', status: 413, message: 'Too large.' },
  { code: 'request_timeout', status: 408, message: 'Too slow.' },
  { code: 'unsupported_type', status: 415, message: 'Another type.' },
  { code: 'in_trash', status: 409, message: 'In the trash.' },
  { code: 'idempotency_in_progress', status: 409, message: 'Still running.' },
  { code: 'idempotency_key_reused', status: 409, message: 'Used before.' },
  { code: 'hidden_locked', status: 403, message: 'Locked.' },
];

const Card = named('Card', closed({ id: uuid(), parent: nullable(uuid()) }));
const operation = (rest: Partial<DescribedOperation>): DescribedOperation => ({
  method: 'post',
  path: '/v1/cards/:card_id',
  tag: 'Cards',
  name: 'editCard',
  summary: 'Change a card',
  access: 'owner',
  reply: { json: Card },
  ...rest,
});
const documentOf = (...operations: Partial<DescribedOperation>[]): Any =>
  openApi(operations.map(operation), ERRORS);

/** Every object within a value, the value itself included. */
function* within(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const each of Object.values(value)) yield* within(each);
}

describe('the OpenAPI document of the service', () => {
  const document: Any = openApiDocument();
  const operations = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods).map(([method, node]) => ({ path, method, node })),
  );

  it('has every operation of the route table, each under a name of its own', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).to.have.members(
      routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
    );
    const names = operations.map(({ node }) => node.operationId);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('names every part of a path as a required parameter', () => {
    for (const { path, node } of operations) {
      const inPath = node.parameters.filter((each: Any) => each.in === 'path');
      expect(inPath.map((each: Any) => `{${each.name}}`)).to.have.members(
        path.match(/\{\w+\}/g) ?? [],
      );
      for (const each of inPath) expect(each.required).to.equal(true);
    }
  });

  it('contains the target of every reference', () => {
    for (const { $ref } of within(document)) {
      if (typeof $ref !== 'string') continue;
      const [, ...path] = $ref.split('/');
      const target = path.reduce<Any>((node, step) => node?.[step], document);
      expect(target, $ref).to.be.an('object');
    }
  });

  it('holds schemas that are JSON Schema and nothing else', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
    for (const format of ['uuid', 'date-time', 'uri', 'int64']) ajv.addFormat(format, true);
    const schemas = Object.entries<Any>(document.components.schemas);
    for (const [name, schema] of schemas) ajv.addSchema(schema, `#/components/schemas/${name}`);
    for (const [name] of schemas)
      expect(() => ajv.getSchema(`#/components/schemas/${name}`), name).not.to.throw();
    for (const node of within(document))
      for (const mark of MARKS)
        // A field may be named like a mark; its value is then a schema, not a mark's.
        expect(typeof node[mark], `${mark} in ${JSON.stringify(node)}`).to.match(
          /^(undefined|object)$/,
        );
  });

  it('describes every error code that an operation names', () => {
    for (const route of routes) {
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      const { responses } = document.paths[path][route.method];
      for (const code of route.errors ?? [])
        expect(JSON.stringify(responses), `${route.name}: ${code}`).to.include(`\`${code}\``);
    }
  });

  it('requires a token where the route table does, and lists 401 there', () => {
    for (const route of routes) {
      const node = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')][route.method];
      const known = route.access === 'owner' || route.access === 'platform';
      expect(node.security.length > 0).to.equal(known);
      for (const scheme of node.security.flatMap(Object.keys))
        expect(document.components.securitySchemes).to.have.property(scheme);
      const locks =
        route.errors?.some((code) => /^(password_required|sign_in_failed)$/.test(code)) ?? false;
      expect('401' in node.responses).to.equal(known || locks);
    }
  });
});

describe('an OpenAPI document', () => {
  it('describes requests with bounds and defaults, and without custom keywords', () => {
    const { paths, components } = documentOf({
      method: 'get',
      params: object({ card_id: uuid({ description: 'Which card.' }) }),
      query: object({
        limit: withDefault(int({ minimum: 1, maximum: 100 }), 20),
        q: text({ maxLength: 9 }),
        all: optional(flag()),
      }),
      headers: object({ 'x-thing': optional(text()) }),
      readsUnlockToken: true,
    });
    const node = paths['/v1/cards/{card_id}'].get;
    expect(node.parameters).to.deep.equal([
      {
        name: 'card_id',
        in: 'path',
        required: true,
        description: 'Which card.',
        schema: { type: 'string', format: 'uuid' },
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      { name: 'q', in: 'query', required: true, schema: { type: 'string', maxLength: 9 } },
      { name: 'all', in: 'query', required: false, schema: { type: 'boolean' } },
      { name: 'x-thing', in: 'header', required: false, schema: { type: 'string' } },
      {
        name: 'x-hidden-token',
        in: 'header',
        required: false,
        description: 'Unlock token of the hidden zone.',
        schema: { type: 'string' },
      },
    ]);
    expect(node.responses['200'].content['application/json'].schema).to.deep.equal({
      $ref: '#/components/schemas/Card',
    });
    expect(components.schemas.Card).to.deep.equal({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        parent: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
      },
      required: ['id', 'parent'],
      additionalProperties: false,
    });
  });

  it('writes special fields as JSON Schema has them', () => {
    const json = object({
      name: label(5),
      file: filename(),
      pin: secret(text()),
      parent: optional(clearable(uuid())),
      at: sentDateTime(),
      link: url(),
      cards: list(Card, { maxItems: 3 }),
    });
    const node = documentOf({ body: { json } }).paths['/v1/cards/{card_id}'].post;
    expect(node.requestBody).to.deep.equal({
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 5 },
              file: { type: 'string', minLength: 1, maxLength: 255 },
              pin: { type: 'string', writeOnly: true },
              parent: { anyOf: [{ type: 'string', format: 'uuid' }, { const: '' }] },
              at: { type: 'string', format: 'date-time' },
              link: { type: 'string', format: 'uri', maxLength: 2083 },
              cards: { type: 'array', items: { $ref: '#/components/schemas/Card' }, maxItems: 3 },
            },
            required: ['name', 'file', 'pin', 'at', 'link', 'cards'],
          },
        },
      },
    });
  });

  it('has a form with its file', () => {
    const multipart = object({ base_version: int(), note: optional(text()) });
    const form = (many: boolean) =>
      documentOf({ body: { multipart, files: { name: 'file', many } } }).paths[
        '/v1/cards/{card_id}'
      ].post.requestBody.content['multipart/form-data'].schema;
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    expect(form(false).properties.file).to.deep.equal(file);
    expect(form(true).properties.file).to.deep.equal({ type: 'array', items: file, minItems: 1 });
    expect(form(true).required).to.deep.equal(['file', 'base_version']);
  });

  it('lists the possible statuses of an operation', () => {
    const statuses = (rest: Partial<DescribedOperation>) =>
      Object.keys(Object.values<Any>(documentOf(rest).paths['/v1/cards/{card_id}'])[0].responses);
    const json = object({});
    expect(statuses({ access: 'public', method: 'get' })).to.have.members(['200', '304', '500']);
    // Pages of other origins may not read with the session cookie.
    expect(statuses({ method: 'get' })).to.have.members([
      ...['200', '304', '401', '403', '429', '500', '503'],
    ]);
    expect(
      statuses({ body: { json }, acceptsIdempotencyKey: true, errors: ['not_found'] }),
    ).to.have.members([
      ...['200', '401', '403', '404', '408', '409', '413', '415', '422', '429', '500', '503'],
    ]);
    expect(statuses({ method: 'get', reply: { bytes: 'image/webp' } })).to.include.members([
      ...['200', '206', '304'],
    ]);
  });

  it('lists the codes that share a status together', () => {
    const { post } = documentOf({ acceptsIdempotencyKey: true, errors: ['in_trash'] }).paths[
      '/v1/cards/{card_id}'
    ];
    expect(post.responses['409'].description.split('\n\n')).to.have.members([
      '`in_trash`: In the trash.',
      '`idempotency_in_progress`: Still running.',
      '`idempotency_key_reused`: Used before.',
    ]);
  });

  it('is rejected if it would be wrong', () => {
    expect(() => documentOf({ errors: ['no_such_code'] })).to.throw('no_such_code');
    const other = named('Card', closed({ id: int() }));
    expect(() => documentOf({}, { path: '/v1/x', reply: { json: other } })).to.throw('Card');
    expect(() => documentOf({}, { path: '/v1/x' })).not.to.throw();
  });
});
