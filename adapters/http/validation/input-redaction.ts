import { itemsOf, propertiesOf, withoutNull, type Node } from './node.ts';

/** Names whose values are never sent back, with or without a mark in a schema. */
const SECRET_NAMES = ['pin', 'old_pin', 'password', 'secret', 'token'];

export const isSecretName = (name: string): boolean => SECRET_NAMES.includes(name);

/** The parts of a request that may appear in an error about it. */
export interface InputRedactor {
  /** The value as `input`: without its secrets, and valid as UTF-8. */
  readonly of: (value: unknown) => unknown;
  /** Whether the value at a path may be shown at all. */
  readonly mayShow: (path: readonly (string | number)[]) => boolean;
  /** Whether the body as a whole may hold a secret. */
  readonly holdsSecret: boolean;
}

export function createInputRedactor(schema: Node): InputRedactor {
  const marked = secretsOf(schema);
  const secret = new Set([...SECRET_NAMES, ...marked]);
  const of = (value: unknown): unknown => {
    if (typeof value === 'string') return value.toWellFormed();
    if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
    if (Array.isArray(value)) return value.map(of);
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !secret.has(name))
        .map(([name, each]) => [name.toWellFormed(), of(each)]),
    );
  };
  return {
    of,
    mayShow: (path) => !path.some((step) => secret.has(String(step))),
    holdsSecret: marked.length > 0 || namesOf(schema).some((name) => secret.has(name)),
  };
}

const secretsOf = (node: Node): readonly string[] =>
  fieldsOf(node).flatMap(([name, field]) => [
    ...('secret' in field || 'secret' in withoutNull(field) ? [name] : []),
    ...secretsOf(field),
  ]);

const namesOf = (node: Node): readonly string[] =>
  fieldsOf(node).flatMap(([name, field]) => [name, ...namesOf(field)]);

function fieldsOf(node: Node): readonly (readonly [string, Node])[] {
  const here = withoutNull(node);
  return [
    ...Object.entries(propertiesOf(here)),
    ...('items' in here ? fieldsOf(itemsOf(here)) : []),
  ];
}
