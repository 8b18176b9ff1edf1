import { expect } from 'chai';
import fc from 'fast-check';
import {
  clearable,
  filename,
  flag,
  freeForm,
  int,
  label,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  optionalOrNull,
  secret,
  sentDateTime,
  text,
  url,
  uuid,
  withDefault,
  type Schema,
} from '../../adapters/http/schema.ts';
import { compileRequest, type Detail } from '../../adapters/http/validation/compile-request.ts';

const ID = '6f1d3b0a-1c2d-7e3f-8a4b-5c6d7e8f9a0b';

/** The validation result of a body with one field `x`, as it is sent. */
function bodyField(schema: Schema<unknown>) {
  const check = compileRequest({ body: { json: object({ x: schema }) } });
  return (sent: string): string => {
    const bytes = Buffer.from(`{"x":${sent}}`);
    const body = { bytes, contentType: 'application/json' };
    const checked = check({ params: {}, url: '/', body });
    return JSON.stringify(checked.ok ? checked.values.body['x'] : checked.detail);
  };
}

function queryField(schema: Schema<unknown>) {
  const check = compileRequest({ query: object({ x: schema }) });
  return (sent: string): unknown => {
    const checked = check({ params: {}, url: `/?x=${encodeURIComponent(sent)}` });
    return checked.ok ? checked.values.query['x'] : checked.detail;
  };
}

const wire = (type: string, msg: string, input: string, ctx?: string): string =>
  `[{"type":"${type}","loc":["body","x"],"msg":${JSON.stringify(msg)},"input":${input}${ctx === undefined ? '' : `,"ctx":${ctx}`}}]`;

type Row = readonly [
  title: string,
  schema: Schema<unknown>,
  sent: string,
  type: string,
  msg: string,
  ctx?: string,
];

