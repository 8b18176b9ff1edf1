import type { Schema } from '../../schema.ts';
import { bare, detail, missing, type Detail } from '../detail.ts';
import { createInputRedactor } from '../input-redaction.ts';
import { explain } from '../pydantic-errors.ts';
import { inDeclaredOrder, firstErrorPerValue, pathOf, valueAt } from '../first-errors.ts';
import { parsePreservingIntegers, parseJsonBody, type SentJson } from './json-body.ts';
import { lazyValidator } from '../formats/keywords.ts';
import { coerceBody, finalizeValue } from '../coerce.ts';
import type { Values } from '../text-validator.ts';
import { unsafeTexts } from '../formats/unsafe-text.ts';

/**
 * Raised for a field that is nested more deeply than a body may be, if the operation has an error of its own for it.
 */
export type DepthErrors = Readonly<Record<string, () => Error>>;

/** A field that its schema allows and the rest of the request does not. */
export interface CrossFieldError {
  readonly field: string;
  /** The error of the value. A value that was not sent is reported as missing. */
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Detail['ctx'];
}

/** Rules between fields. The errors of the fields themselves come first. */
export type CrossFieldRules = (params: Values, body: Values) => readonly CrossFieldError[];

const noCrossFieldRules: CrossFieldRules = () => [];

/** Coerces and validates a JSON body. The errors are added to the list in declared order. */
export function jsonValidator(
  schema: Schema<unknown>,
  mostFaults: number,
  tooDeep: DepthErrors = {},
  crossFieldRules: CrossFieldRules = noCrossFieldRules,
) {
  const judge = lazyValidator(schema);
  const shape = coerceBody(schema);
  const finish = finalizeValue(schema);
  const echo = createInputRedactor(schema);
  const shown = (fault: Detail): Detail => {
    if (!('input' in fault)) return fault;
    const mayShow = fault.type === 'missing' || echo.mayShow(fault.loc);
    return mayShow ? { ...fault, input: echo.of(fault.input) } : bare(fault);
  };

  return (sent: SentJson, faults: Detail[], params: Values = {}): Values => {
    const parsed = parseJsonBody(sent);
    if ('fault' in parsed) {
      const { deepField } = parsed;
      const refusal = new Map(Object.entries(tooDeep)).get(deepField ?? '');
      if (refusal) throw refusal();
      // A body that is not an object is repeated as received, unless it may contain a secret.
      const secret = echo.holdsSecret && parsed.fault.type === 'model_attributes_type';
      faults.push(secret ? bare(parsed.fault) : shown(parsed.fault));
      return {};
    }
    const { value, source } = parsed;
    const unsafe = (body: unknown) => unsafeTexts(source, body, mostFaults);
    const values = shape(value) as Values;
    const errors = judge(values);
    const unfit = crossFieldRules(params, values);
    if (errors === null && unfit.length === 0 && unsafe(value).length === 0)
      return (finish?.(values) as Values) ?? values;
    const sentValue = parsePreservingIntegers(source);
    const found = new Map(unsafe(sentValue).map((fault) => [JSON.stringify(fault.loc), fault]));
    for (const error of firstErrorPerValue(errors ?? [])) {
      const path = pathOf(error, values);
      const fault = explain(error, ['body', ...path], valueAt(sentValue, path));
      const place = JSON.stringify(fault.loc);
      if (!found.has(place)) found.set(place, fault);
    }
    for (const { field, type, msg, ctx } of unfit) {
      const loc = ['body', field];
      const place = JSON.stringify(loc);
      const input = valueAt(sentValue, [field]) ?? null;
      if (!found.has(place))
        found.set(
          place,
          input === null ? missing(loc, sentValue) : detail(type, loc, msg, input, ctx),
        );
    }
    faults.push(...inDeclaredOrder(schema, [...found.values()]).map(shown));
    return values;
  };
}
