import type { Scheduler } from '../../ports/runtime.ts';
import type { FeatureVector } from './feature-vectors.ts';
import { AMBIGUOUS_CLASSES, type DocumentClass } from './concepts.ts';
import { yearsIn, type Lexicon } from './lexicon.ts';
import { partsOfName, type Concept, type NamePart } from './named-concepts.ts';
import type { ExistingFolder } from './plan-types.ts';
import { vectorOf } from './vectors.ts';

/** Maximum number of objects in a folder that form its profile. */
const MAX_MEMBERS = 300;
const MAX_DESCRIPTION_PARTS = 30;
const MAX_DESCRIPTION_LENGTH = 400;
/** Maximum number of folders a term may indicate. A more frequent term is not significant. */
const MAX_POSTINGS = 300;

/** Maximum weight of each kind of evidence, 0..1. Measured by `bench/organize.ts`. */
const EVIDENCE = {
  name: 0.9,
  description: 0.5,
  theme: 0.2,
  profile: 0.8,
  organization: 0.55,
  sort: 0.55,
  year: 0.5,
};

const TOPICAL_BEFORE = 0.3;

export interface FolderMatch {
  readonly shelf: ExistingFolder;
  /** 0..1 */
  readonly score: number;
  /** Evidence other than the document class, 0..1. */
  readonly topical: number;
  /** The rank for comparing folders: a matching topic outranks a matching class. */
  readonly rank: number;
}

interface Place {
  readonly shelf: ExistingFolder;
  readonly parts: number;
  /** Parts of the name that are custom words, not concepts. */
  readonly ownParts: number;
  readonly onlySorts: boolean;
  readonly years: readonly string[];
  members: number;
  square: number;
  readonly sample: Set<FeatureVector>;
  readonly organizations: Map<number, number>;
  readonly sorts: Map<DocumentClass, number>;
}

type Field = 'name' | 'description' | 'theme';

interface Posting {
  readonly place: number;
  readonly field: Field;
  readonly part: number;
  /** A word that also names a class or a theme, as written. */
  readonly literal: boolean;
}

/** Evidence for one folder and one object. */
interface Found {
  /** For each part of the name, the confidence that the object matches. */
  readonly parts: Map<number, number>;
  readonly own: Set<number>;
  description: number;
  theme: number;
  themeWord: number;
  dot: number;
}

/** Index of the existing folders by their evidence. */
export class FolderClassifier {
  readonly #lexicon: Lexicon;
  readonly #places: Place[] = [];
  readonly #at = new Map<string, number>();
  readonly #words = new Map<number, Posting[]>();
  readonly #concepts = new Map<Concept, Posting[]>();
  readonly #meaning = new Map<number, Concept[]>();
  readonly #profile = new Map<number, Map<number, number>>();
  readonly #organizations = new Map<number, number>();
  readonly #sorts = new Map<DocumentClass, number>();