const ROWS: readonly Row[] = [
  ['text', text(), '5', 'string_type', 'Input should be a valid string'],
  ['text', text(), 'null', 'string_type', 'Input should be a valid string'],
  [
    'short',
    text({ minLength: 4 }),
    '"abc"',
    'string_too_short',
    'String should have at least 4 characters',
    '{"min_length":4}',
  ],
  [
    'long',
    text({ maxLength: 1 }),
    '"😀😀"',
    'string_too_long',
    'String should have at most 1 character',
    '{"max_length":1}',
  ],
  [
    'pattern',
    text({ pattern: '^[a-z]+$' }),
    '"A"',
    'string_pattern_mismatch',
    "String should match pattern '^[a-z]+$'",
    '{"pattern":"^[a-z]+$"}',
  ],
  ['int', int(), '"5"', 'int_type', 'Input should be a valid integer'],
  [
    'int',
    int(),
    '5.5',
    'int_from_float',
    'Input should be a valid integer, got a number with a fractional part',
  ],
  ['number', number(), '"5"', 'float_type', 'Input should be a valid number'],
  ['number', number(), 'true', 'float_type', 'Input should be a valid number'],
  ['flag', flag(), '"true"', 'bool_type', 'Input should be a valid boolean'],
  [
    'least',
    int({ minimum: 10 }),
    '9',
    'greater_than_equal',
    'Input should be greater than or equal to 10',
    '{"ge":10}',
  ],
  [
    'most',
    int({ maximum: 100 }),
    '1e+30',
    'less_than_equal',
    'Input should be less than or equal to 100',
    '{"le":100}',
  ],
  [
    'more',
    number({ exclusiveMinimum: 0 }),
    '0',
    'greater_than',
    'Input should be greater than 0',
    '{"gt":0}',
  ],
  [
    'less',
    int({ exclusiveMaximum: 366 }),
    '366',
    'less_than',
    'Input should be less than 366',
    '{"lt":366}',
  ],
  ['list', list(int(), { maxItems: 4 }), '{}', 'list_type', 'Input should be a valid list'],
  ['dict', freeForm(), '[]', 'dict_type', 'Input should be a valid dictionary'],
  [
    'object',
    object({ a: int() }),
    '"a"',
    'model_attributes_type',
    'Input should be a valid dictionary or object to extract fields from',
  ],
  [
    'few',
    list(int(), { minItems: 4, maxItems: 4 }),
    '[1,2,3]',
    'too_short',
    'List should have at least 4 items after validation, not 3',
    '{"field_type":"List","min_length":4,"actual_length":3}',
  ],
  [
    'many',
    list(int(), { maxItems: 1 }),
    '[1,"b",3]',
    'too_long',
    'List should have at most 1 item after validation, not 3',
    '{"field_type":"List","max_length":1,"actual_length":3}',
  ],
  ['one of one', oneOf('z'), '"y"', 'literal_error', "Input should be 'z'", `{"expected":"'z'"}`],
  [
    'one of two',
    oneOf('folder', 'file'),
    '5',
    'literal_error',
    "Input should be 'folder' or 'file'",
    `{"expected":"'folder' or 'file'"}`,
  ],
  [
    'one of three',
    oneOf('a', 'b', 'c'),
    'null',
    'literal_error',
    "Input should be 'a', 'b' or 'c'",
    `{"expected":"'a', 'b' or 'c'"}`,
  ],
  ['uuid', uuid(), '5', 'uuid_type', 'UUID input should be a string, bytes or UUID object'],
  [
    'uuid',
    uuid(),
    '"abc"',
    'uuid_parsing',
    'Input should be a valid UUID, invalid length: expected length 32 for simple format, found 3',
    '{"error":"invalid length: expected length 32 for simple format, found 3"}',
  ],
  ['date-time', sentDateTime(), '1700000000', 'datetime_type', 'Input should be a valid datetime'],
  [
    'date-time',
    sentDateTime(),
    '"2026-13-01"',
    'datetime_from_date_parsing',
    'Input should be a valid datetime or date, month value is outside expected range of 1-12',
    '{"error":"month value is outside expected range of 1-12"}',
  ],
  [
    'url',
    url(),
    '"a"',
    'url_parsing',
    'Input should be a valid URL, relative URL without a base',
    '{"error":"relative URL without a base"}',
  ],
  [
    'url',
    url(),
    '"ftp://a"',
    'url_scheme',
    "URL scheme should be 'http' or 'https'",
    `{"expected_schemes":"'http' or 'https'"}`,
  ],
  [
    'url',
    url(['https']),
    '"http://a"',
    'url_scheme',
    "URL scheme should be 'https'",
    `{"expected_schemes":"'https'"}`,
  ],
  [
    'filename',
    filename(),
    '"."',
    'value_error',
    "Value error, a filename is not '.'",
    '{"error":{}}',
  ],
  [
    'NUL',
    text(),
    '"a\\u0000"',
    'value_error',
    'Value error, the text holds a NUL character',
    '{"error":{}}',
  ],
];

describe('the 422 catalogue, word for word', () => {
  for (const [title, schema, sent, type, msg, ctx] of ROWS)
    it(`${title}: ${type} for ${sent}`, () =>
      expect(bodyField(schema)(sent)).to.equal(wire(type, msg, sent, ctx)));

  it('reports each of them for a nullable field too', () => {
    for (const [, schema, sent, type, msg, ctx] of ROWS.filter(([, , sent]) => sent !== 'null'))
      expect(bodyField(nullable(schema))(sent)).to.equal(wire(type, msg, sent, ctx));
  });

  it('reports one error per value, and for a list that is too short only its items', () => {
    expect(bodyField(text({ maxLength: 1 }))('"a\\u0000"')).to.equal(
      wire(
        'value_error',
        'Value error, the text holds a NUL character',
        '"a\\u0000"',
        '{"error":{}}',
      ),
    );
    const reported = bodyField(list(int(), { minItems: 4, maxItems: 4 }))('[1,"b",3]');
    expect(JSON.parse(reported)).to.deep.equal([
      {
        type: 'int_type',
        loc: ['body', 'x', 1],
        msg: 'Input should be a valid integer',
        input: 'b',
      },
    ]);
  });

  it('accepts null and the empty text where they have a meaning', () => {
    expect(bodyField(nullable(uuid()))('null')).to.equal('null');
    expect(bodyField(clearable(uuid()))('""')).to.equal('null');
    expect(bodyField(optionalOrNull(int()))('null')).to.equal('null');
    expect(bodyField(optional(int()))('null')).to.equal(undefined);
    expect(bodyField(withDefault(int(), 7))('null')).to.equal('7');
    expect(bodyField(withDefault(int(), 7))('50.0')).to.equal('50');
  });

  it('an unpaired surrogate is rejected, and its echo is valid UTF-8', () => {
    const reported = bodyField(text())('"a\\ud800"');
    expect(JSON.parse(reported)).to.deep.include.members([
      {
        type: 'value_error',
        loc: ['body', 'x'],
        msg: 'Value error, the text holds an unpaired surrogate',
        input: 'a\ufffd',
        ctx: { error: {} },
      },
    ]);
  });

  it('unbounded counts beyond the safe integers are clamped', () => {
    expect(bodyField(int())('1e300')).to.equal(String(Number.MAX_SAFE_INTEGER));
    expect(queryField(int())(`-${'9'.repeat(400)}`)).to.equal(Number.MIN_SAFE_INTEGER);
  });
});

