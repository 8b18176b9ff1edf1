import type { ErrorObject } from 'ajv/dist/2020.js';
import { parseDateTime } from './formats/date-time.ts';
import { detail, missing, notAnObject, valueError, type Detail, type Loc } from './detail.ts';
import { filenameFault, nameFault, ruleFault } from './formats/keywords.ts';
import type { Node } from './node.ts';
import { parseUuid } from './formats/uuid.ts';
import { parseUrl } from './formats/web-address.ts';

/** Type, sentence and parameters of an error, without its location. */
type Words = readonly [type: string, msg: string, ctx?: Readonly<Record<string, unknown>>];
type Explainer = (limit: number, data: unknown, schema: Node, input: unknown) => Words;

/** Converts one error of the validator to the words that clients of such interfaces know (pydantic 2). */
export function explain(error: ErrorObject, loc: Loc, input: unknown): Detail {
  const { keyword, params, data } = error;
  if (keyword === 'required') return missing([...loc, String(params['missingProperty'])], input);
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const value = Object.entries(input as object).find(([key]) => key === name)?.[1] as unknown;
    return detail('extra_forbidden', [...loc, name], 'Extra inputs are not permitted', value);
  }
  const schema = (error.parentSchema ?? {}) as Node;
  if (keyword === 'type' && 'properties' in schema) return notAnObject(loc, input);
  const explainer = EXPLAINERS.get(keyword);
  if (!explainer) {
    const fault = (keyword === 'nameText' ? nameFault : filenameFault)(String(data));
    return valueError(loc, fault ?? String(error.message), input);
  }
  const [type, msg, ctx] = explainer(Number(params['limit']), data, schema, input);
  return detail(type, loc, msg, input, ctx);
}

const plural = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? '' : 's'}`;

/** `'a', 'b' or 'c'` */
export function either(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? '';
  return quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : last;
}

const bound =
  (type: string, relation: string, key: string): Explainer =>
  (limit) => [type, `Input should be ${relation} ${limit}`, { [key]: limit }];

const length =
  (type: string, most: string, key: string): Explainer =>
  (limit) => [
    type,
    `String should have at ${most} ${plural(limit, 'character')}`,
    { [key]: limit },
  ];

const count =
  (type: string, most: string, key: string): Explainer =>
  (limit, data, _schema, input) => {
    // The validated list may have been cut; the received one is counted.
    const actual = (Array.isArray(input) ? input : (data as readonly unknown[])).length;
    return [
      type,
      `List should have at ${most} ${plural(limit, 'item')} after validation, not ${actual}`,
      { field_type: 'List', [key]: limit, actual_length: actual },
    ];
  };

const parsing = (type: string, what: string, error: string): Words => [
  type,
  `Input should be a valid ${what}, ${error}`,
  { error },
];

const EXPLAINERS: ReadonlyMap<string, Explainer> = new Map<string, Explainer>(
  Object.entries({
    type: (_limit, data, schema) => wrongType(schema, data),
    enum: (_limit, _data, schema) => {
      const expected = either(schema['enum'] as readonly unknown[]);
      return ['literal_error', `Input should be ${expected}`, { expected }];
    },
    minLength: length('string_too_short', 'least', 'min_length'),
    maxLength: length('string_too_long', 'most', 'max_length'),
    pattern: (_limit, _data, { pattern }) => [
      'string_pattern_mismatch',
      `String should match pattern '${String(pattern)}'`,
      { pattern },
    ],
    minimum: bound('greater_than_equal', 'greater than or equal to', 'ge'),
    maximum: bound('less_than_equal', 'less than or equal to', 'le'),
    exclusiveMinimum: bound('greater_than', 'greater than', 'gt'),
    exclusiveMaximum: bound('less_than', 'less than', 'lt'),
    minItems: count('too_short', 'least', 'min_length'),
    maxItems: count('too_long', 'most', 'max_length'),
    format: (_limit, data, { format }) => unreadable(String(format), String(data)),
    cursor: () => ['value_error', 'Value error, this is no cursor', { error: {} }],
    originAddress: () => [
      'value_error',
      'Value error, the address of a server is needed, without user name, password, path, query and fragment',
      { error: {} },
    ],
    baseAddress: () => [
      'value_error',
      'Value error, an address without user name, password, query and fragment is needed',
      { error: {} },
    ],
    recurrenceRule: (_limit, data) => [
      'value_error',
      `Value error, ${ruleFault(String(data)) ?? 'this is no rule'}`,
      { error: {} },
    ],
    uniqueItems: () => ['value_error', 'Value error, the items must differ', { error: {} }],
    timeZone: () => [
      'value_error',
      'Value error, this is no name of a time zone (IANA)',
      { error: {} },
    ],
    schemes: (_limit, data, schema) =>
      wrongAddress(String(data), schema['schemes'] as readonly string[]),
  }),
);

/** The message for a value of the wrong JSON type. */
function wrongType({ type, format }: Node, data: unknown): Words {
  if (format === 'uuid')
    return ['uuid_type', 'UUID input should be a string, bytes or UUID object'];
  if (format === 'date-time') return ['datetime_type', 'Input should be a valid datetime'];
  if (type === 'integer' && typeof data === 'number')
    return [
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
    ];
  const [name, what] = TYPES.get(String(type)) ?? ['string_type', 'string'];
  return [name, `Input should be a valid ${what}`];
}

const TYPES: ReadonlyMap<string, readonly [string, string]> = new Map<
  string,
  readonly [string, string]
>(
  Object.entries({
    integer: ['int_type', 'integer'],
    number: ['float_type', 'number'],
    boolean: ['bool_type', 'boolean'],
    array: ['list_type', 'list'],
    object: ['dict_type', 'dictionary'],
  }),
);

function unreadable(format: string, text: string): Words {
  if (format === 'uuid') {
    const parsed = parseUuid(text);
    return parsing('uuid_parsing', 'UUID', 'error' in parsed ? parsed.error : 'not canonical');
  }
  const parsed = parseDateTime(text);
  const error = 'error' in parsed ? parsed.error : 'not canonical';
  return parsing('datetime_from_date_parsing', 'datetime or date', error);
}

function wrongAddress(text: string, schemes: readonly string[]): Words {
  const parsed = parseUrl(text, schemes);
  if ('error' in parsed) return parsing('url_parsing', 'URL', parsed.error);
  const expected = either(schemes);
  return ['url_scheme', `URL scheme should be ${expected}`, { expected_schemes: expected }];
}