  constructor(shelves: readonly ExistingFolder[], lexicon: Lexicon) {
    this.#lexicon = lexicon;
    for (const shelf of [...shelves].sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1)))
      this.#add(shelf);
  }

  #add(shelf: ExistingFolder): void {
    const place = this.#places.length;
    const parts = partsOfName(shelf.name);
    const concepts = parts.flatMap((part) => part.concepts);
    this.#places.push({
      shelf,
      parts: parts.length,
      ownParts: parts.filter((part) => part.concepts.length === 0).length,
      onlySorts:
        parts.length > 0 &&
        parts.every((part) => part.concepts.length > 0) &&
        concepts.every((each) => !each.wide),
      years: yearsIn(shelf.name),
      members: 0,
      square: 0,
      sample: new Set(),
      organizations: new Map(),
      sorts: new Map(),
    });
    this.#at.set(shelf.collectionId, place);
    this.#post(place, 'name', parts);
    const seenConcepts = new Set(concepts);
    const described = partsOfName(shelf.description.slice(0, MAX_DESCRIPTION_LENGTH))
      .slice(0, MAX_DESCRIPTION_PARTS)
      .map((part) => onlyOnce(part, seenConcepts));
    this.#post(place, 'description', described);
    this.#post(place, 'theme', partsOfName(shelf.themeName));
  }

  #post(place: number, field: Field, parts: readonly NamePart[]): void {
    const ownWords = parts.some((part) => part.concepts.length === 0);
    parts.forEach(({ concepts, forms }, part) => {
      for (const concept of concepts) {
        let postings = this.#concepts.get(concept);
        if (!postings) {
          this.#concepts.set(concept, (postings = []));
          this.#mean(concept);
        }
        postings.push({ place, field, part, literal: false });
      }
      // Next to a custom word, a concept may have another sense: a recipe folder need not be medical.
      if (concepts.length === 0 || (field === 'name' && ownWords))
        for (const form of new Set(forms)) {
          const term = this.#lexicon.intern(form);
          if (term === undefined) continue;
          const list = this.#words.get(term) ?? [];
          if (list.length < MAX_POSTINGS)
            list.push({ place, field, part, literal: concepts.length > 0 });
          this.#words.set(term, list);
        }
    });
  }

  #mean(concept: Concept): void {
    for (const form of concept.forms) {
      const term = this.#lexicon.intern(form);
      if (term === undefined) continue;
      const list = this.#meaning.get(term);
      if (list) list.push(concept);
      else this.#meaning.set(term, [concept]);
    }
  }

  knows(collectionId: string): boolean {
    return this.#at.has(collectionId);
  }

  /** Learns profiles from the folders' contents. All objects are read first, so that term frequencies are known. */
  async learn(scheduler: Scheduler, reads: readonly FeatureVector[]): Promise<void> {
    for (const [i, read] of reads.entries()) {
      this.learnOne(read);
      if (i % 200 === 199) await scheduler.yield();
    }
  }

  learnOne(read: FeatureVector): void {
    const at = read.card.collectionId === null ? undefined : this.#at.get(read.card.collectionId);
    const place = at === undefined ? undefined : this.#places[at];
    if (at === undefined || !place || place.sample.size >= MAX_MEMBERS) return;
    place.members += 1;
    place.sample.add(read);
    const vector = vectorOf(read, this.#lexicon);
    vector.terms.forEach((term, i) => {
      const weight = vector.weights[i] ?? 0;
      let sums = this.#profile.get(term);
      if (!sums) this.#profile.set(term, (sums = new Map<number, number>()));
      const before = sums.get(at) ?? 0;
      if (before === 0 && sums.size >= MAX_POSTINGS) return;
      sums.set(at, before + weight);
      place.square += 2 * before * weight + weight * weight;
    });
    for (const each of read.organizations) {
      raise(place.organizations, each);
      raise(this.#organizations, each);
    }
    const sort = read.sorts[0];
    if (sort !== undefined) {
      raise(place.sorts, sort);
      raise(this.#sorts, sort);
    }
  }

  /** The folders with evidence, best first. An object is no evidence for its own folder. */
  fitsOf(read: FeatureVector): readonly FolderMatch[] {
    const found = this.#evidence(read);
    const fits: FolderMatch[] = [];
    for (const [at, each] of found) {
      const place = this.#places[at];
      if (place) fits.push(this.#fit(read, place, each));
    }
    return fits.sort(
      (a, b) => b.rank - a.rank || (a.shelf.collectionId < b.shelf.collectionId ? -1 : 1),
    );
  }

  #evidence(read: FeatureVector): ReadonlyMap<number, Found> {
    const found = new Map<number, Found>();
    const of = (place: number): Found => {
      let known = found.get(place);
      if (!known) {
        known = {
          parts: new Map(),
          own: new Set(),
          description: 0,
          theme: 0,
          themeWord: 0,
          dot: 0,
        };
        found.set(place, known);
      }
      return known;
    };
    const strengths = new Map<Concept, number[]>();
    read.terms.forEach((term, i) => {
      for (const concept of this.#meaning.get(term) ?? []) {
        const weights = strengths.get(concept);
        if (weights) weights.push(read.weights[i] ?? 0);
        else strengths.set(concept, [read.weights[i] ?? 0]);
      }
    });
    for (const [concept, postings] of this.#concepts) {
      const strength = conceptStrength(read, concept, strengths.get(concept) ?? []);
      if (strength < 0.1) continue;
      for (const { place, field, part } of postings) {
        const at = of(place);
        if (field === 'name') lift(at.parts, part, strength);
        else if (field === 'description') at.description += 0.8 * strength;
        else at.theme = Math.max(at.theme, strength);
      }
    }
    read.terms.forEach((term, i) => {
      const weight = read.weights[i] ?? 0;
      for (const { place, field, part, literal } of this.#words.get(term) ?? []) {
        if (literal && !isLoose(read)) continue;
        const at = of(place);
        const strength = this.#lexicon.shareOf(term) > 0.4 ? 0.6 * weight : weight;
        if (field === 'name') {
          lift(at.parts, part, strength);
          if (strength >= 0.3) at.own.add(part);
        } else if (field === 'description') at.description += 0.6 * strength;
        else at.themeWord = Math.max(at.themeWord, strength);
      }
    });
    const vector = vectorOf(read, this.#lexicon);
    vector.terms.forEach((term, i) => {
      for (const [place, sum] of this.#profile.get(term) ?? [])
        of(place).dot += sum * (vector.weights[i] ?? 0);
    });
    // A folder can match by class or organisation without a common word.
    const sort = read.sorts[0];
    if (
      sort !== undefined &&
      found.size < this.#places.length &&
      this.#places.length <= MAX_POSTINGS
    )
      this.#places.forEach((place, at) => {
        if (place.sorts.has(sort)) of(at);
      });
    return found;
  }

  #fit(read: FeatureVector, place: Place, found: Found): FolderMatch {
    const own = place.sample.has(read) ? 1 : 0;
    const members = place.members - own;
    let covered = 0;
    for (const strength of found.parts.values()) covered += strength;
    const coverage = place.parts === 0 ? 0 : covered / place.parts;
    const named = place.ownParts > 0 && found.own.size === 0 ? 0.3 * coverage : coverage ** 1.5;
    const square = place.square - own * (2 * found.dot - 1);
    const cosine =
      members === 0 || square <= 0 ? 0 : Math.max(0, found.dot - own) / Math.sqrt(square);
    const profile = (1 - Math.exp(-2.4 * cosine)) * ((members + 1) / (members + 2));
    const organization = Math.max(
      0,
      ...Array.from(read.organizations, (each) =>
        peculiar(
          (place.organizations.get(each) ?? 0) - own,
          members,
          (this.#organizations.get(each) ?? 0) - own,
        ),
      ),
    );
    const first = read.sorts[0];
    const sort =
      first === undefined
        ? 0
        : peculiar(
            (place.sorts.get(first) ?? 0) - own,
            members,
            (this.#sorts.get(first) ?? 0) - own,
          );
    const sameYear = read.years.some((year) => place.years.includes(year));
    const topical = together([
      EVIDENCE.name * (place.ownParts === 0 ? 0 : named),
      EVIDENCE.description * (1 - Math.exp(-0.8 * found.description)),
      EVIDENCE.theme * 1.5 * found.themeWord,
      EVIDENCE.profile * profile,
      EVIDENCE.organization * Math.sqrt(organization),
      sameYear ? EVIDENCE.year * coverage : 0,
    ]);
    const score = together([
      topical,
      EVIDENCE.name * (place.ownParts === 0 ? named : 0),
      EVIDENCE.theme * found.theme,
      EVIDENCE.sort * sort,
    ]);
    const doubts = otherSort(read, place, found) * otherYear(read, place, sameYear);
    return {
      shelf: place.shelf,
      score: score * doubts,
      topical: topical * doubts,
      rank: (score + TOPICAL_BEFORE * topical) * doubts,
    };
  }
}

/** Combines evidence as independent probabilities, at most 1. */
const together = (evidence: readonly number[]): number =>
  1 - evidence.reduce((doubt, each) => doubt * (1 - Math.min(1, Math.max(0, each))), 1);

/** How distinctive a feature is: frequent in the folder and rare elsewhere. */
function peculiar(here: number, members: number, everywhere: number): number {
  if (here <= 0 || members <= 0 || everywhere <= 0) return 0;
  return (here / members) * (here / everywhere) * (here / (here + 1));
}

/** A folder named after a document class is for that class. */
const otherSort = (read: FeatureVector, place: Place, found: Found): number =>
  place.onlySorts && read.sorts.length > 0 && Math.max(0, ...found.parts.values()) < 0.5 ? 0.45 : 1;

function otherYear(read: FeatureVector, place: Place, sameYear: boolean): number {
  if (place.years.length === 0 || sameYear) return 1;
  return read.years.length === 0 ? 0.7 : 0.3;
}

/** Words of the name, and repeated words, add no evidence in the description. */
function onlyOnce(part: NamePart, seenConcepts: Set<Concept>): NamePart {
  if (part.concepts.length === 0) return part;
  const concepts = part.concepts.filter((each) => !seenConcepts.has(each));
  for (const each of concepts) seenConcepts.add(each);
  return { concepts, forms: concepts.length ? part.forms : [] };
}

/** Confidence that an object matches a concept: by its class, else by its words. */
function conceptStrength(
  read: FeatureVector,
  concept: Concept,
  strengths: readonly number[],
): number {
  let strength = 0;
  read.sorts.forEach((sort, i) => {
    strength = Math.max(strength, (concept.draws[sort] ?? 0) * (i === 0 ? 1 : 0.6));
  });
  if (strength === 1) return strength;
  if (strengths.length === 0) return strength;
  // One word of a broad theme may be coincidence; two are not.
  const surely = concept.wide
    ? together(strengths.map((weight) => 0.55 * weight)) * (isLoose(read) ? 1 : 0.8)
    : Math.max(...strengths) * (isLoose(read) ? 0.75 : 0.4);
  return Math.max(strength, surely);
}

const isLoose = ({ sorts: [chief] }: FeatureVector): boolean =>
  chief === undefined || AMBIGUOUS_CLASSES.has(chief);

const raise = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

const lift = (best: Map<number, number>, key: number, value: number): void => {
  if (value > (best.get(key) ?? 0)) best.set(key, value);
};
