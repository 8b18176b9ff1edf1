import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isPlainName } from '../../../../core/library/index.ts';
import { parseRule } from '../../../../core/recurrence/index.ts';
import { positionOf } from '../../request/cursor.ts';
import { MARKS } from '../../schema.ts';
import { parseDateTime } from './date-time.ts';
import type { Node } from '../node.ts';
import { isCanonicalUuid } from './uuid.ts';
import { isTimeZone } from './time-zone.ts';
import { parseUrl } from './web-address.ts';

/** Annotations without a check of their own. */
const JUDGING: readonly string[] = [
  'filenameText',
  'nameText',
  'schemes',
  'baseAddress',
  'originAddress',
  'cursor',
  'timeZone',
  'recurrenceRule',
];
const SILENT = MARKS.filter((mark) => !JUDGING.includes(mark));
const ANSWERED_DATE_TIME = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

// Control characters, and the marks that change the reading direction of the text behind them.
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const UNSAFE_IN_NAMES = /[/\\\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The reason why a text cannot be a file name, or undefined. */
export function filenameFault(name: string): string | undefined {
  if (name === '.' || name === '..') return `a filename is not '${name}'`;
  if (UNSAFE_IN_NAMES.test(name))
    return 'a filename holds no slash, no backslash, no control character and no mark that turns the reading direction';
  return undefined;
}

/** The reason why a text cannot be the name of a folder, theme or role, or undefined. */
export const nameFault = (name: string): string | undefined =>
  isPlainName(name)
    ? undefined
    : 'a name holds no control character, no line break and no mark that turns the reading direction';

/** The reason why a text is not a supported rule, or undefined. */
export function ruleFault(rule: string): string | undefined {
  if (rule === '') return undefined;
  const parsed = parseRule(rule);
  return 'reason' in parsed ? parsed.reason : undefined;
}

/** Whether a URL has neither credentials nor query nor fragment. A text that is not a URL is reported elsewhere. */
function isBare(text: string): boolean {
  const url = URL.parse(text);
  return !url || `${url.username}${url.password}${url.search}${url.hash}` === '';
}

let requests: Ajv2020 | undefined;
let replies: Ajv2020 | undefined;

/** Returns all errors of a coerced value, or null. */
export type Validator = (value: unknown) => readonly ErrorObject[] | null;

/** The validator of a part of a request. Compiled on first use, so that the service starts before all are needed. */
export function lazyValidator(schema: Node): Validator {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= requestAjv().compile(schema);
    return validate(value) ? null : (validate.errors ?? []);
  };
}

/** Checks a value against its schema and against the one spelling that replies promise. Returns the errors, or null. */
export function createReplyCheck(schema: Node): (value: unknown) => string | null {
  const ajv = (replies ??= withMarks(new Ajv2020({ allErrors: true, strict: true }), (text) =>
    ANSWERED_DATE_TIME.test(text),
  ));
  const validate = ajv.compile(schema);
  return (value) => (validate(counted(value)) ? null : ajv.errorsText(validate.errors));
}

/** An integer with all its digits counts as an integer. */
function counted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (JSON.isRawJSON(value)) return JSON.parse(JSON.stringify(value)) as unknown;
  if (Array.isArray(value)) return value.map(counted);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, counted(each)]));
}

const requestAjv = (): Ajv2020 =>
  (requests ??= withMarks(
    new Ajv2020({ allErrors: true, verbose: true, strict: true, ownProperties: true }),
    (text) => 'dateTime' in parseDateTime(text),
  ));

function withMarks(ajv: Ajv2020, isDateTime: (text: string) => boolean): Ajv2020 {
  ajv.addVocabulary(SILENT);
  ajv.addFormat('uuid', { type: 'string', validate: isCanonicalUuid });
  ajv.addFormat('date-time', { type: 'string', validate: isDateTime });
  // The keyword `schemes` parses the URL, and its message names the schemes.
  ajv.addFormat('uri', true);
  ajv.addFormat('int64', true);
  ajv.addKeyword({
    keyword: 'filenameText',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, name: string) => filenameFault(name) === undefined,
  });
  ajv.addKeyword({
    keyword: 'nameText',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, name: string) => nameFault(name) === undefined,
  });
  ajv.addKeyword({
    keyword: 'cursor',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, text: string) => positionOf(text) !== undefined,
  });
  ajv.addKeyword({
    keyword: 'timeZone',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, name: string) => isTimeZone(name),
  });
  ajv.addKeyword({
    keyword: 'recurrenceRule',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, rule: string) => ruleFault(rule) === undefined,
  });
  ajv.addKeyword({
    keyword: 'baseAddress',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, text: string) => isBare(text),
  });
  ajv.addKeyword({
    keyword: 'originAddress',
    type: 'string',
    schemaType: 'boolean',
    validate: (_on: boolean, text: string) =>
      isBare(text) && (URL.parse(text)?.pathname ?? '/') === '/',
  });
  ajv.addKeyword({
    keyword: 'schemes',
    type: 'string',
    schemaType: 'array',
    validate: (schemes: readonly string[], text: string) => 'url' in parseUrl(text, schemes),
  });
  return ajv;
}