describe('422: ids in all their spellings', () => {
  const read = queryField(uuid());
  const reported = (sent: string) => (read(sent) as readonly Detail[])[0]?.ctx?.['error'];
  const bare = ID.replaceAll('-', '');

  it('are read in each and answered in one', () =>
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const plain = id.replaceAll('-', '');
        const spellings = [
          id,
          id.toUpperCase(),
          plain,
          plain.toUpperCase(),
          `{${id}}`,
          `urn:uuid:${id}`,
        ];
        for (const sent of spellings) expect(read(sent), sent).to.equal(id);
      }),
    ));

  const FAULTS: readonly (readonly [string, string])[] = [
    ['', 'invalid length: expected length 32 for simple format, found 0'],
    ['z', 'invalid character: found `z` at 1'],
    ['aé', 'invalid character: found `é` at 2'],
    [ID.slice(0, -1), 'invalid group length in group 4: expected 12, found 11'],
    [`${ID}0`, 'invalid group length in group 4: expected 12, found 13'],
    [
      '6f1d3b0a-1c2-d7e3f-8a4b-5c6d7e8f9a0b',
      'invalid group length in group 1: expected 4, found 3',
    ],
    ['a-b-c-d-e', 'invalid group length in group 0: expected 8, found 1'],
    ['----', 'invalid group length in group 0: expected 8, found 0'],
    ['6f1d3b0a-1c2d-7e3f-8a4b5c6d7e8f9a0b0', 'invalid group count: expected 5, found 4'],
    [`{${bare}}`, 'invalid group count: expected 5, found 1'],
    [`urn:uuid:${bare}`, 'invalid group count: expected 5, found 1'],
    [`URN:UUID:${ID}`, 'invalid character: found `U` at 1'],
    [` ${ID}`, 'invalid character: found ` ` at 1'],
    // Of the right length it is counted without the braces, of another with them.
    ['{z-1}', 'invalid character: found `z` at 2'],
    [`{z${ID.slice(1)}}`, 'invalid character: found `z` at 1'],
    [`{${'a'.repeat(36)}}`, 'invalid length: expected length 32 for simple format, found 36'],
  ];
  for (const [sent, error] of FAULTS)
    it(`${JSON.stringify(sent)}: ${error}`, () => expect(reported(sent)).to.equal(error));
});

