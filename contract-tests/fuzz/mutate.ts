import type { Draft } from './draft.ts';
import { BODY_CHANGES } from './mutate-body.ts';
import { HEADER_CHANGES } from './mutate-headers.ts';
import { JSON_CHANGES } from './mutate-json.ts';
import type { Random } from './random.ts';
import { INVALID_UTF8, PROTOTYPE_NAMES, hostileText } from './vocabulary.ts';

/** Changes a draft in one place; false where it has no such place. */
export type Change = (draft: Draft, random: Random) => boolean;

/** The text as a part of a URL. The unescaped rest may be invalid in one. */
export function escaped(text: string, random: Random): string {
  const whole = encodeURIComponent(text.toWellFormed());
  if (random.chance(0.85)) return whole;
  const bytes = [...Buffer.from(text.toWellFormed())].slice(0, 2_000);
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

const ODD_SEGMENTS = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%zz',
  '%',
  '%00',
  '%ff',
  ';x=1',
  '*',
  'constructor',
  '__proto__',
  '~',
  '#x',
  'a%0d%0ab',
];

const ADDRESS_CHANGES: readonly (readonly [number, string, Change])[] = [
  [
    8,
    'path parameter',
    (draft, random) => {
      const holes = draft.operation.path
        .slice(1)
        .split('/')
        .flatMap((part, at) => (part.includes('{') ? [at] : []));
      if (holes.length === 0) return false;
      draft.segments[random.pick(holes)] = escaped(hostileText(random).slice(0, 30_000), random);
      return true;
    },
  ],
  [
    2,
    'path segment',
    (draft, random) => {
      const at = random.below(draft.segments.length + 1);
      draft.segments.splice(at, random.below(2), random.pick(ODD_SEGMENTS));
      return true;
    },
  ],
  [
    8,
    'query value',
    (draft, random) => {
      const names = draft.operation.parameters.filter((each) => each.in === 'query');
      if (names.length === 0) return false;
      const { name } = random.pick(names);
      draft.query.push(`${name}=${escaped(hostileText(random).slice(0, 30_000), random)}`);
      return true;
    },
  ],
  [
    2,
    'query bytes',
    (draft, random) => {
      const bytes = [...random.pick(INVALID_UTF8)];
      const names = draft.operation.parameters.filter((each) => each.in === 'query');
      const name = names.length > 0 ? random.pick(names).name : 'x';
      draft.query.push(`${name}=${bytes.map((byte) => `%${byte.toString(16)}`).join('')}`);
      return true;
    },
  ],
  [
    2,
    'query name',
    (draft, random) => {
      const name = random.chance(0.5) ? random.pick(PROTOTYPE_NAMES) : hostileText(random);
      draft.query.push(
        `${escaped(name.slice(0, 20_000), random)}${random.pick(['=1', '', '[]=1', '[a]=1'])}`,
      );
      return true;
    },
  ],
  [
    1,
    'query flood',
    (draft, random) => {
      const name = random.pick(['limit', 'q', 'x', '__proto__']);
      draft.query.push(...Array.from({ length: 2_000 }, (_, at) => `${name}=${at}`));
      return true;
    },
  ],
  [
    2,
    'method',
    (draft, random) => {
      draft.method = random.pick(METHODS);
      return true;
    },
  ],
];

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
];

type Weighed = readonly (readonly [weight: number, name: string, change: Change])[];

const CHANGES: Weighed = [...ADDRESS_CHANGES, ...HEADER_CHANGES, ...JSON_CHANGES, ...BODY_CHANGES];

/** The parts of a request without a body that can be mutated, except its method. */
export const READ_CHANGES: Weighed = [...ADDRESS_CHANGES, ...HEADER_CHANGES].filter(
  ([, name]) => name !== 'method',
);

/** Makes a request hostile in none, one or a few places. */
export function mutate(draft: Draft, random: Random, from: Weighed = CHANGES): void {
  const changes = random.weighted([
    [20, 0],
    [50, 1],
    [20, 2],
    [10, 4],
  ]);
  for (let created = 0, tries = 0; created < changes && tries < 20; tries++) {
    const [name, change] = random.weighted(
      from.map(([weight, ...each]) => [weight, each] as const),
    );
    if (!change(draft, random)) continue;
    draft.changes.push(name);
    created++;
  }
}
