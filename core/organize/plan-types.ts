import type { DocType } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';

/** Metadata of one visible object. */
export interface ObjectFeatures {
  readonly objectId: string;
  readonly filename: string;
  readonly title: string;
  readonly summary: string;
  readonly kind: ObjectKind;
  readonly docType: DocType;
  /** ISO 639-1, '' if unknown. */
  readonly language: string;
  readonly keywords: readonly string[];
  readonly organizations: readonly string[];
  readonly collectionId: string | null;
}

/** An existing folder. */
export interface ExistingFolder {
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

/**
 * The destination of each object: the id of an existing folder or the key of a new one. Other objects are not moved.
 */
export interface Plan {
  readonly placements: ReadonlyMap<string, string>;
  readonly folders: readonly NewFolder[];
  readonly themes: readonly NewTheme[];
}