describe('422: date-times', () => {
  const read = queryField(sentDateTime());

  const SOUND: readonly (readonly [string, string, number | null])[] = [
    ['2026-01-02', '2026-01-02T00:00:00.000', null],
    ['2026-01-02T10:00', '2026-01-02T10:00:00.000', null],
    ['2026-01-02t10:00:05z', '2026-01-02T10:00:05.000', 0],
    ['2026-01-02 10:00:05.1', '2026-01-02T10:00:05.100', null],
    ['2026-01-02_10:00:05,123456789', '2026-01-02T10:00:05.123', null],
    ['2026-01-02T10:00+0530', '2026-01-02T10:00:00.000', 330],
    ['2026-01-02T10:00:00-05:00', '2026-01-02T10:00:00.000', -300],
    ['2026-01-02T10:00\u221202:00', '2026-01-02T10:00:00.000', -120],
    ['2026-01-02T10:00-00:00', '2026-01-02T10:00:00.000', 0],
    ['2024-02-29T23:59:59.999+23:59', '2024-02-29T23:59:59.999', 1439],
    ['2000-02-29', '2000-02-29T00:00:00.000', null],
    ['0001-01-01T00:00', '0001-01-01T00:00:00.000', null],
  ];
  for (const [sent, local, offsetMinutes] of SOUND)
    it(`${sent} is read`, () => expect(read(sent)).to.deep.equal({ local, offsetMinutes }));

  const EXTRA = 'unexpected extra characters at the end of the input';
  const SEPARATOR = 'invalid date separator, expected `-`';
  const DAY = 'day value is outside expected range';
  const BROKEN: readonly (readonly [string, string])[] = [
    ['', 'input is too short'],
    ['2026-1-1', 'input is too short'],
    ['2026', 'input is too short'],
    ['2026-00-10', 'month value is outside expected range of 1-12'],
    ['2026-02-29', DAY],
    ['2100-02-29', DAY],
    ['2026-01-00', DAY],
    ['2026/01/01', SEPARATOR],
    ['1700000000', SEPARATOR],
    ['20260101T100000Z', SEPARATOR],
    ['202a-01-01', 'invalid character in year'],
    ['2026-W01-1', 'invalid character in month'],
    ['2026-01-0a', 'invalid character in day'],
    ['2026-01-01T', EXTRA],
    ['2026-01-01T24:00', EXTRA],
    ['2026-01-01T10:60', EXTRA],
    ['2026-01-01T10:00:60', EXTRA],
    ['2026-01-01T10:00:00.', EXTRA],
    ['2026-01-01T10:00+24:00', EXTRA],
    ['2026-01-01T10:00+02', EXTRA],
    ['2026-01-01Z', EXTRA],
    ['2026-01-01T10:00 +02:00', EXTRA],
    ['0000-01-01', 'year 0 is out of range'],
  ];
  for (const [sent, error] of BROKEN)
    it(`${JSON.stringify(sent)}: ${error}`, () =>
      expect(read(sent)).to.deep.equal([
        {
          type: 'datetime_from_date_parsing',
          loc: ['query', 'x'],
          msg: `Input should be a valid datetime or date, ${error}`,
          input: sent,
          ctx: { error },
        },
      ]));

  it('every instant is read back', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (at) => {
          expect(read(at.toISOString())).to.deep.equal({
            local: at.toISOString().slice(0, -1),
            offsetMinutes: 0,
          });
        },
      ),
    ));
});

