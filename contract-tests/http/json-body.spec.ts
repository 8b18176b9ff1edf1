import { expect } from 'chai';
import fc from 'fast-check';
import { object, optional, int, list, text, uuid } from '../../adapters/http/schema.ts';
import { compileRequest } from '../../adapters/http/validation/compile-request.ts';
import { parseJsonBody } from '../../adapters/http/validation/json/json-body.ts';
import { scanJson } from '../../adapters/http/validation/json/json-scan.ts';

const parse = (sent: string | Uint8Array, contentType = 'application/json') =>
  parseJsonBody({ bytes: typeof sent === 'string' ? Buffer.from(sent) : sent, contentType });

const faultOf = (sent: string | Uint8Array, contentType?: string) => {
  const parsed = parse(sent, contentType);
  return 'fault' in parsed ? parsed.fault : undefined;
};

const invalid = (position: number, error: string) => ({
  type: 'json_invalid',
  loc: ['body', position],
  msg: 'JSON decode error',
  input: {},
  ctx: { error },
});
const tooDeep = {
  type: 'value_error',
  loc: ['body'],
  msg: 'Value error, the JSON is nested deeper than 64 levels',
  ctx: { error: {} },
};

const KEY = 'Expecting property name enclosed in double quotes';
const VALUE = 'Expecting value';
const COMMA = "Expecting ',' delimiter";
const COLON = "Expecting ':' delimiter";
const UNENDED = 'Unterminated string starting at';
const CONTROL = 'Invalid control character at';
const ESCAPE = 'Invalid \\escape';

/** Positions and messages of CPython's own decoder. */
const BROKEN: readonly (readonly [string, number, string])[] = [
  [' \n', 2, VALUE],
  ['{', 1, KEY],
  ['{ ', 2, KEY],
  ['{1:2}', 1, KEY],
  ['{,', 1, KEY],
  ['{"a":1,', 7, KEY],
  ['{"a":1 , }', 9, KEY],
  ["{'a':1}", 1, KEY],
  ['{"a"', 4, COLON],
  ['{"a" ;1}', 5, COLON],
  ['{"a":', 5, VALUE],
  ['{"a": }', 6, VALUE],
  ['{"a":1', 6, COMMA],
  ['{"a":1 "b"', 7, COMMA],
  ['{"a":1]', 6, COMMA],
  ['[', 1, VALUE],
  ['[,', 1, VALUE],
  ['[1', 2, COMMA],
  ['[1,', 3, VALUE],
  ['[1 ,}]', 4, VALUE],
  ['[1}', 2, COMMA],
  ['[ \t"a"u]', 6, COMMA],
  [']', 0, VALUE],
  ['{} x', 3, 'Extra data'],
  ['1 2', 2, 'Extra data'],
  ['01', 1, 'Extra data'],
  ['1.', 1, 'Extra data'],
  ['1e', 1, 'Extra data'],
  ['nulll', 4, 'Extra data'],
  ['"x"""', 3, 'Extra data'],
  ['-', 0, VALUE],
  ['.5', 0, VALUE],
  ['+1', 0, VALUE],
  ['nul', 0, VALUE],
  ['[NaN]', 1, VALUE],
  ['[1,-Infinity]', 3, VALUE],
  ['\u00a0{}', 0, VALUE],
  ['"', 0, UNENDED],
  ['"abc', 0, UNENDED],
  ['"abc\\', 0, UNENDED],
  ['{"a":"x\\"}', 5, UNENDED],
  ['"a\u0001"', 2, CONTROL],
  ['"\n', 1, CONTROL],
  ['{"a\tb":1}', 3, CONTROL],
  ['"\\q"', 1, ESCAPE],
  ['"\\u12"', 1, ESCAPE],
  ['"\\u12g4"', 1, ESCAPE],
  // Positions count code points, not UTF-16 units and not bytes.
  ['{"é😀":nope}', 6, VALUE],
  ['["😀😀" 1]', 6, COMMA],
];

