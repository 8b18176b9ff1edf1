import { expect } from 'chai';
import fc from 'fast-check';
import {
  clearable,
  filename,
  flag,
  int,
  label,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  secret,
  text,
  uuid,
  withDefault,
} from '../../adapters/http/schema.ts';
import { compileRequest } from '../../adapters/http/validation/compile-request.ts';

const json = (body: string | Uint8Array, contentType = 'application/json') => ({
  bytes: typeof body === 'string' ? Buffer.from(body) : body,
  contentType,
});

const Body = object({
  name: label(5),
  count: optional(int({ minimum: 1, maximum: 9 })),
  share: optional(number({ minimum: 0, maximum: 1 })),
  on: optional(flag()),
  id: optional(uuid()),
  ids: optional(list(uuid(), { maxItems: 2 })),
  kind: optional(oneOf('a', 'b', 'c')),
  pin: optional(secret(text({ minLength: 4, maxLength: 12 }))),
  filename: optional(filename()),
  parent: optional(clearable(uuid())),
  code: optional(text({ pattern: '^[a-z]+$' })),
});
const check = compileRequest({ body: { json: Body } });
const body = (sent: unknown) => check({ params: {}, url: '/', body: json(JSON.stringify(sent)) });
const faults = (sent: unknown) => {
  const checked = body(sent);
  return checked.ok ? [] : checked.detail;
};
const raw = (sent: string | Uint8Array, type?: string) => {
  const checked = check({ params: {}, url: '/', body: json(sent, type) });
  return checked.ok ? [] : checked.detail;
};

const ID = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const uuidError = (error: string) => ({
  type: 'uuid_parsing',
  msg: `Input should be a valid UUID, ${error}`,
  ctx: { error },
});

