import type { Scheduler } from '../../ports/runtime.ts';
import { DOCUMENT_CLASSES, type DocumentClass } from './concepts.ts';
import { organizationKey, formsIn, yearsIn, type Lexicon } from './lexicon.ts';
import type { ObjectFeatures } from './plan-types.ts';

const MAX_TERMS = 48;
const MAX_KEYWORDS = 12;
const MAX_ORGANIZATIONS = 8;
/** Maximum length of one field, in UTF-16 units. */
const MAX_FIELD_LENGTH = 300;
/** The most important part of a summary is its beginning. */
const MAX_SUMMARY_LENGTH = 160;
const WEIGHTS = { title: 1, keyword: 1, organization: 1, filename: 0.7, summary: 0.35 };

/** Prefixes that distinguish organisations and keywords from single words. */
export const ORGANIZATION = 'organization:';
export const KEYWORD = 'keyword:';

/** Feature vector of an object: weighted terms, and its type. */
export interface FeatureVector {
  readonly card: ObjectFeatures;
  /** The document type, and the kind of file. */
  readonly sorts: readonly DocumentClass[];
  readonly terms: Uint32Array;
  /** Weight per term, 0..1: a title weighs more than a summary. */
  readonly weights: Float32Array;
  /** Complete organisation names, the most important first. */
  readonly organizations: Uint32Array;
  /** Keywords as topics. */
  readonly keywords: Uint32Array;
  readonly years: readonly string[];
}

export function vectorize(card: ObjectFeatures, lexicon: Lexicon): FeatureVector {
  const weights = new Map<number, number>();
  const add = (text: string, weight: number): void => {
    for (const term of lexicon.termsIn(text.slice(0, MAX_FIELD_LENGTH), card.language)) {
      const known = weights.get(term);
      if (known === undefined ? weights.size < MAX_TERMS : known < weight)
        weights.set(term, weight);
    }
  };
  const keywords = card.keywords.slice(0, MAX_KEYWORDS);
  const organizations = card.organizations.slice(0, MAX_ORGANIZATIONS);
  const filename = plainFilename(card.filename);
  add(card.title, WEIGHTS.title);
  for (const keyword of keywords) add(keyword, WEIGHTS.keyword);
  for (const name of organizations) add(organizationKey(name), WEIGHTS.organization);
  add(filename, WEIGHTS.filename);
  add(card.summary.slice(0, MAX_SUMMARY_LENGTH), WEIGHTS.summary);
  const complete = interned(lexicon, organizations.map(organizationKey), ORGANIZATION);
  const read = {
    card,
    sorts: sortsOf(card),
    terms: Uint32Array.from(weights.keys()),
    weights: Float32Array.from(weights.values()),
    organizations: complete,
    keywords: interned(
      lexicon,
      keywords.map((keyword) => topicKey(keyword, card.language)),
      KEYWORD,
    ),
    years: [...new Set(yearsIn(`${card.title} ${filename}`))],
  };
  lexicon.count(read.terms);
  return read;
}

/** Inflected forms of a keyword count as one. */
export const topicKey = (keyword: string, language: string): string =>
  formsIn(keyword.slice(0, MAX_FIELD_LENGTH), language).join(' ');

const interned = (lexicon: Lexicon, keys: readonly string[], prefix: string): Uint32Array =>
  Uint32Array.from(
    new Set(
      keys.flatMap((key) => {
        const id = key === '' ? undefined : lexicon.intern(prefix + key);
        return id === undefined ? [] : [id];
      }),
    ),
  );

const plainFilename = (filename: string): string =>
  filename.replace(/\.[^.]{1,5}$/, '').replace(/[_.\-+]+/g, ' ');

function sortsOf({ docType, kind }: ObjectFeatures): readonly DocumentClass[] {
  const sorts: DocumentClass[] = [];
  if (docType !== 'other') sorts.push(docType);
  if (kind in DOCUMENT_CLASSES && !sorts.includes(kind as DocumentClass))
    sorts.push(kind as DocumentClass);
  return sorts;
}

/** About ten milliseconds while the words are not cached. */
const CARDS_A_SLICE = 10;

/** Independent of the order of the input. */
export async function loadFeatures(
  scheduler: Scheduler,
  cards: readonly ObjectFeatures[],
  lexicon: Lexicon,
): Promise<readonly FeatureVector[]> {
  const sorted = await byId(scheduler, cards);
  const read: FeatureVector[] = [];
  for (const card of sorted) {
    read.push(vectorize(card, lexicon));
    if (read.length % CARDS_A_SLICE === 0) await scheduler.yield();
  }
  return read;
}

const SORTED_AT_ONCE = 4_000;
const compare = (a: ObjectFeatures, b: ObjectFeatures): number =>
  a.objectId < b.objectId ? -1 : a.objectId > b.objectId ? 1 : 0;

/** Merge sort that yields between slices. */
async function byId(
  scheduler: Scheduler,
  cards: readonly ObjectFeatures[],
): Promise<readonly ObjectFeatures[]> {
  let runs: ObjectFeatures[][] = [];
  for (let at = 0; at < cards.length; at += SORTED_AT_ONCE) {
    runs.push(cards.slice(at, at + SORTED_AT_ONCE).sort(compare));
    await scheduler.yield();
  }
  while (runs.length > 1) {
    const merged: ObjectFeatures[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await merge(scheduler, runs[i] ?? [], runs[i + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(
  scheduler: Scheduler,
  left: ObjectFeatures[],
  right: ObjectFeatures[],
): Promise<ObjectFeatures[]> {
  const merged: ObjectFeatures[] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const a = left[l];
    const b = right[r];
    if (a && (!b || compare(a, b) <= 0)) {
      merged.push(a);
      l++;
    } else if (b) {
      merged.push(b);
      r++;
    }
    if (merged.length % SORTED_AT_ONCE === 0) await scheduler.yield();
  }
  return merged;
}
