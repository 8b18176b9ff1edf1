import type { DocType } from './objects.ts';

/**
 * What a text speaks of. Lists of strings as they stand in the text, each once, in the order of their first
 * appearance; other keys may come from a model.
 */
export type Entities = Readonly<Record<string, unknown>>;

/** What was made out of an object's text, for people to recognise it by and for the service to sort it by. */
export interface Enrichment {
  readonly objectId: string;
  /** The object version whose text it speaks of. */
  readonly version: number;
  /** Who made it: `builtin`, or a model's name. */
  readonly model: string;
  /** ISO 639-1 code, '' when it cannot be told. */
  readonly language: string;
  readonly title: string;
  readonly description: string;
  readonly summary: string;
  readonly docType: DocType;
  readonly keywords: readonly string[];
  readonly entities: Entities;
}

/**
 * The enrichments of one owner's objects, one an object.
 *
 * Contract (contract-tests/suites/enrichment-store.ts):
 * - `put` inserts or replaces, and `find` gives back what was put, field for field, entities of any shape included.
 * - `findMany` gives those of the objects that have one, in no promised order.
 * - `remove` takes an object's enrichment away and no other; removing a missing one changes nothing.
 * - Another owner's enrichments are out of reach.
 */
export interface EnrichmentStore {
  find(objectId: string): Promise<Enrichment | undefined>;
  findMany(objectIds: readonly string[]): Promise<readonly Enrichment[]>;
  put(enrichment: Enrichment): Promise<void>;
  remove(objectId: string): Promise<void>;
}