/** Field, sent value, and all members of the error besides `loc` and `input`. */
const CASES: readonly (readonly [string, unknown, object])[] = [
  ['name', 7, { type: 'string_type', msg: 'Input should be a valid string' }],
  [
    'name',
    '',
    {
      type: 'string_too_short',
      msg: 'String should have at least 1 character',
      ctx: { min_length: 1 },
    },
  ],
  [
    'name',
    '  ',
    {
      type: 'string_too_short',
      msg: 'String should have at least 1 character',
      ctx: { min_length: 1 },
    },
  ],
  [
    'name',
    'sixsix',
    {
      type: 'string_too_long',
      msg: 'String should have at most 5 characters',
      ctx: { max_length: 5 },
    },
  ],
  ['count', '5', { type: 'int_type', msg: 'Input should be a valid integer' }],
  ['count', true, { type: 'int_type', msg: 'Input should be a valid integer' }],
  [
    'count',
    5.5,
    {
      type: 'int_from_float',
      msg: 'Input should be a valid integer, got a number with a fractional part',
    },
  ],
  [
    'count',
    0,
    {
      type: 'greater_than_equal',
      msg: 'Input should be greater than or equal to 1',
      ctx: { ge: 1 },
    },
  ],
  [
    'count',
    1e30,
    { type: 'less_than_equal', msg: 'Input should be less than or equal to 9', ctx: { le: 9 } },
  ],
  ['share', 'x', { type: 'float_type', msg: 'Input should be a valid number' }],
  ['on', 1, { type: 'bool_type', msg: 'Input should be a valid boolean' }],
  ['on', 'true', { type: 'bool_type', msg: 'Input should be a valid boolean' }],
  ['id', 5, { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' }],
  ['id', 'abc', uuidError('invalid length: expected length 32 for simple format, found 3')],
  ['id', ID.slice(0, -1), uuidError('invalid group length in group 4: expected 12, found 11')],
  ['id', `z${ID.slice(1)}`, uuidError('invalid character: found `z` at 1')],
  ['ids', 'x', { type: 'list_type', msg: 'Input should be a valid list' }],
  [
    'ids',
    [ID, ID, ID],
    {
      type: 'too_long',
      msg: 'List should have at most 2 items after validation, not 3',
      ctx: { field_type: 'List', max_length: 2, actual_length: 3 },
    },
  ],
  [
    'kind',
    'd',
    {
      type: 'literal_error',
      msg: "Input should be 'a', 'b' or 'c'",
      ctx: { expected: "'a', 'b' or 'c'" },
    },
  ],
  [
    'kind',
    3,
    {
      type: 'literal_error',
      msg: "Input should be 'a', 'b' or 'c'",
      ctx: { expected: "'a', 'b' or 'c'" },
    },
  ],
  [
    'code',
    'A',
    {
      type: 'string_pattern_mismatch',
      msg: "String should match pattern '^[a-z]+$'",
      ctx: { pattern: '^[a-z]+$' },
    },
  ],
];

describe('422: a body field', () => {
  for (const [field, sent, says] of CASES)
    it(`${field} = ${JSON.stringify(sent)}`, () => {
      const all = faults({ name: 'ok', [field]: sent });
      const input = field === 'name' && sent === '  ' ? '  ' : sent;
      expect(all).to.deep.equal([{ loc: ['body', field], input, ...says }]);
    });

  it('preserves the order of keys on the wire', () => {
    const [first] = faults({ name: '' });
    expect(Object.keys(first ?? {})).to.deep.equal(['type', 'loc', 'msg', 'input', 'ctx']);
  });

  it('reports every error, in the order of the declared fields and of a list', () => {
    const all = faults({ kind: 'x', ids: [ID, 'b'], count: 'x', pin: '1' });
    expect(all.map(({ loc }) => loc)).to.deep.equal([
      ['body', 'name'],
      ['body', 'count'],
      ['body', 'ids', 1],
      ['body', 'kind'],
      ['body', 'pin'],
    ]);
  });

  it('never sends a secret back', () => {
    for (const sent of [{ pin: '1' }, { pin: 5, name: 'ok' }, { pin: 'a'.repeat(40), name: 'ok' }])
      expect(JSON.stringify(faults(sent).map(({ input }) => input))).not.to.match(/[15]|aaaa/);
    expect(faults({ pin: '9876' })[0]).to.deep.equal({
      type: 'missing',
      loc: ['body', 'name'],
      msg: 'Field required',
      input: {},
    });
    expect(JSON.stringify(raw('["9876"]'))).not.to.include('9876');
    expect(JSON.stringify(raw('9876', 'text/plain'))).not.to.include('9876');
  });

  it('treats null as absent, ignores unknown fields, and normalises ids', () => {
    const simple = ID.replaceAll('-', '').toUpperCase();
    const checked = body({
      name: ' ok ',
      count: null,
      id: simple,
      ids: [`{${ID}}`],
      parent: '',
      x: 1,
    });
    expect(checked).to.deep.equal({
      ok: true,
      values: { params: {}, query: {}, body: { name: 'ok', id: ID, ids: [ID], parent: null } },
    });
    expect(body({ name: 'ok', count: 5.0 }).ok).to.equal(true);
  });

  it('counts code points', () => {
    expect(faults({ name: '😀😀😀😀😀' })).to.deep.equal([]);
    expect(faults({ name: 'ok', filename: '😀'.repeat(255) })).to.deep.equal([]);
    expect(faults({ name: 'ok', filename: '😀'.repeat(256) })[0]?.type).to.equal('string_too_long');
  });

  for (const name of ['a/b', 'a\\b', 'a\u0001', '.', '..', 'a\u202eb', 'a\u2066b'])
    it(`rejects the filename ${JSON.stringify(name)}`, () =>
      expect(faults({ name: 'ok', filename: name })[0]).to.deep.include({
        type: 'value_error',
        loc: ['body', 'filename'],
        ctx: { error: {} },
      }));
});

describe('422: a body as a whole', () => {
  const invalid = (position: number, error: string) => [
    {
      type: 'json_invalid',
      loc: ['body', position],
      msg: 'JSON decode error',
      input: {},
      ctx: { error },
    },
  ];
  const broken: readonly (readonly [string, number, string])[] = [
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ['{"a":1,}', 7, 'Expecting property name enclosed in double quotes'],
    ["{'a':1}", 1, 'Expecting property name enclosed in double quotes'],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['{"a":}', 5, 'Expecting value'],
    ['{"a":1 "b":2}', 7, "Expecting ',' delimiter"],
    ['[1,]', 3, 'Expecting value'],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['{} x', 3, 'Extra data'],
    ['{"a":"x', 5, 'Unterminated string starting at'],
    ['{"a":"x\ny"}', 7, 'Invalid control character at'],
    ['{"a":"\\q"}', 6, 'Invalid \\escape'],
    ['{"é😀":nope}', 6, 'Expecting value'],
    ['NaN', 0, 'Expecting value'],
    ['{"a":-Infinity}', 5, 'Expecting value'],
    ['{"name":"a","count":1e400}', 20, 'Expecting value'],
    ['   ', 3, 'Expecting value'],
  ];
  for (const [sent, position, error] of broken)
    it(`${JSON.stringify(sent)}: ${error}`, () =>
      expect(raw(sent)).to.deep.equal(invalid(position, error)));

  it('that is malformed is the only reported error', () => {
    const check = compileRequest({
      params: object({ id: uuid() }),
      body: { json: object({ name: text() }) },
    });
    const checked = check({
      params: { id: 'x' },
      url: '/',
      body: { bytes: Buffer.from('{'), contentType: 'application/json' },
    });
    expect(checked.ok ? [] : checked.detail.map(({ type }) => type)).to.deep.equal([
      'json_invalid',
    ]);
  });

  it('is invalid UTF-8', () =>
    expect(raw(Uint8Array.of(123, 255, 125))[0]?.type).to.equal('json_invalid'));

  it('is missing, null, no object or of another type', () => {
    const missing = [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }];
    expect(raw('')).to.deep.equal(missing);
    expect(raw('null')).to.deep.equal(missing);
    for (const [sent, type] of [
      ['[]', undefined],
      ['"x"', undefined],
      ['{"name":"x"}', 'text/plain'],
      ['{}', ''],
    ] as const)
      expect(raw(sent, type)[0]).to.deep.include({ type: 'model_attributes_type', loc: ['body'] });
    expect(raw('{"name":"x"}', 'application/vnd.api+json; charset=utf-8')).to.deep.equal([]);
  });

  it('contains characters that no database stores, or nests too deeply', () => {
    expect(raw('{"name":"a\\u0000"}')[0]).to.deep.include({
      type: 'value_error',
      loc: ['body', 'name'],
    });
    expect(raw('{"name":"\\ud800"}')[0]).to.deep.include({
      type: 'value_error',
      loc: ['body', 'name'],
    });
    for (const deep of ['['.repeat(2 ** 20), `${'['.repeat(65)}${']'.repeat(65)}`])
      expect(raw(deep)[0]).to.deep.include({ type: 'value_error', loc: ['body'] });
    expect(raw(`{"name":"a","x":${'['.repeat(63)}${']'.repeat(63)}}`)).to.deep.equal([]);
  });

  it('pollutes nothing', () => {
    raw('{"name":"a","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);
  });

  it('is JSON for us exactly when it is for JSON.parse', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.string(), fc.stringMatching(/^[\]{}[":,\\0-9a-f \n]*$/)),
        (sent) => {
          let sound = true;
          try {
            JSON.parse(sent);
          } catch {
            sound = false;
          }
          const types = raw(sent === '' ? ' ' : sent).map(({ type }) => type);
          if (!sound)
            expect(types)
              .to.have.length(1)
              .and.to.satisfy(([type]: string[]) => /json_invalid|value_error/.test(type!));
          else expect(types).not.to.include('json_invalid');
        },
      ),
      { numRuns: 500 },
    ));
});

describe('422: text values', () => {
  const Query = object({
    limit: withDefault(int({ minimum: 1, maximum: 100 }), 20),
    offset: withDefault(int({ minimum: 0 }), 0),
    on: optional(flag()),
    id: optional(uuid()),
    q: text(),
    share: optional(number()),
    parent: optional(nullable(uuid())),
  });
  const read = compileRequest({ query: Query });
  const query = (sent: string) => {
    const checked = read({ params: {}, url: `/x?${sent}` });
    return checked.ok ? checked.values.query : checked.detail;
  };

  it('accepts the spellings that people type', () => {
    for (const [sent, value] of [
      ['5', 5],
      ['%2B5', 5],
      ['+5+', 5],
      ['5.0', 5],
      ['1_0', 10],
      ['007', 7],
    ] as const)
      expect(query(`q=&limit=${sent}`), sent).to.deep.include({ limit: value });
    for (const [sent, value] of [
      ['true', true],
      ['ON', true],
      ['Yes', true],
      ['1', true],
      ['0', false],
      ['off', false],
      ['NO', false],
    ] as const)
      expect(query(`q=&on=${sent}`), sent).to.deep.include({ on: value });
    expect(query('q=a&q=b%20c&limit=500&limit=7')).to.deep.include({ q: 'b c', limit: 7 });
    expect(query(`q=x&id=${ID.toUpperCase()}`)).to.deep.include({ id: ID });
    expect(query('q=x')).to.deep.equal({ limit: 20, offset: 0, q: 'x' });
  });

  it('clamps a number beyond the safe integers', () =>
    expect(query(`q=&offset=${'9'.repeat(30)}`)).to.deep.include({
      offset: Number.MAX_SAFE_INTEGER,
    }));

  const one = (sent: string) => (query(sent) as unknown as { type: string; input?: unknown }[])[0];
  const CASES: readonly (readonly [string, string, unknown])[] = [
    ['q=&limit=', 'int_parsing', ''],
    ['q=&limit=x', 'int_parsing', 'x'],
    ['q=&limit=5.5', 'int_parsing', '5.5'],
    ['q=&limit=0', 'greater_than_equal', '0'],
    ['q=&limit=101', 'less_than_equal', '101'],
    [`q=&limit=${'9'.repeat(4301)}`, 'int_parsing_size', '9'.repeat(4301)],
    ['q=&on=', 'bool_parsing', ''],
    ['q=&on=t', 'bool_parsing', 't'],
    ['q=&id=', 'uuid_parsing', ''],
    ['q=&share=x', 'float_parsing', 'x'],
    ['limit=5', 'missing', null],
    ['q=%00', 'value_error', undefined],
    ['q=%ff', 'value_error', undefined],
  ];
  for (const [sent, type, input] of CASES)
    it(`${sent.slice(0, 40)}: ${type}`, () => {
      expect(one(sent)?.type).to.equal(type);
      if (input !== undefined) expect(one(sent)?.input).to.equal(input);
    });

  it('never throws, for any query', () =>
    fc.assert(
      fc.property(fc.webQueryParameters(), fc.string(), (sent, junk) => {
        query(sent);
        query(junk);
        query(`q=${encodeURIComponent(junk.toWellFormed())}&limit=${junk}`);
      }),
    ));

  it('reads every integer back', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (value) => {
        expect(query(`q=&offset=${value}`)).to.deep.include({ offset: value });
      }),
    ));
});
