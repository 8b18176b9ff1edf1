import { CHANGE_KINDS, type ChangeKind, type OwnerChange } from '../../ports/changes.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

const IDS_PER_QUERY = 500;

/** The effects of one unit of work so far. */
export class ChangeMarks {
  readonly #visible = new Set<ChangeKind>();
  readonly #hidden = new Set<ChangeKind>();
  /** Objects that were saved or removed, and whether they were hidden before and after. */
  readonly #wasHidden = new Map<string, boolean>();
  /** Kinds that are as visible as an object. */
  readonly #ofObjects = new Map<string, Set<ChangeKind>>();
  /** Conversations, and whether no application showed them before while the zone was locked. */
  readonly #wereChatsHidden = new Map<string, boolean>();
  #access = false;

  /** It changed for every application, or only where hidden objects are shown. */
  mark(kind: ChangeKind, isHidden = false): void {
    (isHidden ? this.#hidden : this.#visible).add(kind);
  }

  /** It belongs to the object and is shown where the object is. */
  markOf(objectId: string, kind: ChangeKind): void {
    const kinds = this.#ofObjects.get(objectId) ?? new Set();
    this.#ofObjects.set(objectId, kinds.add(kind));
  }

  markObject(objectId: string, isHidden: boolean): void {
    this.mark('objects', isHidden);
    this.#wasHidden.set(objectId, isHidden && (this.#wasHidden.get(objectId) ?? true));
  }

  /** `wasHidden`: the conversation did not exist, or held a hidden object. */
  markChat(sessionId: string, wasHidden: boolean): void {
    if (!this.#wereChatsHidden.has(sessionId)) this.#wereChatsHidden.set(sessionId, wasHidden);
  }

  /** A credential or the lock of the hidden zone may have ended. */
  markAccess(): void {
    this.#access = true;
  }

  /** Finds out which of the marked objects and conversations are hidden. An object that does not exist counts as hidden. */
  async resolve(stores: Pick<Stores, 'objects' | 'chats'>): Promise<void> {
    for (const [id, wasHidden] of this.#wereChatsHidden)
      this.mark('chats', wasHidden && (await isConcealed(stores.chats, id)));
    const unknown = [...this.#ofObjects.keys()].filter((id) => !this.#wasHidden.has(id));
    for (let start = 0; start < unknown.length; start += IDS_PER_QUERY)
      for (const { id, isHidden } of await stores.objects.findMany(
        unknown.slice(start, start + IDS_PER_QUERY),
      ))
        this.#wasHidden.set(id, isHidden);
    for (const [objectId, kinds] of this.#ofObjects)
      for (const kind of kinds) this.mark(kind, this.#wasHidden.get(objectId) ?? true);
  }

  /** Undefined if nothing has changed that an application shows. */
  toChange(): OwnerChange | undefined {
    const visible = CHANGE_KINDS.filter((kind) => this.#visible.has(kind));
    const hidden = CHANGE_KINDS.filter(
      (kind) => this.#hidden.has(kind) && !this.#visible.has(kind),
    );
    if (visible.length === 0 && hidden.length === 0 && !this.#access) return undefined;
    return { visible, hidden, access: this.#access };
  }
}

/** Removed, or holding a hidden object. */
const isConcealed = async (chats: Stores['chats'], id: string): Promise<boolean> =>
  !(await chats.find(id)) || chats.holdsHidden(id);
