import type { DocType } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';

/** What is known of one visible object. */
export interface Card {
  readonly objectId: string;
  readonly filename: string;
  readonly title: string;
  readonly summary: string;
  readonly kind: ObjectKind;
  readonly docType: DocType;
  /** ISO 639-1, '' when unknown. */
  readonly language: string;
  readonly keywords: readonly string[];
  readonly organizations: readonly string[];
  readonly collectionId: string | null;
}

/** A folder that exists. */
export interface Shelf {
  readonly collectionId: string;
  readonly name: string;
  readonly description: string;
  readonly themeId: string | null;
  readonly themeName: string;
}

export interface KnownTheme {
  readonly id: string;
  readonly name: string;
}

export interface NewTheme {
  readonly key: string;
  readonly name: string;
  readonly icon: string;
}

export interface NewFolder {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  readonly theme: { readonly id: string } | { readonly key: string } | null;
}

/** Where each object goes: the id of a folder that exists or the key of a new one. Who is not in it stays. */
export interface Plan {
  readonly placements: ReadonlyMap<string, string>;
  readonly folders: readonly NewFolder[];
  readonly themes: readonly NewTheme[];
}
