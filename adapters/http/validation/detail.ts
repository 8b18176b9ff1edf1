/** One entry of a 422 body, in the key order of the wire. */
export interface Detail {
  readonly type: string;
  readonly loc: Loc;
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** `body`, `query`, `path` or `header`, then the keys and indexes that lead to the value. */
export type Loc = readonly (string | number)[];

/** Omits absent members, so that an error without `input` does not reveal a secret. */
export function detail(
  type: string,
  loc: Loc,
  msg: string,
  input?: unknown,
  ctx?: Detail['ctx'],
): Detail {
  return {
    type,
    loc,
    msg,
    ...(input !== undefined && { input }),
    ...(ctx !== undefined && { ctx }),
  };
}

export const missing = (loc: Loc, input: unknown): Detail =>
  detail('missing', loc, 'Field required', input);

export const valueError = (loc: Loc, why: string, input?: unknown): Detail =>
  detail('value_error', loc, `Value error, ${why}`, input, { error: {} });

export const notAnObject = (loc: Loc, input: unknown): Detail =>
  detail(
    'model_attributes_type',
    loc,
    'Input should be a valid dictionary or object to extract fields from',
    input,
  );

export const jsonInvalid = (position: number, error: string): Detail =>
  detail('json_invalid', ['body', position], 'JSON decode error', {}, { error });

/** The error without the received value. */
export function bare({ input: _input, ...fault }: Detail): Detail {
  return fault;
}
