import { foldName } from '../../ports/library.ts';
import type { DocType } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';
import type { Breather } from '../../ports/time-and-ids.ts';

/** What is known of an object that may be put into a folder. */
export interface Card {
  readonly objectId: string;
  readonly filename: string;
  readonly title: string;
  readonly summary: string;
  readonly kind: ObjectKind;
  readonly docType: DocType;
  readonly language: string;
  readonly keywords: readonly string[];
  readonly organizations: readonly string[];
  readonly collectionId: string | null;
}

/** A folder that is there. */
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

export interface Plan {
  /** By object: a present folder's id, or the key of a new one. */
  readonly placements: ReadonlyMap<string, string>;
  readonly folders: readonly NewFolder[];
  readonly themes: readonly NewTheme[];
}

const SLICE = 500;

const nameOf = (docType: DocType): string =>
  docType.charAt(0).toUpperCase() + docType.slice(1).replaceAll('_', ' ');

/** Puts objects without a folder into one folder a type of document. */
export async function planFolders(
  deps: { readonly breather: Breather },
  input: {
    readonly cards: readonly Card[];
    readonly shelves: readonly Shelf[];
    readonly themes: readonly KnownTheme[];
    readonly scope: 'uncategorized' | 'all';
  },
): Promise<Plan> {
  const placements = new Map<string, string>();
  const folders = new Map<string, NewFolder>();
  for (const [i, card] of input.cards.entries()) {
    if (i % SLICE === SLICE - 1) await deps.breather.breathe();
    if (card.docType === 'other' || card.collectionId !== null) continue;
    const shelf = folderFor(card, input.shelves, []);
    placements.set(card.objectId, shelf ?? card.docType);
    if (shelf !== undefined || folders.has(card.docType)) continue;
    folders.set(card.docType, {
      key: card.docType,
      name: nameOf(card.docType),
      description: '',
      icon: '',
      theme: { key: 'papers' },
    });
  }
  const themes = folders.size > 0 ? [{ key: 'papers', name: 'Papers', icon: '' }] : [];
  return { placements, folders: [...folders.values()], themes };
}

/** The present folder that is named after the type of the document. */
export function folderFor(
  card: Card,
  shelves: readonly Shelf[],
  _held: readonly Card[],
): string | undefined {
  const name = foldName(nameOf(card.docType));
  return card.docType === 'other'
    ? undefined
    : shelves.find((shelf) => foldName(shelf.name) === name)?.collectionId;
}
