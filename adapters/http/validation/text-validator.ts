import type { Schema } from '../schema.ts';
import { bare, missing, valueError, type Detail } from './detail.ts';
import { createInputRedactor } from './input-redaction.ts';
import { explain } from './pydantic-errors.ts';
import { firstErrorPerValue } from './first-errors.ts';
import { lazyValidator } from './formats/keywords.ts';
import { propertiesOf } from './node.ts';
import type { Lookup } from './query-text.ts';
import { textReader } from './text-values.ts';
import { finalizeValue } from './coerce.ts';

export type Values = Record<string, unknown>;

/** A part of a request whose values are text. Each value is parsed by its type, then checked against its bounds. */
export interface TextValidator {
  readonly names: ReadonlySet<string>;
  /** Returns the values by name. Errors are added to the list in the order of the declared fields. */
  read(sent: Lookup, faults: Detail[]): Values;
}

const NOTHING: TextValidator = { names: new Set(), read: () => ({}) };

export function textValidator(place: string, schema: Schema<unknown> | undefined): TextValidator {
  if (!schema) return NOTHING;
  const required = new Set(schema['required'] as readonly string[]);
  const fields = Object.entries(propertiesOf(schema)).map(([name, node]) => ({
    name,
    loc: [place, name],
    read: textReader(node),
    byDefault: node['default'],
    required: required.has(name),
  }));
  const judge = lazyValidator(schema);
  const finish = finalizeValue(schema);
  const { mayShow } = createInputRedactor(schema);

  const read: TextValidator['read'] = (sent, faults) => {
    const taken: [string, unknown][] = [];
    const found = new Map<string, Detail>();
    for (const { name, loc, read, byDefault, required } of fields) {
      const text = sent(name);
      if (text === undefined) {
        if (byDefault !== undefined) taken.push([name, byDefault]);
        else if (required) found.set(name, missing(loc, null));
      } else if (typeof text === 'string') {
        const result = read(text, loc);
        if ('value' in result) taken.push([name, result.value]);
        else found.set(name, result.fault);
      } else found.set(name, valueError(loc, 'the text is not percent-encoded UTF-8', text.raw));
    }
    const values: Values = Object.fromEntries(taken);
    const errors = judge(values);
    if (errors === null && found.size === 0) return (finish?.(values) as Values) ?? values;
    for (const error of firstErrorPerValue(errors ?? [])) {
      const [, name = ''] = error.instancePath.split('/');
      // Errors of the object as a whole concern fields that could not be parsed. Those are reported already.
      if (name !== '') found.set(name, explain(error, [place, name], sent(name)));
    }
    for (const { name } of fields) {
      const fault = found.get(name);
      if (fault) faults.push(mayShow([name]) || fault.type === 'missing' ? fault : bare(fault));
    }
    return values;
  };
  return { names: new Set(fields.map(({ name }) => name)), read };
}
