import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Detail } from './detail.ts';
import { itemsOf, propertiesOf, withoutNull, type Node } from './node.ts';

/** Of several errors of one value only the first in this order is reported. */
const ORDER = [
  'enum',
  'type',
  'minLength',
  'maxLength',
  'pattern',
  'filenameText',
  'nameText',
  'schemes',
];

const rank = (keyword: string): number => {
  const place = ORDER.indexOf(keyword);
  return place < 0 ? ORDER.length : place;
};

/**
 * Reduces the errors to one for each value, the most basic one. Null in a nullable field is no error. The items of a
 * list that is too long are not checked. A list that is too short is not reported if its items have errors.
 */
export function firstErrorPerValue(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const first = new Map<string, ErrorObject>();
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.schema === 'null') continue;
    const place = placeOf(error);
    const known = first.get(place);
    if (!known || rank(error.keyword) < rank(known.keyword)) first.set(place, error);
  }
  const all = [...first.values()];
  const inside = (outer: ErrorObject) => `${outer.instancePath}/`;
  const tooLong = all.filter(({ keyword }) => keyword === 'maxItems').map(inside);
  const told = all.filter((error) => !tooLong.some((list) => placeOf(error).startsWith(list)));
  return told.filter(
    (error) =>
      error.keyword !== 'minItems' ||
      !told.some((other) => placeOf(other).startsWith(inside(error))),
  );
}

const placeOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  if (keyword === 'required') return `${instancePath}/${String(params['missingProperty'])}`;
  if (keyword !== 'additionalProperties') return instancePath;
  return `${instancePath}/${String(params['additionalProperty'])}`;
};

/**
 * The keys and indexes of an error's JSON pointer (RFC 6901). The containers on the path decide which of them are
 * indexes.
 */
export function pathOf({ instancePath }: ErrorObject, root: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let value = root;
  for (const part of instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(key) : key;
    path.push(step);
    value = stepInto(value, step);
  }
  return path;
}

export const valueAt = (root: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce(stepInto, root);

const stepInto = (value: unknown, step: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Record<string | number, unknown>)[step]
    : undefined;

/**
 * In the order of the declared fields at every depth, items by their index, undeclared fields last in the order
 * received.
 */
export function inDeclaredOrder(schema: Node, faults: readonly Detail[]): readonly Detail[] {
  return faults
    .map((fault) => ({ fault, places: placesOf(schema, fault.loc.slice(1)) }))
    .sort((a, b) => compare(a.places, b.places))
    .map(({ fault }) => fault);
}

function placesOf(schema: Node, path: readonly (string | number)[]): readonly number[] {
  let node: Node | undefined = schema;
  return path.map((step) => {
    const here: Node = withoutNull(node ?? {});
    if (typeof step === 'number') {
      node = itemsOf(here);
      return step;
    }
    const fields = propertiesOf(here);
    const place = Object.keys(fields).indexOf(step);
    node = Object.hasOwn(fields, step) ? fields[step] : undefined;
    return place < 0 ? Infinity : place;
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++)
    if (a[i] !== b[i]) return (a[i] ?? 0) < (b[i] ?? 0) ? -1 : 1;
  return a.length - b.length;
}
