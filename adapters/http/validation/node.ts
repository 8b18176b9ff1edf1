/** A schema, or a part of one, as the validation reads it. */
export type Node = Readonly<Record<string, unknown>>;

const NONE: Readonly<Record<string, Node>> = {};

export const propertiesOf = (node: Node): Readonly<Record<string, Node>> =>
  (node['properties'] as Readonly<Record<string, Node>> | undefined) ?? NONE;

function propertyOf(node: Node, name: string): Node | undefined {
  const properties = propertiesOf(node);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of a value that is not null. */
export const withoutNull = (node: Node): Node =>
  (node['anyOf'] as readonly Node[] | undefined)?.[0] ?? node;

export const itemsOf = (node: Node): Node => (node['items'] as Node | undefined) ?? NONE;

/** The schema at a path of keys and indexes; undefined if the schema does not describe it. */
export function nodeAt(schema: Node, path: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = schema;
  for (const step of path) {
    const here: Node = withoutNull(node);
    node = typeof step === 'number' ? itemsOf(here) : propertyOf(here, step);
    if (node === undefined) return undefined;
  }
  return node;
}
