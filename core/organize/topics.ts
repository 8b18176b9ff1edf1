import type { Breather } from '../../ports/time-and-ids.ts';
import { KEYWORD, ORGANIZATION, topicKey, type Read } from './cards.ts';
import { grouped } from './grouped.ts';
import { organizationKey, type Lexicon } from './lexicon.ts';
import { meansConcept } from './named-concepts.ts';
import { cohesionOf, vectorOf } from './vectors.ts';

export interface Group {
  readonly name: string;
  readonly members: readonly Read[];
  /** Whether another object belongs to the topic. */
  readonly draws: (read: Read) => boolean;
}

/** Minimum number of objects that share an organisation or keyword for it to become a folder. */
const LEAST_SHARING = 5;
/** Objects without a class have no other feature. */
const LEAST_WITHOUT_SORT = 3;
/** Maximum share of the objects: a feature of most objects distinguishes none. */
const MOST_SHARE = 0.6;
const LEAST_COHESION = { shared: 0.05, withoutSort: 0.05 };
/** Maximum number of candidate topics, the most frequent ones. */
const MOST_CANDIDATES = 400;
/** Maximum number of members that are compared with one another. */
const MOST_COMPARED = 150;
const LONGEST_NAME = 120;
/** Share of a group from which on it counts as a group of that class. */
const CHIEF = 0.5;

interface Candidate {
  readonly key: number;
  readonly kind: 'organization' | 'keyword';
  readonly members: readonly Read[];
}

/**
 * Groups objects by common features other than class: organisations first, then keywords. Each object is in one group
 * at most.
 */
export async function topicsAmong(
  breather: Breather,
  reads: readonly Read[],
  lexicon: Lexicon,
  most: number,
): Promise<readonly Group[]> {
  const ofSort = grouped(reads, (read) => read.sorts[0]);
  const groups: Group[] = [];
  const taken = new Set<Read>();
  for (const candidate of await candidatesAmong(breather, reads)) {
    if (groups.length >= most) break;
    await breather.breathe();
    const members = candidate.members.filter((read) => !taken.has(read));
    const chosen = worthy({ ...candidate, members }, reads.length, ofSort, lexicon);
    if (!chosen) continue;
    groups.push(chosen);
    for (const read of chosen.members) taken.add(read);
  }
  return groups;
}

async function candidatesAmong(
  breather: Breather,
  reads: readonly Read[],
): Promise<readonly Candidate[]> {
  const sharing = { organization: new Map<number, Read[]>(), keyword: new Map<number, Read[]>() };
  const add = (kind: Candidate['kind'], key: number, read: Read): void => {
    const list = sharing[kind].get(key);
    if (list) list.push(read);
    else sharing[kind].set(key, [read]);
  };
  for (const [i, read] of reads.entries()) {
    for (const key of read.organizations) add('organization', key, read);
    for (const key of read.keywords) add('keyword', key, read);
    if (i % 2_000 === 1_999) await breather.breathe();
  }
  return (['organization', 'keyword'] as const).flatMap((kind) =>
    [...sharing[kind]]
      .filter(([, members]) => members.length >= LEAST_WITHOUT_SORT)
      .map(([key, members]) => ({ key, kind, members }))
      .sort((a, b) => b.members.length - a.members.length || a.key - b.key)
      .slice(0, MOST_CANDIDATES),
  );
}

/** The group of a topic, if it makes a better folder than the classes of its members. */
function worthy(
  candidate: Candidate,
  all: number,
  ofSort: ReadonlyMap<Read['sorts'][number] | undefined, readonly Read[]>,
  lexicon: Lexicon,
): Group | undefined {
  const { members, kind } = candidate;
  if (members.length < LEAST_WITHOUT_SORT) return undefined;
  const named = nameOf(candidate, lexicon);
  if (!named || meansConcept(named.name)) return undefined;
  const { key, name } = named;
  const shares = (read: Read): boolean =>
    (kind === 'organization' ? read.organizations : read.keywords).includes(candidate.key);
  const shared =
    members.length >= LEAST_SHARING &&
    (all < 20 || members.length <= MOST_SHARE * all) &&
    tellsApart(members, ofSort);
  if (
    shared &&
    (kind === 'organization' || cohesionBeyond(key, members, lexicon) >= LEAST_COHESION.shared)
  )
    return { name, members, draws: shares };
  const loners = members.filter(hasNoSort);
  if (loners.length < LEAST_WITHOUT_SORT) return undefined;
  return cohesionBeyond(key, loners, lexicon) >= LEAST_COHESION.withoutSort
    ? { name, members: loners, draws: (read) => hasNoSort(read) && shares(read) }
    : undefined;
}

const hasNoSort = ({ sorts }: Read): boolean => sorts.length === 0;

/**
 * Across classes, or a part of the main one: a folder of one bank's statements would be no better than bank
 * statements.
 */
function tellsApart(
  members: readonly Read[],
  ofSort: ReadonlyMap<Read['sorts'][number] | undefined, readonly Read[]>,
): boolean {
  const here = grouped(members, (read) => read.sorts[0]);
  const several = [...here.values()].filter((list) => list.length >= 2).length >= 2;
  return (
    several ||
    [...here].every(
      ([sort, list]) =>
        list.length <= CHIEF * members.length ||
        list.length <= 0.7 * (ofSort.get(sort)?.length ?? 0),
    )
  );
}

/** Similarity of the members in features other than the common one. */
function cohesionBeyond(key: string, members: readonly Read[], lexicon: Lexicon): number {
  const shared = new Set(key.split(' ').flatMap((word) => lexicon.intern(word) ?? []));
  return cohesionOf(members.slice(0, MOST_COMPARED).map((read) => vectorOf(read, lexicon, shared)));
}

/** The topic's key, and its most frequent spelling. */
function nameOf(
  { kind, key, members }: Candidate,
  lexicon: Lexicon,
): { readonly key: string; readonly name: string } | undefined {
  const counts = new Map<string, number>();
  let found = '';
  for (const { card } of members.slice(0, MOST_COMPARED))
    for (const text of kind === 'organization' ? card.organizations : card.keywords) {
      const its = kind === 'organization' ? organizationKey(text) : topicKey(text, card.language);
      if (lexicon.intern((kind === 'organization' ? ORGANIZATION : KEYWORD) + its) !== key)
        continue;
      found = its;
      counts.set(text, (counts.get(text) ?? 0) + 1);
      break;
    }
  const chosen = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
  const cut = [...chosen.trim().replace(/\s+/g, ' ')].slice(0, LONGEST_NAME).join('').trim();
  if (cut === '') return undefined;
  const raised = cut.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return { key: found, name: kind === 'organization' ? cut : raised };
}
