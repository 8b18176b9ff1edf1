import type { Contract, Schema } from './contract.ts';
import type { Pool } from './pool.ts';
import type { Random } from './random.ts';

/** The parts of valid values. */
export interface ValueSource {
  readonly contract: Contract;
  readonly pool: Pool;
  readonly random: Random;
  /** Values that work for fields the document can say little of, by name. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
}

const MAX_DEPTH = 6;
const WORDS = ['lantern', 'harbour', 'a note about tides', 'Hafen', '港口', 'résumé', 'x'];

/** A value that fits the schema as far as its words say. */
export function validValue(source: ValueSource, sent: Schema, name: string, depth = 0): unknown {
  const { contract, random } = source;
  const schema = contract.resolve(sent);
  if ('const' in schema) return schema['const'];
  const choices = schema['enum'] as readonly unknown[] | undefined;
  if (choices) return random.pick(choices);
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (alternatives) return validValue(source, random.pick(alternatives), name, depth + 1);
  const type = random.pick([schema['type'] ?? 'string'].flat());
  if (type === 'object') return validObject(source, schema, depth);
  if (type === 'array') {
    const { minItems = 0, maxItems = 3, items = {} } = schema as Record<string, number & Schema>;
    const length = Math.min(maxItems, minItems + random.below(3));
    return Array.from({ length }, () => validValue(source, items, name, depth + 1));
  }
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'null') return null;
  if (type === 'integer' || type === 'number') return validNumber(source, schema, name);
  return validText(source, schema, name);
}

function validObject(source: ValueSource, schema: Schema, depth: number): unknown {
  const required = (schema['required'] ?? []) as readonly string[];
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  return Object.fromEntries(
    properties
      .filter(([name]) => required.includes(name) || ADDRESSES.includes(name) || optional(source))
      .filter(() => depth < MAX_DEPTH)
      .map(([name, field]) => [name, validValue(source, field, name, depth + 1)]),
  );
}

/** Fields that lead the service to a server elsewhere when they are left out. */
export const ADDRESSES: readonly string[] = ['endpoint', 'base_url'];
const optional = ({ random }: ValueSource): boolean => random.chance(0.4);

function validNumber({ pool, random, known }: ValueSource, schema: Schema, name: string): number {
  if (name === 'base_version' || name === 'version')
    return Number(pool.pick('version', random) ?? 1);
  const given = known[name];
  if (given) return Number(random.pick(given));
  const low = Number(schema['minimum'] ?? 0);
  const high = Number(schema['maximum'] ?? low + 1_000);
  return random.pick([low, high, low + random.below(Math.max(1, Math.floor(high - low)))]);
}

function validText({ pool, random, known }: ValueSource, schema: Schema, name: string): string {
  const given = known[name];
  if (given) return String(random.pick(given));
  const learned = pool.pick(name, random);
  if (learned !== undefined) return learned;
  const format = schema['format'];
  if (format === 'uuid') return '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
  if (format === 'date-time')
    return `2026-0${1 + random.below(9)}-1${random.below(9)}T09:00:00${random.pick(['', 'Z', '+02:00'])}`;
  if (format === 'date') return `2026-0${1 + random.below(9)}-11`;
  const word = random.pick(WORDS);
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? 60);
  return [...word.padEnd(least, 'x')].slice(0, most).join('');
}
