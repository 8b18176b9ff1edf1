import { expect } from 'chai';
import fc from 'fast-check';
import { routes } from '../adapters/http/routes/index.ts';
import { toolSchemas } from '../adapters/http/openapi/agent-tool-schemas.ts';
import {
  compileRequest,
  type RequestSchemas,
} from '../adapters/http/validation/compile-request.ts';
import type { ToolName } from '../ports/agent-tools.ts';
import { agentToolsContract } from './suites/agent-tools.ts';

const tools = toolSchemas();
agentToolsContract('the HTTP edge', tools);

const ID = '0198c000-0000-7000-8000-000000000001';

/** The operation of a tool, and the equivalent request for its arguments. */
type Sent = Readonly<Record<string, unknown>>;
const OPERATIONS: {
  readonly [N in ToolName]: {
    readonly name: string;
    readonly request: (given: Sent) => { params?: Sent; query?: Sent; body?: Sent };
  };
} = {
  search_objects: {
    name: 'search',
    request: ({ query, ...rest }) => ({ query: { q: query, ...rest } }),
  },
  read_object: {
    name: 'getObject',
    request: ({ object_id }) => ({ params: { object_id } }),
  },
  create_note: { name: 'createNote', request: (body) => ({ body }) },
  get_agenda: { name: 'getAgenda', request: (query) => ({ query }) },
  create_event: { name: 'createEvent', request: (body) => ({ body }) },
  move_object: {
    name: 'moveObject',
    request: ({ object_id, ...body }) => ({ params: { object_id }, body }),
  },
  rename_object: {
    name: 'editObject',
    request: ({ object_id, ...body }) => ({ params: { object_id }, body }),
  },
};

function httpTakes(tool: ToolName, given: Sent): boolean {
  const { name, request } = OPERATIONS[tool];
  const route = routes.find((each) => each.name === name);
  const { params = {}, query = {}, body } = request(given);
  const text = (values: Sent) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
  return compileRequest(route as unknown as RequestSchemas)({
    params: text(params),
    url: `/?${new URLSearchParams(text(query)).toString()}`,
    ...(body && {
      body: { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json' },
    }),
  }).ok;
}

const id = fc.oneof(
  fc.constantFrom(ID, ID.toUpperCase(), ID.replaceAll('-', ''), 'x', '', `${ID}0`),
  fc.uuid(),
);
const time = fc.constantFrom(
  '2026-01-05',
  '2026-01-05T09:00',
  '2026-02-30',
  '2026-01-05T09:00:00+25:00',
  '2026-01-05T09:00:00Z',
  'tomorrow',
  '',
);
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    'a/b',
    '..',
    'a\0b',
    ' ',
    'x'.repeat(255),
    'x'.repeat(256),
    'x\u202ey',
    'é'.repeat(501),
  ),
);
const mostly = <T>(sound: T, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: other });
const limit = fc.constantFrom(-1, 0, 1, 100, 101, 2000, 2001);

const GIVEN: { readonly [N in ToolName]: fc.Arbitrary<Sent> } = {
  search_objects: fc.record({ query: words.filter((text) => !text.includes('\0')), limit }),
  read_object: fc.record({ object_id: id }),
  create_note: fc.record(
    { content: words, title: words, collection_id: id },
    { requiredKeys: ['content'] },
  ),
  get_agenda: fc.record({ from: time, to: time, limit }, { requiredKeys: ['from', 'to'] }),
  create_event: fc.record(
    {
      title: mostly('x', words),
      starts_at: mostly('2026-01-05T09:00', time),
      ends_at: mostly('2026-01-05T10:00Z', time),
      tz: mostly('Europe/Berlin', fc.constantFrom('UTC', 'Mars/Base', '')),
      all_day: mostly(true, fc.constantFrom('yes', 1)),
      description: mostly('x', fc.constantFrom('', 'x'.repeat(20_001))),
      location: mostly('x', fc.constantFrom('', 'x'.repeat(1_001))),
      reminders: mostly([10], fc.array(fc.integer({ min: -1, max: 40_321 }), { maxLength: 12 })),
      status: mostly('confirmed', fc.constant('maybe')),
      rrule: mostly('FREQ=DAILY', fc.constantFrom('', 'FREQ=SECONDLY', 'FREQ=DAILY;COUNT=x')),
    },
    { requiredKeys: ['title', 'starts_at'] },
  ),
  move_object: fc.record(
    { object_id: id, collection_id: fc.oneof(id, fc.constant(null)) },
    { requiredKeys: ['object_id'] },
  ),
  rename_object: fc.record({ object_id: id, filename: words }),
};

describe('the arguments of tools', () => {
  for (const tool of Object.keys(OPERATIONS) as ToolName[])
    it(`follow the same rules as requests to ${OPERATIONS[tool].name}: ${tool}`, () => {
      let taken = 0;
      fc.assert(
        fc.property(GIVEN[tool], (given) => {
          const byHttp = httpTakes(tool, given);
          if (byHttp) taken++;
          expect(tools.check(tool, JSON.stringify(given)).ok, JSON.stringify(given)).to.equal(
            byHttp,
          );
        }),
        { numRuns: 300 },
      );
      expect(taken).to.be.above(0);
    });
});

describe('enumerations in tool arguments', () => {
  const enumOf = (tool: ToolName, field: string): readonly string[] => {
    const { properties } = tools.parameters(tool) as {
      readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    };
    return properties[field]?.enum ?? [];
  };
  for (const [tool, field, given] of [
    ['search_objects', 'doc_type', { query: 'x' }],
    ['search_objects', 'kind', { query: 'x' }],
    ['create_event', 'status', { title: 'x', starts_at: '2026-01-05', ends_at: '2026-01-06' }],
  ] as const)
    it(`${tool}.${field} lists its values in the schema, and in the error for another value`, () => {
      const values = enumOf(tool, field);
      expect(values).to.have.length.above(2);
      for (const value of values)
        expect(tools.check(tool, JSON.stringify({ ...given, [field]: value })).ok).to.equal(true);
      const wrong = tools.check(tool, JSON.stringify({ ...given, [field]: 'constructor' }));
      expect(wrong.ok).to.equal(false);
      if (!wrong.ok) for (const value of values) expect(wrong.errors.join()).to.include(value);
    });
});
