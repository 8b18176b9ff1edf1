import { positionOf } from '../request/cursor.ts';
import { parseDateTime } from './formats/date-time.ts';
import { itemsOf, propertiesOf, withoutNull, type Node } from './node.ts';
import { parseUuid } from './formats/uuid.ts';
import { parseUrl } from './formats/web-address.ts';

/** Converts a received value before validation or before the operation. A value that does not fit passes unchanged. */
export type Coercion = (value: unknown) => unknown;

const unchanged: Coercion = (value) => value;

/**
 * Coercion of a body before validation. Only declared fields are read. Null in an optional field counts as not sent,
 * unless the field gives null a meaning. Defaults are filled in, names are trimmed, ids and URLs are normalised.
 */
export function coerceBody(node: Node): Coercion {
  if ('anyOf' in node) return coerceNullable(node);
  if ('properties' in node) return coerceObject(node);
  if (node['type'] === 'array') return coerceList(node);
  return coerceValue(node);
}

/** The same for a single value. */
export function coerceValue(node: Node): Coercion {
  const { type, format, schemes } = node;
  if (node['trimmed']) return ifText((text) => text.normalize('NFC').trim());
  if (format === 'uuid') return ifText(canonicalUuid);
  if (format === 'uri') return ifText((text) => canonicalUrl(text, schemes as readonly string[]));
  return type === 'integer' ? countable : unchanged;
}

/** The conversion after successful validation; undefined if there is none. */
export function finalizeValue(node: Node): Coercion | undefined {
  if (node['sentDateTime']) return ifText(readDateTime);
  if (node['cursor']) return ifText(positionOf);
  if ('anyOf' in node) return finalizeValue(withoutNull(node));
  if (node['type'] === 'array') {
    const item = finalizeValue(itemsOf(node));
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  const fields = Object.entries(propertiesOf(node)).flatMap(([name, field]) => {
    const shape = finalizeValue(field);
    return shape ? [{ name, shape }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value) => {
    const values = value as Record<string, unknown> | null;
    for (const { name, shape } of fields)
      if (values && Object.hasOwn(values, name)) values[name] = shape(values[name]);
    return values;
  };
}

function coerceNullable(node: Node): Coercion {
  const inner = coerceBody(withoutNull(node));
  const clearable = 'clearable' in node;
  return (value) => (value === null || (clearable && value === '') ? null : inner(value));
}

function coerceObject(node: Node): Coercion {
  const fields = Object.entries(propertiesOf(node)).map(([name, field]) => ({
    name,
    shape: coerceBody(field),
    skipsNull: ('optional' in field || 'default' in field) && !('hasNull' in field),
    byDefault: field['default'],
  }));
  const isClosed = node['additionalProperties'] === false;
  const known = new Set(fields.map(({ name }) => name));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const sent = value as Record<string, unknown>;
    const taken: [string, unknown][] = [];
    for (const { name, shape, skipsNull, byDefault } of fields) {
      const each = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (each !== undefined && !(each === null && skipsNull)) taken.push([name, shape(each)]);
      else if (byDefault !== undefined) taken.push([name, byDefault]);
    }
    // They fail the validation.
    if (isClosed)
      for (const [name, each] of Object.entries(sent))
        if (!known.has(name)) taken.push([name, each]);
    return Object.fromEntries(taken);
  };
}

/** A list that is too long is cut to one item more than its maximum: the remaining items need no validation. */
function coerceList(node: Node): Coercion {
  const most = node['maxItems'] as number | undefined;
  if (most === undefined) throw new Error('A list that a client sends needs maxItems.');
  const item = coerceBody(itemsOf(node));
  return (value) =>
    Array.isArray(value)
      ? (value.length > most ? value.slice(0, most + 1) : value).map((each) => item(each))
      : value;
}

const ifText =
  (shape: (text: string) => unknown): Coercion =>
  (value) =>
    typeof value === 'string' ? shape(value) : value;

function canonicalUuid(text: string): string {
  const parsed = parseUuid(text);
  return 'uuid' in parsed ? parsed.uuid : text;
}

function canonicalUrl(text: string, schemes: readonly string[]): string {
  const parsed = parseUrl(text, schemes);
  return 'url' in parsed ? parsed.url : text;
}

function readDateTime(text: string): unknown {
  const parsed = parseDateTime(text);
  return 'dateTime' in parsed ? parsed.dateTime : text;
}

/**
 * A number beyond the safe integers becomes the largest safe one. Bounds are checked as before. Without bounds, an
 * offset past the end gives an empty page at any distance.
 */
const countable: Coercion = (value) =>
  typeof value === 'number' && Number.isInteger(value)
    ? Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
    : value;
