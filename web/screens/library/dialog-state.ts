import { signal } from '@preact/signals';
import type { Selected } from '../../data/bulk.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import type { ListModel } from './list-model.ts';
import { onLock } from '../../state/zone-token.ts';

/** A dialog about documents of a list. */
export type OpenDialog =
  | { readonly kind: 'move'; readonly selected: Selected; readonly count: number }
  | {
      readonly kind: 'label';
      readonly selected: Selected;
      readonly count: number;
      readonly items: readonly ObjectItem[];
    }
  | { readonly kind: 'rename'; readonly item: ObjectItem }
  | { readonly kind: 'erase'; readonly selected: Selected; readonly count: number }
  | { readonly kind: 'empty-trash' };

export const openDialog = signal<OpenDialog | undefined>(undefined);

export const closeDialog = (): void => {
  openDialog.value = undefined;
};

/** Opens a dialog about what the list acts on: the selection, or the current row. */
export function openDialogFor(model: ListModel, kind: 'move' | 'label' | 'erase'): void {
  const selected = model.target();
  if (!selected) return;
  const items = model.targetItems();
  const count = model.selectedCount.value || 1;
  openDialog.value =
    kind === 'label' ? { kind, selected, count, items } : { kind, selected, count };
}

onLock(() => {
  openDialog.value = undefined;
});
