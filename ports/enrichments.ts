import type { DocType } from './objects.ts';

/**
 * Entities found in a text: lists of strings as written in the text, each once, in order of first appearance. A model
 * may add other keys.
 */
export type Entities = Readonly<Record<string, unknown>>;

/**
 * Metadata derived from an object's text: for people to recognise the object by, and for the service to classify it
 * by.
 */
export interface Enrichment {
  readonly objectId: string;
  /** The object version whose text was analysed. */
  readonly version: number;
  /** The producer: `builtin`, or a model's name. */
  readonly model: string;
  /** ISO 639-1 code, '' if it cannot be detected. */
  readonly language: string;
  readonly title: string;
  readonly description: string;
  readonly summary: string;
  readonly docType: DocType;
  readonly keywords: readonly string[];
  readonly entities: Entities;
}

/**
 * The enrichments of one owner's objects, one per object.
 *
 * Contract (contract-tests/suites/enrichment-store.ts):
 * - `put` inserts or replaces, and `find` returns what was stored, field for field, entities of any shape included.
 * - `findMany` returns those of the objects that have one, in no promised order.
 * - `remove` removes one object's enrichment only. Removing a missing one changes nothing.
 * - Another owner's enrichments are out of reach.
 */
export interface EnrichmentStore {
  find(objectId: string): Promise<Enrichment | undefined>;
  findMany(objectIds: readonly string[]): Promise<readonly Enrichment[]>;
  put(enrichment: Enrichment): Promise<void>;
  remove(objectId: string): Promise<void>;
}
