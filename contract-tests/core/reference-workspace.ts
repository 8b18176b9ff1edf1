import type { BulkChange } from '../../core/objects/index.ts';

/** The state of the hidden zone for the caller of a step. */
export type Zone = 'unset' | 'closed' | 'open';

export interface NaiveObject {
  readonly id: string;
  readonly kind: string;
  docType: string;
  folder: string | null;
  hidden: boolean;
  trashed: boolean;
  categories: readonly string[];
}

export interface NaiveListing {
  readonly kind?: string;
  readonly docType?: string;
  readonly isLink?: boolean;
  readonly notesOnly?: boolean;
  readonly collectionId?: string;
  readonly uncategorized?: boolean;
  readonly includeHidden?: boolean;
  readonly hiddenOnly?: boolean;
  readonly trashed?: boolean;
  readonly themeId?: string;
  readonly category?: string;
  readonly order?: 'newest' | 'oldest';
}

/**
 * A reference implementation of a workspace: everything is in maps, and counts are computed by iterating. Operations
 * return the error code of a rejection, or undefined.
 */
export class NaiveWorkspace {
  readonly objects = new Map<string, NaiveObject>();
  /** The theme of each folder. */
  readonly folders = new Map<string, string | null>();
  /** Whether each theme is hidden. */
  readonly themes = new Map<string, boolean>();

  change(zone: Zone, id: string, change: BulkChange): string | undefined {
    const object = this.objects.get(id);
    if (!object || (object.hidden && zone === 'closed')) return 'not_found';
    if (change.action === 'delete') {
      this.objects.delete(id);
      return undefined;
    }
    if (change.action === 'trash' || change.action === 'restore') {
      object.trashed = change.action === 'trash';
      return undefined;
    }
    if (object.trashed) return 'in_trash';
    if (change.action === 'hide' || change.action === 'unhide')
      object.hidden = change.action === 'hide';
    if (change.action === 'categorize') object.categories = change.categories;
    if (change.action === 'move') {
      if (change.collectionId !== null && !this.folders.has(change.collectionId))
        return 'not_found';
      object.folder = change.collectionId;
    }
    return undefined;
  }

  emptyTrash(zone: Zone): void {
    for (const { id, trashed, hidden } of this.objects.values())
      if (trashed && !(hidden && zone === 'closed')) this.objects.delete(id);
  }

  deleteFolder(zone: Zone, id: string, objects: 'keep' | 'trash'): string | undefined {
    if (!this.folders.delete(id)) return 'not_found';
    for (const object of this.objects.values()) {
      if (object.folder !== id) continue;
      object.folder = null;
      if (objects === 'trash' && !(object.hidden && zone === 'closed')) object.trashed = true;
    }
    return undefined;
  }

  seesTheme(zone: Zone, id: string): boolean {
    return this.themes.has(id) && !(this.themes.get(id) === true && zone === 'closed');
  }

  deleteTheme(zone: Zone, id: string): string | undefined {
    if (!this.seesTheme(zone, id)) return 'not_found';
    this.themes.delete(id);
    for (const [folder, theme] of this.folders) if (theme === id) this.folders.set(folder, null);
    return undefined;
  }

  /** Ids, newest first unless otherwise requested. */
  list(zone: Zone, listing: NaiveListing): readonly string[] | 'hidden_locked' {
    if (listing.hiddenOnly && zone === 'closed') return 'hidden_locked';
    const { themeId, category } = listing;
    if (themeId !== undefined && !this.seesTheme(zone, themeId)) return [];
    const hiddenToo = listing.includeHidden === true && zone !== 'closed';
    const found = [...this.objects.values()]
      .filter(
        (o) =>
          (listing.hiddenOnly ? o.hidden : hiddenToo || !o.hidden) &&
          o.trashed === (listing.trashed ?? false) &&
          (listing.kind === undefined || o.kind === listing.kind) &&
          (listing.docType === undefined || o.docType === listing.docType) &&
          (listing.isLink === undefined || (o.kind === 'link') === listing.isLink) &&
          (!listing.notesOnly || o.kind === 'note') &&
          (listing.collectionId === undefined || o.folder === listing.collectionId) &&
          (!listing.uncategorized || o.folder === null) &&
          (themeId === undefined ||
            (o.folder !== null && this.folders.get(o.folder) === themeId)) &&
          (category === undefined ||
            o.categories.some((name) => name.toLowerCase() === category.toLowerCase())),
      )
      .map(({ id }) => id);
    return listing.order === 'oldest' ? found : found.reverse();
  }

  /** The expected counts of each folder. */
  folderCounts(): ReadonlyMap<string, number> {
    const inside = (folder: string) =>
      [...this.objects.values()].filter((o) => o.folder === folder && !o.hidden && !o.trashed);
    return new Map([...this.folders.keys()].map((id) => [id, inside(id).length]));
  }

  themeCounts(zone: Zone, includeHidden: boolean): ReadonlyMap<string, number> {
    const shown = [...this.themes].filter(
      ([, hidden]) => !hidden || (includeHidden && zone !== 'closed'),
    );
    const inside = (theme: string) => [...this.folders.values()].filter((each) => each === theme);
    return new Map(shown.map(([id]) => [id, inside(id).length]));
  }
}
