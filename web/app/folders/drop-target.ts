import { useState } from 'preact/hooks';
import { changeDocuments } from '../../screens/library/changes.ts';
import { shownList } from '../../screens/library/list-model.ts';
import { draggedDocuments, setDragged } from '../../state/dragged.ts';

/** Documents that are dropped here are moved into the folder; null: out of their folders. */
export function useDropTarget(folder: string | null) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    events: {
      onDragOver(event: DragEvent): void {
        if (!draggedDocuments()) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent): void {
        const selected = draggedDocuments();
        setOver(false);
        if (!selected) return;
        event.preventDefault();
        event.stopPropagation();
        setDragged(undefined);
        void changeDocuments(shownList.value, selected, {
          action: 'move',
          collection_id: folder,
        });
      },
    },
  };
}
