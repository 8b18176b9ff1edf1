/**
 * The check of requests, made once for each route from its schemas:
 *
 *     const check = compileRequest({ params, query, headers, body });
 *     const checked = check({ params, url, header, body });
 *     if (!checked.ok) throw unprocessable(checked.detail); // every fault of the request
 *     checked.values; // { params, query, headers, body }, as the schemas type them
 *
 * `validationError(loc, type, msg, input?, ctx?)` is a 422 that an operation raises itself, in the same shape;
 * `compileReply(schema)` holds an answer to its schema.
 */
import { unprocessable, type HttpError } from '../pipeline/errors.ts';
import { mayLackBody } from './optional-body.ts';
import { object, optional, text, type Schema } from '../schema.ts';
import { detail, missing, type Detail, type Loc } from './detail.ts';
import type { SentJson } from './json/json-body.ts';
import { jsonValidator, type CrossFieldRules, type DepthErrors } from './json/json-validator.ts';
import { createReplyCheck } from './formats/keywords.ts';
import { createQueryLookup, type Lookup } from './query-text.ts';
import { textValidator, type Values } from './text-validator.ts';

export type { Detail };

/** The parts of a request that a route gives a schema for. */
export interface RequestSchemas {
  /** In lower case. For some methods the body is optional. */
  readonly method?: string;
  readonly params?: Schema<unknown>;
  readonly query?: Schema<unknown>;
  /** Names in lower case with dashes. */
  readonly headers?: Schema<unknown>;
  readonly body?:
    | {
        readonly json: Schema<unknown>;
        readonly tooDeep?: DepthErrors;
        readonly crossFieldRules?: CrossFieldRules;
      }
    | { readonly multipart: Schema<unknown>; readonly files: { readonly name: string } };
  /** Accepts an Idempotency-Key. */
  readonly acceptsIdempotencyKey?: true;
}

/** Of a repeated value the last one counts. */
type Sent = string | readonly string[] | undefined;

/** A request as received. */
export interface RawRequest {
  /** Decoded by the router. */
  readonly params: Readonly<Record<string, Sent>>;
  /** Path and query as sent. */
  readonly url: string;
  /**
   * Returns the value of a header by its lower-case name; without it no header is validated. A function and not an
   * accessor: each object literal with an accessor gets a hidden class of its own in the old generation, which retains
   * the whole request.
   */
  readonly header?: Lookup;
  readonly body?:
    SentJson | { readonly fields: ReadonlyMap<string, string>; readonly fileCount: number };
}

export interface RequestValues {
  readonly params: Values;
  readonly query: Values;
  readonly body: Values;
  /** Present if the route has a schema for them. */
  readonly headers?: Values;
}

export type ValidationResult =
  | { readonly ok: true; readonly values: RequestValues }
  | { readonly ok: false; readonly detail: readonly Detail[] };

/** Errors beyond this number are not reported: the response must stay in proportion to the request. */
const MAX_ERRORS = 1_000;

const IDEMPOTENCY_KEY = object({
  'idempotency-key': optional(text({ minLength: 1, maxLength: 255 })),
});

/** A 422 raised by an operation itself. */
export const validationError = (
  loc: Loc,
  type: string,
  msg: string,
  input?: unknown,
  ctx?: Detail['ctx'],
): HttpError => unprocessable([detail(type, loc, msg, input, ctx)]);

/** Compares replies with their schema: returns the first error, or null. */
export const compileReply = (schema: Schema<unknown>): ((reply: unknown) => string | null) =>
  createReplyCheck(schema);

/**
 * Compiles the check of a route's requests, once. The check returns typed values, or all errors of the request in the
 * order path, query, header, body, and within each in the order of the declared fields. Throws if a schema is
 * unsuitable: unknown keywords, or a list from a client without a maximum length.
 */
export function compileRequest(schemas: RequestSchemas): (raw: RawRequest) => ValidationResult {
  const params = textValidator('path', schemas.params);
  const query = textValidator('query', schemas.query);
  const headers = textValidator(
    'header',
    schemas.headers ?? (schemas.acceptsIdempotencyKey && IDEMPOTENCY_KEY),
  );
  const anyHeader = schemas.headers !== undefined || schemas.acceptsIdempotencyKey === true;
  const judged = (sent: Lookup, faults: Detail[]) => {
    const values = headers.read(sent, faults);
    return schemas.headers && { headers: values };
  };
  const body = bodyPart(schemas.body, mayLackBody(schemas));
  return (raw) => {
    const faults: Detail[] = [];
    const sentParam = (name: string) =>
      Object.hasOwn(raw.params, name) ? last(raw.params[name]) : undefined;
    const path = params.read(sentParam, faults);
    const values = {
      params: path,
      query: query.read(createQueryLookup(raw.url, query.names), faults),
      ...(anyHeader && raw.header && judged(raw.header, faults)),
      body: raw.body ? body(raw.body, faults, path) : {},
    };
    if (faults.length === 0) return { ok: true, values };
    // If a body cannot be parsed, that is the only error reported.
    const unreadable = faults.find(({ type }) => type === 'json_invalid');
    return { ok: false, detail: unreadable ? [unreadable] : faults.slice(0, MAX_ERRORS) };
  };
}

const last = (sent: Sent): string | undefined => (typeof sent === 'object' ? sent.at(-1) : sent);

type BodyPart = (sent: NonNullable<RawRequest['body']>, faults: Detail[], params: Values) => Values;

const EMPTY_OBJECT: SentJson = { bytes: Buffer.from('{}'), contentType: 'application/json' };

function bodyPart(schema: RequestSchemas['body'], mayBeAbsent: boolean): BodyPart {
  if (!schema) return () => ({});
  if ('json' in schema) {
    const json = jsonValidator(schema.json, MAX_ERRORS, schema.tooDeep, schema.crossFieldRules);
    return (sent, faults, params) => {
      if (!('bytes' in sent)) return {};
      return json(mayBeAbsent && sent.bytes.length === 0 ? EMPTY_OBJECT : sent, faults, params);
    };
  }
  const form = textValidator('body', schema.multipart);
  return (sent, faults) => {
    if (!('fields' in sent)) return {};
    const { fields, fileCount } = sent;
    if (fileCount === 0) faults.push(missing(['body', schema.files.name], null));
    // A form sends every field that it shows. An empty one was not filled in.
    const filled = (name: string) => fields.get(name) || undefined;
    return form.read(filled, faults);
  };
}
