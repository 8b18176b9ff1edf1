import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { HttpFailure, unprocessable } from './failures.ts';
import type { Schema } from './schema.ts';
import { detail, missing, notAnObject, valueError, type Detail } from './validation/detail.ts';
import { explain, rank } from './validation/explain.ts';
import { parseJsonBody, type SentJson } from './validation/json-body.ts';
import { createAjv } from './validation/keywords.ts';
import { queryValues, readText } from './validation/text-values.ts';
import { parseUuid } from './validation/uuid.ts';

export type { Detail };

type Node = Readonly<Record<string, unknown>>;
type Values = Record<string, unknown>;

/** The parts of a request that a route gives a schema for. */
export interface RequestSchemas {
  readonly params?: Schema<unknown>;
  readonly query?: Schema<unknown>;
  readonly body?:
    | { readonly json: Schema<unknown> }
    | { readonly multipart: Schema<unknown>; readonly files: { readonly name: string } };
}

/** A request as it came. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** Path and query as sent. */
  readonly url: string;
  readonly body?:
    | SentJson
    | { readonly fields: Readonly<Record<string, string>>; readonly fileCount: number };
}

export type Checked =
  | {
      readonly ok: true;
      readonly values: { readonly params: Values; readonly query: Values; readonly body: Values };
    }
  | { readonly ok: false; readonly detail: readonly Detail[] };

const ajv = createAjv();

/** A 422 raised by an operation itself, in the same shape. */
export const invalid = (
  loc: Detail['loc'],
  type: string,
  msg: string,
  input?: unknown,
  ctx?: Detail['ctx'],
): HttpFailure => unprocessable([detail(type, loc, msg, input, ctx)]);

/** Compares replies with their schema: answers with what is wrong, or null. */
export function compileReply(schema: Schema<unknown>): (reply: unknown) => string | null {
  const validate = ajv.compile(schema);
  return (reply) => (validate(reply) ? null : ajv.errorsText(validate.errors));
}

/**
 * Makes the check of a route's requests, once. It answers with typed values, or with every fault of the request in
 * the order path, query, body, and within each in the order of the declared fields.
 */
export function compileRequest(schemas: RequestSchemas): (raw: RawRequest) => Checked {
  const params = schemas.params && textPart('path', schemas.params);
  const query = schemas.query && textPart('query', schemas.query);
  const json = schemas.body && 'json' in schemas.body ? jsonPart(schemas.body.json) : undefined;
  const form =
    schemas.body && 'multipart' in schemas.body
      ? { part: textPart('body', schemas.body.multipart), file: schemas.body.files.name }
      : undefined;
  return (raw) => {
    const faults: Detail[] = [];
    const values = {
      params: params ? params((name) => raw.params[name] as string | undefined, faults) : {},
      query: query ? query(lookUp(raw.url), faults) : {},
      body: {} as Values,
    };
    if (json && raw.body && 'bytes' in raw.body) values.body = json(raw.body, faults);
    if (form && raw.body && 'fields' in raw.body) {
      const { fields, fileCount } = raw.body;
      if (fileCount === 0) faults.push(missing(['body', form.file], null));
      const field = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
      values.body = form.part(field, faults);
    }
    return faults.length > 0 ? { ok: false, detail: faults } : { ok: true, values };
  };
}

type LookUp = (name: string) => string | null | undefined;

const nothing: LookUp = () => undefined;

function lookUp(url: string): LookUp {
  if (!url.includes('?')) return nothing;
  const values = queryValues(url);
  return (name) => values.get(name);
}

/** A part whose values are text: each is read by its type, then judged by its bounds. */
function textPart(place: string, schema: Schema<unknown>) {
  const fields = Object.entries(propertiesOf(schema));
  const required = new Set(schema['required'] as readonly string[]);
  const validate = ajv.compile(schema);
  return (sent: LookUp, faults: Detail[]): Values => {
    const values: Values = {};
    const texts = new Map<string, string>();
    const found: Detail[] = [];
    for (const [name, field] of fields) {
      const text = sent(name);
      if (text === undefined) {
        if ('default' in field) values[name] = field['default'];
        else if (required.has(name)) found.push(missing([place, name], null));
        continue;
      }
      const read =
        text === null
          ? { fault: valueError([place, name], 'the text is not percent-encoded UTF-8') }
          : readText(field['type'], text, [place, name]);
      if ('fault' in read) found.push(withoutSecret(read.fault, field));
      else {
        values[name] = trimmed(field, read.value);
        texts.set(name, text ?? '');
      }
    }
    if (!validate(values))
      for (const error of firstOfEach(validate.errors)) {
        const name = error.instancePath.split('/')[1];
        // A field that could not be read has been complained of.
        if (name === undefined) continue;
        const fault = explain(error, [place, name], texts.get(name));
        found.push(withoutSecret(fault, nodeAt(schema, [name])));
      }
    if (found.length > 0) faults.push(...inOrder(schema, found));
    else canonical(schema, values);
    return values;
  };
}

