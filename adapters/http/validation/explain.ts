import type { ErrorObject } from 'ajv/dist/2020.js';
import { detail, missing, valueError, type Detail } from './detail.ts';
import { filenameFault } from './keywords.ts';
import { parseUuid } from './uuid.ts';

type Loc = Detail['loc'];
type Node = Readonly<Record<string, unknown>>;

const plural = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? '' : 's'}`;

const words = (values: readonly unknown[]): string => {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? '';
  return quoted.length ? `${quoted.join(', ')} or ${last}` : last;
};

/** What a value of the wrong JSON type is told. */
function typeFault(schema: Node, value: unknown, loc: Loc, input: unknown): Detail {
  const types = [schema['type']].flat();
  const says = (type: string, msg: string) => detail(type, loc, `Input should be ${msg}`, input);
  if (schema['format'] === 'uuid')
    return detail(
      'uuid_type',
      loc,
      'UUID input should be a string, bytes or UUID object',
      input,
    );
  if (schema['format'] === 'date-time') return says('datetime_type', 'a valid datetime');
  if (types.includes('integer'))
    return typeof value === 'number'
      ? says('int_from_float', 'a valid integer, got a number with a fractional part')
      : says('int_type', 'a valid integer');
  if (types.includes('number')) return says('float_type', 'a valid number');
  if (types.includes('boolean')) return says('bool_type', 'a valid boolean');
  if (types.includes('array')) return says('list_type', 'a valid list');
  if (types.includes('object')) return says('dict_type', 'a valid dictionary');
  return says('string_type', 'a valid string');
}

/** One error of the validator in the words that clients of such interfaces know. */
export function explain(error: ErrorObject, loc: Loc, input: unknown): Detail {
  const schema = (error.parentSchema ?? {}) as Node;
  const limit = (error.params as { limit?: number }).limit ?? 0;
  const value: unknown = error.data;
  const length = Array.isArray(value) ? value.length : 0;
  switch (error.keyword) {
    case 'required': {
      const name = String((error.params as { missingProperty: string }).missingProperty);
      return missing([...loc, name], input);
    }
    case 'type':
      return typeFault(schema, value, loc, input);
    case 'enum': {
      const expected = words(schema['enum'] as readonly unknown[]);
      return detail('literal_error', loc, `Input should be ${expected}`, input, { expected });
    }
    case 'minLength':
      return detail(
        'string_too_short',
        loc,
        `String should have at least ${plural(limit, 'character')}`,
        input,
        { min_length: limit },
      );
    case 'maxLength':
      return detail(
        'string_too_long',
        loc,
        `String should have at most ${plural(limit, 'character')}`,
        input,
        { max_length: limit },
      );
    case 'pattern': {
      const pattern = String((error.params as { pattern: string }).pattern);
      return detail(
        'string_pattern_mismatch',
        loc,
        `String should match pattern '${pattern}'`,
        input,
        { pattern },
      );
    }
    case 'minimum':
      return detail(
        'greater_than_equal',
        loc,
        `Input should be greater than or equal to ${limit}`,
        input,
        { ge: limit },
      );
    case 'maximum':
      return detail(
        'less_than_equal',
        loc,
        `Input should be less than or equal to ${limit}`,
        input,
        { le: limit },
      );
    case 'exclusiveMinimum':
      return detail('greater_than', loc, `Input should be greater than ${limit}`, input, {
        gt: limit,
      });
    case 'exclusiveMaximum':
      return detail('less_than', loc, `Input should be less than ${limit}`, input, { lt: limit });
    case 'minItems':
      return detail(
        'too_short',
        loc,
        `List should have at least ${plural(limit, 'item')} after validation, not ${length}`,
        input,
        { field_type: 'List', min_length: limit, actual_length: length },
      );
    case 'maxItems':
      return detail(
        'too_long',
        loc,
        `List should have at most ${plural(limit, 'item')} after validation, not ${length}`,
        input,
        { field_type: 'List', max_length: limit, actual_length: length },
      );
    case 'filenameText':
      return valueError(loc, filenameFault(String(value)) ?? 'this is no filename', input);
    case 'format': {
      const parsed = parseUuid(String(value));
      const why = 'error' in parsed ? parsed.error : 'invalid';
      return detail('uuid_parsing', loc, `Input should be a valid UUID, ${why}`, input, {
        error: why,
      });
    }
    default:
      return valueError(loc, error.message ?? 'the value is not accepted', input);
  }
}

/** Of several complaints about one value only the first in this order is made. */
const ORDER = ['required', 'enum', 'type', 'minLength', 'maxLength', 'filenameText'];
export const rank = (keyword: string): number => {
  const place = ORDER.indexOf(keyword);
  return place < 0 ? ORDER.length : place;
};
