import type { SentCursor } from './request/cursor.ts';

/**
 * JSON Schema values that remember the TypeScript type they accept. One value drives the check of requests, the check
 * of replies and the OpenAPI document. Lengths count code points (JSON Schema 2020-12 validation §6.3).
 *
 * Beside JSON Schema's own words some marks are used that only this folder knows; `MARKS` lists them.
 */
declare const accepts: unique symbol;

export type Schema<T> = { readonly [accepts]?: T } & Readonly<Record<string, unknown>>;
export type Optional<T> = Schema<T> & { readonly optional: true };
export type TypeOf<S> = S extends Schema<infer T> ? T : never;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a field may accept anything
type Fields = Readonly<Record<string, Schema<any>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { optional: true } ? K : never;
}[keyof F];
export type ObjectOf<F extends Fields> = {
  [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]>;
} & { [K in OptionalKeys<F>]?: TypeOf<F[K]> };
export type ObjectSchema<F extends Fields> = Schema<ObjectOf<F>> & { readonly properties: F };

/** A date-time as it was sent: the local reading, and minutes east of UTC if an offset was sent. */
export interface SentDateTime {
  /** `YYYY-MM-DDTHH:MM:SS.sss` */
  readonly local: string;
  readonly offsetMinutes: number | null;
}

declare const exact: unique symbol;
/** Serializes to all digits of the integer. */
export type ExactInteger = object & { readonly [exact]: true };
export const exactly = (value: bigint): ExactInteger => JSON.rawJSON(String(value)) as ExactInteger;

/** Keywords beyond JSON Schema. The request validator uses them; the OpenAPI document does not contain them. */
export const MARKS = [
  'optional',
  'secret',
  'clearable',
  'hasNull',
  'trimmed',
  'filenameText',
  'nameText',
  'schemes',
  'baseAddress',
  'originAddress',
  'sentDateTime',
  'sentInt64',
  'cursor',
  'timeZone',
  'recurrenceRule',
  'refersTo',
] as const;

interface Described {
  readonly description?: string;
}
interface TextBounds extends Described {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}
interface NumberBounds extends Described {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}
interface ListBounds extends Described {
  readonly minItems?: number;
  /** A list that a client sends must have one: see `compileRequest`. */
  readonly maxItems?: number;
  readonly uniqueItems?: true;
}

