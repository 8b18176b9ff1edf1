import { signal } from '@preact/signals';
import type { Selected } from '../data/bulk.ts';
import { onLock } from './zone-token.ts';

/** The documents that are being dragged. They are not in the drag's own data, which other pages could read. */
const dragged = signal<Selected | undefined>(undefined);

export const setDragged = (selected: Selected | undefined): void => {
  dragged.value = selected;
};

export const draggedDocuments = (): Selected | undefined => dragged.value;

onLock(() => setDragged(undefined));