describe('a malformed JSON body', () => {
  for (const [sent, position, error] of BROKEN)
    it(`${JSON.stringify(sent)}: ${error} ${position}`, () =>
      expect(faultOf(sent)).to.deep.equal(invalid(position, error)));

  it('holds a number that is too large to count', () => {
    expect(faultOf('{"a":[1,1e400]}')).to.deep.equal(invalid(8, VALUE));
    expect(faultOf('{"a":-1E+0400}')).to.deep.equal(invalid(5, VALUE));
    expect(faultOf(`[${'9'.repeat(400)}]`)).to.deep.equal(invalid(1, VALUE));
    expect(faultOf(`[${'9'.repeat(250)}e99]`)).to.deep.equal(invalid(1, VALUE));
    expect(faultOf('{"a":"1e400","b":1e-400,"c":1e308}')).to.equal(undefined);
  });

  it('is judged up to the first byte that is no UTF-8', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(faultOf(bytes('\xff'))).to.deep.equal(invalid(0, VALUE));
    expect(faultOf(bytes('{"a":"caf\xe9"}'))).to.deep.equal(invalid(5, UNENDED));
    expect(faultOf(bytes('{"a":1}\xc3'))).to.deep.equal(invalid(7, 'Extra data'));
    expect(faultOf(bytes('{"a" 1,"\xff'))).to.deep.equal(invalid(5, COLON));
    // A replacement character that was really sent is no fault of the encoding.
    const replaced = Buffer.concat([Buffer.from('{"\ufffd":'), bytes('\xed\xa0\x80'), bytes('}')]);
    expect(faultOf(replaced)).to.deep.equal(invalid(5, VALUE));
    const twice = Buffer.concat([Buffer.from('["\ufffd\ufffd",'), bytes('\xff')]);
    expect(faultOf(twice)).to.deep.equal(invalid(6, VALUE));
    expect(faultOf(bytes('[['.repeat(40) + '\xff'))).to.deep.equal(tooDeep);
  });
});

describe('a JSON body of the wrong type', () => {
  const missing = { type: 'missing', loc: ['body'], msg: 'Field required', input: null };
  const notAnObject = (input: unknown) => ({
    type: 'model_attributes_type',
    loc: ['body'],
    msg: 'Input should be a valid dictionary or object to extract fields from',
    input,
  });

  it('is missing, for every type, or null', () => {
    for (const type of ['application/json', 'text/plain', ''])
      expect(faultOf('', type)).to.deep.equal(missing);
    expect(faultOf(' null\n')).to.deep.equal(missing);
  });

  it('is JSON, but no object', () => {
    expect(faultOf('[1]')).to.deep.equal(notAnObject([1]));
    expect(faultOf('"x"')).to.deep.equal(notAnObject('x'));
    expect(faultOf('0')).to.deep.equal(notAnObject(0));
  });

  it('is of another type, and then shown as the text it is, up to a length', () => {
    for (const type of [
      'text/plain',
      '',
      'application/jsonx',
      'json',
      'text/json',
      'application/json+x',
    ])
      expect(faultOf('{"a":1}', type), type).to.deep.equal(notAnObject('{"a":1}'));
    expect(faultOf(Uint8Array.of(0x61, 0xff), 'text/plain')).to.deep.equal(notAnObject('a\ufffd'));
    const long = faultOf('😀'.repeat(5_000), 'text/plain')?.input as string;
    expect([...long]).to.have.length(1_000);
    expect(long.isWellFormed()).to.equal(true);
  });

  it('is JSON by another name', () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/vnd.api+json',
      ' application/merge-patch+json ;x=y',
    ])
      expect(faultOf('{"a":1}', type), type).to.equal(undefined);
    expect(faultOf('\ufeff{"a":1}')).to.equal(undefined);
  });
});