export const text = (o: TextBounds = {}): Schema<string> => ({ type: 'string', ...o });
export const int = (o: NumberBounds = {}): Schema<number> => ({ type: 'integer', ...o });
/** A 64-bit integer in a reply, with all its digits: see `exactly`. */
export const int64 = (o: Described = {}): Schema<ExactInteger> => ({
  type: 'integer',
  format: 'int64',
  ...o,
});
/** The same in a path or a query. */
export const sentInt64 = (o: Described = {}): Schema<bigint> => ({ sentInt64: true, ...o });
export const number = (o: NumberBounds = {}): Schema<number> => ({ type: 'number', ...o });
export const flag = (o: Described = {}): Schema<boolean> => ({ type: 'boolean', ...o });
/** Sent in any usual spelling, read and answered in lower case with dashes. */
export const uuid = (o: Described = {}): Schema<string> => ({
  type: 'string',
  format: 'uuid',
  ...o,
});
/** The id of an object. A reply is repeated behind a closed zone only while the object may be seen. */
export const objectId = (o: Described = {}): Schema<string> => ({ ...uuid(o), refersTo: 'object' });
/** The id of a chat session, which may hold a hidden object. */
export const chatId = (o: Described = {}): Schema<string> => ({ ...uuid(o), refersTo: 'chat' });
/** The id of a theme, which may be hidden as well. */
export const themeId = (o: Described = {}): Schema<string> => ({ ...uuid(o), refersTo: 'theme' });
/** The id of an object if the field `sibling` has this value; the id of something else otherwise. */
export const objectIdWhere = (sibling: string, value: string): Schema<string> => ({
  ...uuid(),
  refersTo: { sibling, value },
});
/** An instant in a reply: ISO 8601 in UTC with milliseconds and `Z`. */
export const dateTime = (o: Described = {}): Schema<string> => ({
  type: 'string',
  format: 'date-time',
  ...o,
});
/** A date-time in a request: ISO 8601, with or without an offset. A date alone means its midnight. */
export const sentDateTime = (o: Described = {}): Schema<SentDateTime> => ({
  type: 'string',
  format: 'date-time',
  sentDateTime: true,
  ...o,
});
/** An absolute address of one of these schemes, read in its normal form (WHATWG URL). */
export const url = (
  schemes: readonly string[] = ['http', 'https'],
  o: Described = {},
): Schema<string> => ({ type: 'string', format: 'uri', maxLength: 2083, schemes, ...o });
/** A base URL, to which paths are appended. A rejected value that contains a password is not repeated as `input`. */
export const baseUrl = (o: Described = {}): Schema<string> => ({
  ...url(['http', 'https'], o),
  baseAddress: true,
  secret: 'in part',
});
/** The URL of a server, without a path. */
export const origin = (o: Described = {}): Schema<string> => ({
  ...url(['http', 'https'], o),
  originAddress: true,
  secret: 'in part',
});
/** 1 to 255 code points after NFC and trimming, safe as a file name. */
export const filename = (o: Described = {}): Schema<string> => ({
  ...text({ minLength: 1, maxLength: 255, ...o }),
  trimmed: true,
  filenameText: true,
});
/** A display name: NFC, trimmed, never blank. */
export const label = (most: number, o: Described = {}): Schema<string> => ({
  ...text({ minLength: 1, maxLength: most, ...o }),
  trimmed: true,
});
/** The name of a folder, theme or role: a label without control characters, line breaks and bidirectional overrides. */
export const plainName = (most: number, o: Described = {}): Schema<string> => ({
  ...label(most, o),
  nameText: true,
});
/** The `next_cursor` of an earlier reply. */
export const cursor = (o: TextBounds = {}): Schema<SentCursor> => ({
  type: 'string',
  maxLength: 200,
  cursor: true,
  ...o,
});
/** The IANA name of a time zone. */
export const timeZone = (o: Described = {}): Schema<string> => ({
  ...text({ minLength: 1, maxLength: 64, ...o }),
  timeZone: true,
});
/** The value of an RRULE (RFC 5545 §3.3.10) that this calendar can follow, or '' for none. */
export const rrule = (o: Described = {}): Schema<string> => ({
  ...text(o),
  recurrenceRule: true,
});
export const list = <T>(items: Schema<T>, o: ListBounds = {}): Schema<T[]> => ({
  type: 'array',
  items,
  ...o,
});
export const oneOf = <const T extends readonly string[]>(...v: T): Schema<T[number]> => ({
  type: 'string',
  enum: v,
});
/** An object with any keys and values. */
export const freeForm = (o: Described = {}): Schema<Readonly<Record<string, unknown>>> => ({
  type: 'object',
  ...o,
});

export const nullable = <T>(s: Schema<T>): Schema<T | null> => ({ anyOf: [s, { type: 'null' }] });
/** The empty text stands for null: null in a body counts as not sent. */
export const clearable = <T>(s: Schema<T>): Schema<T | null> => ({
  ...nullable(s),
  clearable: true,
});
/** In a reply: one of two shapes. */
export const either = <A, B>(a: Schema<A>, b: Schema<B>): Schema<A | B> => ({ anyOf: [a, b] });
/** May be left out; in a body null counts as left out. */
export const optional = <T>(s: Schema<T>): Optional<T> => ({ ...s, optional: true });
/** May be left out, which is not the same as null. */
export const optionalOrNull = <T>(s: Schema<T>): Optional<T | null> => ({
  ...nullable(s),
  optional: true,
  hasNull: true,
});
/** May be left out; the default value then applies. */
export const withDefault = <T>(s: Schema<T>, value: T): Schema<T> => ({ ...s, default: value });
/** Never sent back as the `input` of an error. */
export const secret = <T>(s: Schema<T>): Schema<T> => ({ ...s, secret: true });
/** Becomes a component of the document. */
export const named = <S extends object>(name: string, s: S): S => ({ ...s, title: name });

const required = (fields: Fields): readonly string[] =>
  Object.entries(fields)
    .filter(([, field]) => !('optional' in field) && !('default' in field))
    .map(([name]) => name);

/** The fields of a request: unknown fields are ignored. */
export const object = <F extends Fields>(fields: F): ObjectSchema<F> => ({
  type: 'object',
  properties: fields,
  required: required(fields),
});
/** The fields of a reply: exactly these. */
export const closed = <F extends Fields>(fields: F): ObjectSchema<F> => ({
  ...object(fields),
  additionalProperties: false,
});