describe('422: addresses', () => {
  const read = queryField(url());
  const SOUND: readonly (readonly [string, string])[] = [
    ['HTTP://A.example:80/b c', 'http://a.example/b%20c'],
    [' https://é.example ', 'https://xn--9ca.example/'],
    ['http:a', 'http://a/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ];
  for (const [sent, normal] of SOUND)
    it(`${sent} is ${normal}`, () => expect(read(sent)).to.equal(normal));

  const BROKEN: readonly (readonly [string, string])[] = [
    ['', 'input is empty'],
    ['/a', 'relative URL without a base'],
    ['://a', 'relative URL without a base'],
    ['http://', 'empty host'],
    ['http://user@/x', 'empty host'],
    ['http://\u00ad', 'empty host'],
    ['http://a:99999', 'invalid port number'],
    ['http://[::1]:b', 'invalid port number'],
    ['http://[::1', 'invalid IPv6 address'],
    ['http://1.2.3.256', 'invalid IPv4 address'],
    ['http://a b', 'invalid international domain name'],
    ['x://a<b', 'invalid domain character'],
  ];
  for (const [sent, error] of BROKEN)
    it(`${JSON.stringify(sent)}: ${error}`, () =>
      expect((read(sent) as readonly Detail[])[0]).to.deep.include({
        type: 'url_parsing',
        msg: `Input should be a valid URL, ${error}`,
        ctx: { error },
      }));

  it('are no longer than a browser would send', () =>
    expect((read(`http://${'x'.repeat(2100)}`) as readonly Detail[])[0]?.type).to.equal(
      'string_too_long',
    ));
});

describe('422: numbers in a query', () => {
  const readInt = queryField(int());
  const readNumber = queryField(number());
  const SOUND: readonly (readonly [string, number])[] = [
    ['5', 5],
    ['+5', 5],
    [' 5\t', 5],
    ['\u00a05', 5],
    ['007', 7],
    ['-0.0', 0],
    ['5.00', 5],
    ['1_000.000', 1000],
    [`${'0'.repeat(5000)}1`, 1],
    [`1${'_0'.repeat(10)}`, 1e10],
  ];
  for (const [sent, value] of SOUND)
    it(`${JSON.stringify(sent.slice(0, 20))} is the integer ${value}`, () =>
      expect(readInt(sent)).to.equal(value));

  for (const sent of [
    '',
    ' ',
    '+',
    '--5',
    '+ 5',
    '5.',
    '.0',
    '5.5',
    '1e3',
    '0x10',
    '1__0',
    '_1',
    '1_',
    '5,0',
    '１',
    '٣',
    '−5',
  ])
    it(`${JSON.stringify(sent)} is rejected`, () =>
      expect(readInt(sent)).to.deep.equal([
        {
          type: 'int_parsing',
          loc: ['query', 'x'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          input: sent,
        },
      ]));

  it('an integer of more than 4300 digits is not read', () => {
    expect(readInt('9'.repeat(4300))).to.equal(Number.MAX_SAFE_INTEGER);
    expect((readInt('9'.repeat(4301)) as readonly Detail[])[0]).to.deep.include({
      type: 'int_parsing_size',
      msg: 'Unable to parse input string as an integer, exceeded maximum size',
    });
  });

  it('numbers are read with a fraction and an exponent, and have to be finite', () => {
    for (const [sent, value] of [
      ['1.5', 1.5],
      ['.5', 0.5],
      ['5.', 5],
      ['-1e2', -100],
      ['1_0.5_0', 10.5],
    ] as const)
      expect(readNumber(sent), sent).to.equal(value);
    for (const sent of ['', 'x', 'inf', 'nan', '1e400', '1e', '0x1', '1.5_'])
      expect((readNumber(sent) as readonly Detail[])[0]?.type, sent).to.equal('float_parsing');
  });

  it('every integer and every number is read back', () =>
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (n, x) => {
          expect(readInt(String(n))).to.equal(n === 0 ? 0 : n);
          expect(readNumber(String(x))).to.equal(x === 0 ? 0 : x);
        },
      ),
    ));
});

describe('422: the whole request', () => {
  const check = compileRequest({
    params: object({ id: uuid() }),
    query: object({ limit: withDefault(int({ minimum: 1, maximum: 100 }), 20), q: text() }),
    acceptsIdempotencyKey: true,
    body: {
      json: object({
        name: label(10),
        inner: object({
          b: int(),
          a: optional(list(object({ y: int(), x: int() }), { maxItems: 5 })),
        }),
        ui: optional(freeForm()),
      }),
    },
  });
  const body = (sent: unknown) => ({
    bytes: Buffer.from(JSON.stringify(sent)),
    contentType: 'application/json',
  });
  const errors = (url: string, sent: unknown, key?: string, id = ID): readonly Detail[] => {
    const header = (name: string) => (name === 'idempotency-key' ? key : undefined);
    const checked = check({ params: { id }, url, header, body: body(sent) });
    return checked.ok ? [] : checked.detail;
  };

  it('reports all errors: path, query, header, body, and each in declared order', () => {
    const sent = { zzz: '\0', inner: { a: [{ x: 'n' }, 5], b: 1.5 }, name: ' ' };
    const reported = errors('/?limit=0&limit=101', sent, '', 'z');
    expect(reported.map(({ type, loc }) => `${type} ${loc.join('.')}`)).to.deep.equal([
      'uuid_parsing path.id',
      'less_than_equal query.limit',
      'missing query.q',
      'string_too_short header.idempotency-key',
      'string_too_short body.name',
      'int_from_float body.inner.b',
      'missing body.inner.a.0.y',
      'int_type body.inner.a.0.x',
      'model_attributes_type body.inner.a.1',
      'value_error body.zzz',
    ]);
  });

  it('repeats the object that lacks a field, and null where a text is missing', () => {
    const reported = errors('/', { name: 'ok', inner: { a: null, k: 1 } });
    expect(reported.map(({ input }) => input)).to.deep.equal([null, { a: null, k: 1 }]);
  });

  it('reports an invalid key at the object that has it, at any depth', () => {
    const reported = errors('/?q=', { name: 'ok', inner: { b: 1 }, ui: { deep: [{ 'k\0': 1 }] } });
    expect(reported.map(({ loc, msg }) => [loc.join('.'), msg])).to.deep.equal([
      ['body.ui.deep.0', 'Value error, a key holds a NUL character'],
    ]);
  });

  it('reads no inherited property as a field', () => {
    const inherited = compileRequest({
      body: { json: object({ toString: text(), constructor: optional(text()) }) },
      query: object({ valueOf: text() }),
    });
    const checked = inherited({ params: {}, url: '/?x', body: body({ __proto__: null }) });
    expect(checked.ok ? [] : checked.detail.map(({ type, loc }) => [type, ...loc])).to.deep.equal([
      ['missing', 'query', 'valueOf'],
      ['missing', 'body', 'toString'],
    ]);
  });

  it('of a repeated name the last counts, others are not even read', () => {
    const checked = check({
      params: { id: ID },
      url: '/?q=a&limit=x&%ff=1&other=%ff&&=&q=b+c%21&limit=%205',
      body: body({ name: 'ok', inner: { b: 1 } }),
    });
    expect(checked.ok && checked.values.query).to.deep.equal({ limit: 5, q: 'b c!' });
  });

  it('shows a text that is not percent-encoded UTF-8 as it came', () => {
    for (const sent of ['%ff', '%zz', '%', 'a%c3'])
      expect(errors(`/?q=${sent}`, { name: 'ok', inner: { b: 1 } })).to.deep.equal([
        {
          type: 'value_error',
          loc: ['query', 'q'],
          msg: 'Value error, the text is not percent-encoded UTF-8',
          input: sent,
          ctx: { error: {} },
        },
      ]);
  });

  it('an answer stays in proportion: a thousand faults at most', () => {
    const reported = errors('/?q=', { name: 'ok', inner: { b: 1 }, ui: Array(50_000).fill('\0') });
    expect(reported).to.have.length(1_000);
  });

  it('rejects at the start a list schema without a maximum length', () => {
    const endless = () => compileRequest({ body: { json: object({ ids: list(uuid()) }) } });
    expect(endless).to.throw('maxItems');
  });
});

describe('422: secrets', () => {
  const check = compileRequest({
    body: {
      json: object({
        kind: text(),
        config: optional(object({ key: optional(secret(text({ maxLength: 3 }))), n: int() })),
        token: optional(text({ maxLength: 3 })),
      }),
    },
  });
  const answer = (sent: string, contentType = 'application/json'): string =>
    JSON.stringify(
      check({ params: {}, url: '/', body: { bytes: Buffer.from(sent), contentType } }),
    );

  const LEAKS: readonly string[] = [
    '{"token":"hunter2"}',
    '{"config":{"key":"hunter2"}}',
    '{"kind":{"password":"hunter2"}}',
    '{"kind":[{"secret":"hunter2"}],"token":["hunter2"]}',
    '{"kind":"a","config":{"n":1,"key":"hunter2\\u0000"}}',
    '{"pin":"hunter2","x":{"key":"hunter2"}}',
    '["hunter2"]',
    '"hunter2"',
  ];
  for (const sent of LEAKS)
    it(`${sent} is rejected and not shown`, () =>
      expect(answer(sent)).to.include('"ok":false').and.not.to.include('hunter2'));

  it('nor is one in the address', () => {
    const query = compileRequest({ query: object({ token: text({ maxLength: 3 }) }) });
    expect(query({ params: {}, url: '/?token=hunter2' })).to.deep.equal({
      ok: false,
      detail: [
        {
          type: 'string_too_long',
          loc: ['query', 'token'],
          msg: 'String should have at most 3 characters',
          ctx: { max_length: 3 },
        },
      ],
    });
  });

  it('nor is a body of another type, or a malformed one', () => {
    expect(answer('hunter2', 'text/plain')).not.to.include('hunter2');
    expect(answer('{"token":"hunter2"')).not.to.include('hunter2');
  });
});

describe('422: form fields', () => {
  const check = compileRequest({
    body: {
      multipart: object({
        collection_id: optional(uuid()),
        is_hidden: optional(flag()),
        on_duplicate: withDefault(oneOf('keep', 'return'), 'keep'),
        base_version: int({ minimum: 1 }),
      }),
      files: { name: 'file' },
    },
  });
  const form = (fields: Record<string, string>, fileCount = 1) =>
    check({ params: {}, url: '/', body: { fields: new Map(Object.entries(fields)), fileCount } });

  it('are parsed like query values, and an empty one counts as absent', () => {
    const sent = { base_version: ' 2 ', is_hidden: 'On', collection_id: '', other: 'x' };
    expect(form(sent)).to.deep.equal({
      ok: true,
      values: {
        params: {},
        query: {},
        body: { base_version: 2, is_hidden: true, on_duplicate: 'keep' },
      },
    });
  });

  it('are complained of in the body, the file first', () => {
    const reported = form({ collection_id: 'z', on_duplicate: 'no', is_hidden: '2' }, 0);
    expect(
      reported.ok ? [] : reported.detail.map(({ type, loc }) => [type, loc.join('.')]),
    ).to.deep.equal([
      ['missing', 'body.file'],
      ['uuid_parsing', 'body.collection_id'],
      ['bool_parsing', 'body.is_hidden'],
      ['literal_error', 'body.on_duplicate'],
      ['missing', 'body.base_version'],
    ]);
  });
});

describe('422: any schema, any body', () => {
  const leaf: fc.Arbitrary<Schema<unknown>> = fc.constantFrom<Schema<unknown>>(
    text(),
    text({ minLength: 2, maxLength: 3 }),
    label(3),
    filename(),
    int(),
    int({ minimum: 0, maximum: 9 }),
    number({ exclusiveMinimum: 0 }),
    flag(),
    uuid(),
    url(),
    sentDateTime(),
    oneOf('a', 'b'),
    freeForm(),
  );
  const { schema } = fc.letrec<{ schema: Schema<unknown> }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('schema').map((inner) => nullable(inner)),
      tie('schema').map((inner) => list(inner, { minItems: 1, maxItems: 3 })),
      fc
        .dictionary(fc.constantFrom('a', 'b', 'toString', 'x/~y'), tie('schema'), { maxKeys: 3 })
        .chain((fields) =>
          fc
            .boolean()
            .map((some) =>
              object(
                Object.fromEntries(
                  Object.entries(fields).map(([name, field]) => [
                    name,
                    some ? optional(field) : field,
                  ]),
                ),
              ),
            ),
        ),
    ),
  }));
  const bodyOf = (inner: Schema<unknown>) => object({ a: inner, b: optional(inner) });

  it('never throws, and reports one error of a known type per location', () =>
    fc.assert(
      fc.property(schema, fc.jsonValue({ maxDepth: 4 }), fc.jsonValue(), (inner, a, b) => {
        const check = compileRequest({ body: { json: bodyOf(inner) } });
        const bytes = Buffer.from(JSON.stringify({ a, b }));
        const checked = check({
          params: {},
          url: '/',
          body: { bytes, contentType: 'application/json' },
        });
        if (checked.ok) return;
        const places = checked.detail.map(({ loc }) => JSON.stringify(loc));
        expect(new Set(places).size).to.equal(places.length);
        expect(checked.detail).not.to.deep.equal([]);
        for (const { type, msg } of checked.detail) {
          expect(KNOWN_TYPES).to.include(type);
          expect(msg).not.to.match(/undefined|NaN|must /);
        }
      }),
      {
        numRuns: 300,
        examples: [
          // A field that is null holds no date-time to be read.
          [nullable(object({ a: sentDateTime() })), null, null],
        ],
      },
    ));
});

const KNOWN_TYPES = [...new Set(ROWS.map(([, , , type]) => type)), 'missing'];
