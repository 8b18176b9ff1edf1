import type { References } from '../../../core/hidden-zone/index.ts';

type Node = Readonly<Record<string, unknown>>;
type RouteMatch = { readonly [K in keyof References]: string[] };
type Collect = (value: unknown, found: RouteMatch) => void;

/**
 * Makes the function that collects the ids of objects, themes and chats in a value of a schema: those at nodes marked with
 * `refersTo`, and no others. An id inside of a text that a client chose (a name, a title) is not one of them.
 */
export function referencesIn(schema: unknown): (value: unknown) => References {
  const collect = collectorOf(schema as Node | undefined);
  return (value) => {
    const found: RouteMatch = { objects: [], themes: [], chats: [] };
    collect?.(value, found);
    return found;
  };
}

/** Undefined if no node of the schema is marked. */
function collectorOf(schema: Node | undefined): Collect | undefined {
  if (!schema) return undefined;
  const { refersTo, properties, items, anyOf } = schema;
  if (typeof refersTo === 'string') return (value, found) => note(refersTo, value, found);
  if (Array.isArray(anyOf)) {
    const forms = anyOf.flatMap((form: Node) => collectorOf(form) ?? []);
    return forms.length === 0
      ? undefined
      : (value, found) => forms.forEach((form) => form(value, found));
  }
  if (items) {
    const each = collectorOf(items as Node);
    return (
      each && ((value, found) => Array.isArray(value) && value.forEach((item) => each(item, found)))
    );
  }
  return properties ? fieldsCollector(properties as Readonly<Record<string, Node>>) : undefined;
}

function fieldsCollector(properties: Readonly<Record<string, Node>>): Collect | undefined {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const { refersTo } = schema;
    // The sibling field says which kind of thing the id belongs to.
    const collect: Collect | undefined = isBySibling(refersTo)
      ? () => undefined
      : collectorOf(schema);
    return collect ? [{ name, collect, refersTo }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, found) => {
    if (typeof value !== 'object' || value === null) return;
    const record = value as Readonly<Record<string, unknown>>;
    const fieldOf = (name: string) => (Object.hasOwn(record, name) ? record[name] : undefined);
    for (const { name, collect, refersTo } of fields) {
      if (isBySibling(refersTo)) {
        if (fieldOf(refersTo.sibling) === refersTo.value) note('object', fieldOf(name), found);
      } else collect(fieldOf(name), found);
    }
  };
}

/** The id is that of an object if the sibling field has this value. */
interface BySibling {
  readonly sibling: string;
  readonly value: string;
}

const isBySibling = (refersTo: unknown): refersTo is BySibling =>
  typeof refersTo === 'object' && refersTo !== null;

function note(kind: string, value: unknown, found: RouteMatch): void {
  if (typeof value !== 'string') return;
  const list = kind === 'theme' ? found.themes : kind === 'chat' ? found.chats : found.objects;
  list.push(value);
}
