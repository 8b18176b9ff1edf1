import { changedAt, Members, placesIn, RawJson, type JsonPath } from './json-text.ts';
import type { Draft } from './draft.ts';
import type { Random } from './random.ts';
import { ADDRESSES } from './values.ts';
import { PROTOTYPE_NAMES, hostileText, hostileValue } from './vocabulary.ts';

type Change = (draft: Draft, random: Random) => boolean;

/**
 * Left out, these make the service call a server of the public internet, which no test may do. Any other
 * value is no address beyond this machine.
 */
const isFixed = (path: JsonPath): boolean => path.some((key) => ADDRESSES.includes(String(key)));

function changeAt(
  draft: Draft,
  random: Random,
  fits: (path: JsonPath, value: unknown) => boolean,
  change: (before: unknown) => unknown,
): boolean {
  const { body } = draft;
  if (body.kind !== 'json') return false;
  const places = placesIn(body.value).filter((path) => fits(path, valueAt(body.value, path)));
  if (places.length === 0) return false;
  draft.body = { kind: 'json', value: changedAt(body.value, random.pick(places), change) };
  return true;
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((from, key) => {
    if (from instanceof Members) return from.pairs.find(([name]) => name === key)?.[1];
    return (from as Record<string | number, unknown> | undefined)?.[key];
  }, value);
}

const isObject = (value: unknown): boolean =>
  value instanceof Members ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof RawJson));

const pairsOf = (value: unknown): (readonly [string, unknown])[] =>
  value instanceof Members ? value.pairs : Object.entries(value as object);

export const JSON_CHANGES: readonly (readonly [number, string, Change])[] = [
  [
    14,
    'field text',
    (draft, random) => {
      const text = hostileText(random);
      return changeAt(
        draft,
        random,
        (path, value) => typeof value === 'string' && !isFixed(path),
        () => text,
      );
    },
  ],
  [
    10,
    'field value',
    (draft, random) => {
      const value = hostileValue(random);
      return changeAt(
        draft,
        random,
        (path) => path.length > 0 && !isFixed(path),
        () => value,
      );
    },
  ],
  [
    1,
    'whole body',
    (draft, random) => {
      const value = hostileValue(random);
      return changeAt(
        draft,
        random,
        (path) => path.length === 0,
        () => value,
      );
    },
  ],
  [
    4,
    'unknown field',
    (draft, random) => {
      const name = random.chance(0.5) ? random.pick(PROTOTYPE_NAMES) : hostileText(random);
      const value = hostileValue(random);
      return changeAt(
        draft,
        random,
        (_, before) => isObject(before),
        (before) => new Members([...pairsOf(before), [name.slice(0, 5_000), value]]),
      );
    },
  ],
  [
    2,
    'left out field',
    (draft, random) =>
      changeAt(
        draft,
        random,
        (_, before) => isObject(before) && pairsOf(before).length > 0,
        (before) => {
          const at = random.below(pairsOf(before).length);
          return new Members(
            pairsOf(before).filter(([name], i) => i !== at || ADDRESSES.includes(name)),
          );
        },
      ),
  ],
  [
    2,
    'repeated field',
    (draft, random) => {
      const value = hostileValue(random);
      return changeAt(
        draft,
        random,
        (_, before) => isObject(before) && pairsOf(before).length > 0,
        (before) => {
          const [name] = random.pick(pairsOf(before));
          if (ADDRESSES.includes(name)) return before;
          return new Members([...pairsOf(before), [name, value]]);
        },
      );
    },
  ],
];
