import type { Scheduler } from '../../ports/runtime.ts';
import { KEYWORD, ORGANIZATION, topicKey, type FeatureVector } from './feature-vectors.ts';
import { groupBy } from './group-by.ts';
import { organizationKey, type Lexicon } from './lexicon.ts';
import { meansConcept } from './named-concepts.ts';
import { cohesionOf, vectorOf } from './vectors.ts';

export interface Group {
  readonly name: string;
  readonly members: readonly FeatureVector[];
  /** Whether another object belongs to the topic. */
  readonly draws: (read: FeatureVector) => boolean;
}

/** Minimum number of objects that share an organisation or keyword for it to become a folder. */
const MIN_SHARING_DOCUMENTS = 5;
/** Objects without a class have no other feature. */
const MIN_UNCLASSIFIED = 3;
/** Maximum share of the objects: a feature of most objects distinguishes none. */
const MAX_DOCUMENT_SHARE = 0.6;
const MIN_COHESION = { shared: 0.05, withoutSort: 0.05 };
/** Maximum number of candidate topics, the most frequent ones. */
const MAX_CANDIDATES = 400;
/** Maximum number of members that are compared with one another. */
const MAX_COMPARED_DOCUMENTS = 150;
const MAX_NAME_LENGTH = 120;
/** Share of a group from which on it counts as a group of that class. */
const CHIEF = 0.5;

interface Candidate {
  readonly key: number;
  readonly kind: 'organization' | 'keyword';
  readonly members: readonly FeatureVector[];
}

/**
 * Groups objects by common features other than class: organisations first, then keywords. Each object is in one group
 * at most.
 */
export async function findTopics(
  scheduler: Scheduler,
  reads: readonly FeatureVector[],
  lexicon: Lexicon,
  most: number,
): Promise<readonly Group[]> {
  const ofSort = groupBy(reads, (read) => read.sorts[0]);
  const groups: Group[] = [];
  const taken = new Set<FeatureVector>();
  for (const candidate of await candidatesAmong(scheduler, reads)) {
    if (groups.length >= most) break;
    await scheduler.yield();
    const members = candidate.members.filter((read) => !taken.has(read));
    const chosen = isWorthFolder({ ...candidate, members }, reads.length, ofSort, lexicon);
    if (!chosen) continue;
    groups.push(chosen);
    for (const read of chosen.members) taken.add(read);
  }
  return groups;
}

async function candidatesAmong(
  scheduler: Scheduler,
  reads: readonly FeatureVector[],
): Promise<readonly Candidate[]> {
  const sharing = {
    organization: new Map<number, FeatureVector[]>(),
    keyword: new Map<number, FeatureVector[]>(),
  };
  const add = (kind: Candidate['kind'], key: number, read: FeatureVector): void => {
    const list = sharing[kind].get(key);
    if (list) list.push(read);
    else sharing[kind].set(key, [read]);
  };
  for (const [i, read] of reads.entries()) {
    for (const key of read.organizations) add('organization', key, read);
    for (const key of read.keywords) add('keyword', key, read);
    if (i % 2_000 === 1_999) await scheduler.yield();
  }
  return (['organization', 'keyword'] as const).flatMap((kind) =>
    [...sharing[kind]]
      .filter(([, members]) => members.length >= MIN_UNCLASSIFIED)
      .map(([key, members]) => ({ key, kind, members }))
      .sort((a, b) => b.members.length - a.members.length || a.key - b.key)
      .slice(0, MAX_CANDIDATES),
  );
}

/** The group of a topic, if it makes a better folder than the classes of its members. */
function isWorthFolder(
  candidate: Candidate,
  all: number,
  ofSort: ReadonlyMap<FeatureVector['sorts'][number] | undefined, readonly FeatureVector[]>,
  lexicon: Lexicon,
): Group | undefined {
  const { members, kind } = candidate;
  if (members.length < MIN_UNCLASSIFIED) return undefined;
  const named = nameOf(candidate, lexicon);
  if (!named || meansConcept(named.name)) return undefined;
  const { key, name } = named;
  const shares = (read: FeatureVector): boolean =>
    (kind === 'organization' ? read.organizations : read.keywords).includes(candidate.key);
  const shared =
    members.length >= MIN_SHARING_DOCUMENTS &&
    (all < 20 || members.length <= MAX_DOCUMENT_SHARE * all) &&
    isDiscriminative(members, ofSort);
  if (
    shared &&
    (kind === 'organization' || cohesionBeyond(key, members, lexicon) >= MIN_COHESION.shared)
  )
    return { name, members, draws: shares };
  const loners = members.filter(hasNoSort);
  if (loners.length < MIN_UNCLASSIFIED) return undefined;
  return cohesionBeyond(key, loners, lexicon) >= MIN_COHESION.withoutSort
    ? { name, members: loners, draws: (read) => hasNoSort(read) && shares(read) }
    : undefined;
}

const hasNoSort = ({ sorts }: FeatureVector): boolean => sorts.length === 0;

/**
 * Across classes, or a part of the main one: a folder of one bank's statements would be no better than bank
 * statements.
 */
function isDiscriminative(
  members: readonly FeatureVector[],
  ofSort: ReadonlyMap<FeatureVector['sorts'][number] | undefined, readonly FeatureVector[]>,
): boolean {
  const here = groupBy(members, (read) => read.sorts[0]);
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
function cohesionBeyond(key: string, members: readonly FeatureVector[], lexicon: Lexicon): number {
  const shared = new Set(key.split(' ').flatMap((word) => lexicon.intern(word) ?? []));
  return cohesionOf(
    members.slice(0, MAX_COMPARED_DOCUMENTS).map((read) => vectorOf(read, lexicon, shared)),
  );
}

/** The topic's key, and its most frequent spelling. */
function nameOf(
  { kind, key, members }: Candidate,
  lexicon: Lexicon,
): { readonly key: string; readonly name: string } | undefined {
  const counts = new Map<string, number>();
  let found = '';
  for (const { card } of members.slice(0, MAX_COMPARED_DOCUMENTS))
    for (const text of kind === 'organization' ? card.organizations : card.keywords) {
      const its = kind === 'organization' ? organizationKey(text) : topicKey(text, card.language);
      if (lexicon.intern((kind === 'organization' ? ORGANIZATION : KEYWORD) + its) !== key)
        continue;
      found = its;
      counts.set(text, (counts.get(text) ?? 0) + 1);
      break;
    }
  const chosen = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
  const cut = [...chosen.trim().replace(/\s+/g, ' ')].slice(0, MAX_NAME_LENGTH).join('').trim();
  if (cut === '') return undefined;
  const raised = cut.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return { key: found, name: kind === 'organization' ? cut : raised };
}
