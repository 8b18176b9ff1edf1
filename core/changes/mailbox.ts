import {
  CHANGE_KINDS,
  type ChangeCursors,
  type ChangeKind,
  type ChangeListener,
  type ChangeVisibility,
  type PublishedChange,
} from '../../ports/changes.ts';
import { unavailable } from '../shared/common-errors.ts';

/** Changes since the last call, merged. */
export interface MergedChange {
  /** In the order of `CHANGE_KINDS`; empty if only access has changed. */
  readonly kinds: readonly ChangeKind[];
  readonly access: boolean;
  /** The position after them. */
  readonly cursor: string;
}

/** Stores the changes that a stream has not read yet: the kinds only, however many changes there are. */
export class ChangeMailbox implements ChangeListener {
  readonly #kinds = { visible: new Set<ChangeKind>(), any: new Set<ChangeKind>() };
  #cursors: ChangeCursors | undefined;
  #access = false;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #wake: (() => void) | undefined;

  changed({ visible, hidden, access, cursors }: PublishedChange): void {
    for (const kind of visible) {
      this.#kinds.visible.add(kind);
      this.#kinds.any.add(kind);
    }
    for (const kind of hidden) this.#kinds.any.add(kind);
    this.#access ||= access;
    this.#cursors = cursors;
    this.#wake?.();
  }

  ended(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#wake?.();
  }

  close(): void {
    this.#state = 'closed';
    this.#wake?.();
  }

  /**
   * Waits for the first change of the visibility or of access; undefined after `close`. Other changes neither resolve nor
   * delay it. Rejects with `unavailable` once changes may have been lost.
   */
  async next(visibility: ChangeVisibility): Promise<MergedChange | undefined> {
    for (;;) {
      if (this.#state === 'closed') return undefined;
      if (this.#state === 'ended') throw unavailable();
      const found = this.#kinds[visibility];
      if (this.#cursors && (found.size > 0 || this.#access)) {
        const kinds = CHANGE_KINDS.filter((kind) => found.has(kind));
        const merged = { kinds, access: this.#access, cursor: this.#cursors[visibility] };
        this.#kinds.visible.clear();
        this.#kinds.any.clear();
        this.#access = false;
        return merged;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