function jsonPart(schema: Schema<unknown>) {
  const validate = ajv.compile(schema);
  const secret = holdsSecret(schema);
  return (sent: SentJson, faults: Detail[]): Values => {
    const parsed = parseJsonBody(sent);
    if ('faults' in parsed) {
      faults.push(...parsed.faults.map((fault) => (secret ? bare(fault) : fault)));
      return {};
    }
    if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
      faults.push(notAnObject(['body'], secret ? undefined : parsed.value));
      return {};
    }
    const { values, cleared } = taken(schema, parsed.value as Values);
    if (!judged(validate, values)) {
      const found = firstOfEach(validate.errors).map((error) => {
        const path = pathOf(error, parsed.value);
        const input = error.keyword === 'required' ? shown(parsed.value, path) : at(parsed.value, path);
        const fault = explain(error, ['body', ...path], input);
        return withoutSecret(fault, nodeAt(schema, fault.loc.slice(1)));
      });
      faults.push(...inOrder(schema, found));
    } else canonical(schema, values);
    for (const name of cleared) values[name] = null;
    return values;
  };
}

const judged = (validate: ValidateFunction, values: Values): boolean => validate(values);

/**
 * The declared fields of a body: null stands for not sent, unknown ones are passed over, and names are trimmed. An
 * empty text in a field that can be cleared stands for null.
 */
function taken(schema: Schema<unknown>, sent: Values) {
  const values: Values = {};
  const cleared: string[] = [];
  for (const [name, field] of Object.entries(propertiesOf(schema))) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined || (value === null && isOptional(field))) {
      if ('default' in field) values[name] = field['default'];
    } else if (field['clearable'] && value === '') cleared.push(name);
    else values[name] = trimmed(field, value);
  }
  return { values, cleared };
}

const isOptional = (field: Node): boolean => 'optional' in field || 'default' in field;

function trimmed(field: Node, value: unknown): unknown {
  return field['trimmed'] && typeof value === 'string' ? value.normalize('NFC').trim() : value;
}

/** Ids in lower case with dashes, once everything is known to be sound. */
function canonical(schema: Schema<unknown>, values: Values): void {
  for (const [name, field] of Object.entries(propertiesOf(schema))) {
    const value = values[name];
    if (typeof value === 'string' && isUuid(field)) values[name] = uuidOf(value);
    else if (Array.isArray(value) && isUuid((field['items'] ?? {}) as Node))
      values[name] = value.map((each) => uuidOf(String(each)));
  }
}

const isUuid = (field: Node): boolean => field['format'] === 'uuid';

function uuidOf(text: string): string {
  const parsed = parseUuid(text);
  return 'uuid' in parsed ? parsed.uuid : text;
}

/** One complaint for each value: the most basic one. */
function firstOfEach(errors: ValidateFunction['errors']): readonly ErrorObject[] {
  const first = new Map<string, ErrorObject>();
  for (const error of errors ?? []) {
    const missingName = (error.params as { missingProperty?: string }).missingProperty ?? '';
    const key = error.keyword === 'required' ? `${error.instancePath}/${missingName}` : error.instancePath;
    const known = first.get(key);
    if (!known || rank(error.keyword) < rank(known.keyword)) first.set(key, error);
  }
  return [...first.values()];
}

/** Keys and indexes of a JSON pointer, told apart by what they lead through. */
function pathOf({ instancePath }: ErrorObject, root: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let value = root;
  for (const part of instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(key) : key;
    path.push(step);
    value = (value as Record<string | number, unknown> | undefined)?.[step];
  }
  return path;
}

const at = (root: unknown, path: readonly (string | number)[]): unknown => {
  let value = root;
  for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step];
  return value;
};

const SECRET_NAMES = new Set(['pin', 'old_pin', 'password', 'secret', 'token']);

/** The object that lacks a field, without what nobody should read back. */
function shown(root: unknown, path: readonly (string | number)[]): unknown {
  const value = at(root, path) as Values;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !SECRET_NAMES.has(name)));
}

const withoutSecret = (fault: Detail, field: Node | undefined): Detail =>
  field?.['secret'] && fault.type !== 'missing' ? bare(fault) : fault;

function bare({ input: _input, ...fault }: Detail): Detail {
  return fault;
}

const holdsSecret = (schema: Schema<unknown>): boolean =>
  Object.values(propertiesOf(schema)).some((field) => 'secret' in field);

const propertiesOf = (schema: Schema<unknown>): Readonly<Record<string, Node>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, Node>>;

function nodeAt(schema: Schema<unknown>, path: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = schema;
  for (const step of path)
    node =
      typeof step === 'number'
        ? (node?.['items'] as Node | undefined)
        : (node?.['properties'] as Record<string, Node> | undefined)?.[step];
  return node;
}

/** In the order of the declared fields; elements of a list by their index. */
function inOrder(schema: Schema<unknown>, faults: readonly Detail[]): readonly Detail[] {
  const names = Object.keys(propertiesOf(schema));
  const place = ({ loc }: Detail) => names.indexOf(String(loc[1]));
  const index = ({ loc }: Detail) => (typeof loc[2] === 'number' ? loc[2] : -1);
  return [...faults].sort((a, b) => place(a) - place(b) || index(a) - index(b));
}