describe('a hostile JSON body', () => {
  it('is nested too deep, and that costs nothing', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(faultOf(nested(64))).to.equal(undefined);
    expect(faultOf(nested(65))).to.deep.equal(tooDeep);
    expect(faultOf('['.repeat(2 ** 20))).to.deep.equal(tooDeep);
    expect(faultOf('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000))).to.deep.equal(tooDeep);
    expect(faultOf('[{"a":'.repeat(100_000))).to.deep.equal(tooDeep);
    expect(faultOf(`{"\\"":${nested(64)}}`)).to.deep.equal(tooDeep);
  });

  it('reports the first error: the depth or the syntax', () => {
    expect(faultOf(`{"a" ${'['.repeat(100)}`)).to.deep.equal(invalid(5, COLON));
    expect(faultOf(`${'['.repeat(100)} nope`)).to.deep.equal(tooDeep);
    expect(faultOf(`{"a":"${'['.repeat(100)}"}`)).to.equal(undefined);
    expect(faultOf(`{"a":"\\"${'['.repeat(100)}"}`)).to.equal(undefined);
  });

  it('reaches no prototype', () => {
    const parsed = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect('value' in parsed && Object.keys(parsed.value)).to.deep.equal([
      '__proto__',
      'constructor',
    ]);
    expect(({} as { polluted?: number }).polluted).to.equal(undefined);
  });
});

describe('the scanner of JSON', () => {
  /** JSON, and no number in it overflows. */
  const isJson = (text: string): boolean => {
    let finite = true;
    try {
      JSON.parse(text, (_key, value: unknown) => {
        if (typeof value === 'number' && !Number.isFinite(value)) finite = false;
        return value;
      });
      return finite;
    } catch {
      return false;
    }
  };
  const almost = fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom(...'{}[],:"\\ 01.e-+tnu\n\u0001é'))
    .map(([text, at, char]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + char + text.slice(place + (at % 2));
    });

  it('agrees with JSON.parse, but for numbers that overflow', () =>
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' }), almost), (text) => {
        expect(scanJson(text, 1_000) === null).to.equal(isJson(text));
      }),
      {
        numRuns: 2_000,
        examples: [
          ['"\\ud800"'],
          ['\ufeff1'],
          ['[1]\u2028'],
          ['"\u2028"'],
          ['-0'],
          ['1E5'],
          ['[1000000000014461e+294]'],
        ],
      },
    ));

  it('finds its fault within the text', () =>
    fc.assert(
      fc.property(almost, (text) => {
        const fault = scanJson(text, 64);
        if (fault?.kind !== 'syntax') return;
        expect(fault.position).to.be.within(0, [...text].length);
        expect([KEY, VALUE, COMMA, COLON, UNENDED, CONTROL, ESCAPE, 'Extra data']).to.include(
          fault.error,
        );
      }),
      { numRuns: 1_000 },
    ));
});

describe('the echo of a body', () => {
  const check = compileRequest({
    body: {
      json: object({
        id: uuid(),
        count: optional(int({ maximum: 9 })),
        counts: optional(list(int({ maximum: 9 }), { maxItems: 3 })),
        name: optional(text()),
      }),
    },
  });
  /** The inputs of the faults, as they go over the wire. */
  const inputs = (sent: string): string[] => {
    const body = { bytes: Buffer.from(sent), contentType: 'application/json' };
    const checked = check({ params: {}, url: '/', body });
    return checked.ok ? [] : checked.detail.map((fault) => JSON.stringify(fault.input));
  };

  it('has every digit of an integer, also where no number holds it exactly', () => {
    const long = '123456789012345678901234567890';
    expect(inputs(`{"id":${long}}`)).to.deep.equal([long]);
    expect(inputs(`{"id":1,"count":-9007199254740993}`)).to.deep.equal(['1']);
    expect(inputs(`{"id":1,"count":9007199254740993}`)).to.deep.equal(['1', '9007199254740993']);
    expect(inputs(`{"id":1,"counts":[1,${long}]}`)).to.deep.equal(['1', long]);
    expect(inputs(`{"name":[{"a":${long}}]}`)).to.deep.equal([
      `{"name":[{"a":${long}}]}`,
      `[{"a":${long}}]`,
    ]);
    expect(inputs(`[${long}]`)).to.deep.equal([`[${long}]`]);
    expect(inputs(long)).to.deep.equal([long]);
    expect(inputs(`{"\\u0000":${long}}`)).to.include(`{"\\u0000":${long}}`);
    // A value that resembles the internal representation stays unchanged.
    expect(inputs(`{"id":{"rawJSON":"1"},"name":"${long}"}`)).to.deep.equal(['{"rawJSON":"1"}']);
  });

  it('equals the sent text, for every integer', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (n) => {
        expect(inputs(`{"id":${n}}`)).to.deep.equal([String(n)]);
      }),
    ));
});
