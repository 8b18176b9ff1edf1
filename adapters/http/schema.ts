/** JSON Schema values that remember the TypeScript type they accept. */
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

export const text = (o: object = {}): Schema<string> => ({ type: 'string', ...o });
export const filename = (): Schema<string> => text({ minLength: 1, maxLength: 255, trimmed: true, filenameText: true });
/** A name a person gives: trimmed, never blank. */
export const label = (most: number): Schema<string> => text({ minLength: 1, maxLength: most, trimmed: true });
export const int = (o: object = {}): Schema<number> => ({ type: 'integer', ...o });
export const number = (o: object = {}): Schema<number> => ({ type: 'number', ...o });
export const flag = (): Schema<boolean> => ({ type: 'boolean' });
export const uuid = (): Schema<string> => ({ type: 'string', format: 'uuid' });
export const dateTime = (): Schema<string> => ({ type: 'string', format: 'date-time' });
export const list = <T>(items: Schema<T>, o: object = {}): Schema<T[]> => ({
  type: 'array',
  items,
  ...o,
});
export const oneOf = <const T extends readonly string[]>(...v: T): Schema<T[number]> => ({
  type: 'string',
  enum: v,
});
export const freeForm = (): Schema<Readonly<Record<string, unknown>>> => ({ type: 'object' });
export const nullable = <T>(s: Schema<T>): Schema<T | null> => ({ anyOf: [s, { type: 'null' }] });
/** Empty text stands for null, because null in a body means not sent. */
export const clearable = <T>(s: Schema<T>): Schema<T | null> => ({ ...s, clearable: true });
export const optional = <T>(s: Schema<T>): Optional<T> => ({ ...s, optional: true }) as Optional<T>;
export const withDefault = <T>(s: Schema<T>, value: T): Schema<T> => ({ ...s, default: value });
/** Never sent back as the `input` of an error. */
export const secret = <T>(s: Schema<T>): Schema<T> => ({ ...s, secret: true });
/** Becomes a component of the document. */
export const named = <S extends object>(name: string, s: S): S => ({ ...s, title: name });

const required = (fields: Fields) =>
  Object.keys(fields).filter((k) => !('optional' in fields[k]!) && !('default' in fields[k]!));

/** What a request holds: unknown fields are ignored. */
export const object = <F extends Fields>(fields: F): ObjectSchema<F> => ({
  type: 'object',
  properties: fields,
  required: required(fields),
});
/** What an answer holds: exactly these fields. */
export const closed = <F extends Fields>(fields: F): ObjectSchema<F> => ({
  ...object(fields),
  additionalProperties: false,
});
