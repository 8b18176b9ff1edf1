import { setDragged } from '../../state/dragged.ts';
import { to } from '../../app/address.ts';
import type { CellProps } from './document-list.tsx';
import { openPreview } from './preview-state.ts';

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, input') !== null;

/** What the pointer does to a row or a picture: choose, select, drag. Keys are actions of the list. */
export const cellEvents = ({ model, item, index, isSelected }: CellProps) => ({
  draggable: true,
  onClick(event: MouseEvent): void {
    const { target, ctrlKey, metaKey, shiftKey } = event;
    model.setCursor(index);
    // The change of a checkbox would come after it was rendered again for the cursor.
    if (target instanceof HTMLInputElement) {
      if (shiftKey) model.tickTo(index);
      else model.tick([item.id], !isSelected);
      return;
    }
    if (isControl(target)) return;
    if (shiftKey) model.tickTo(index);
    else if (ctrlKey || metaKey) model.tick([item.id], !isSelected);
    else openPreview();
  },
  onDblClick(event: MouseEvent): void {
    if (!isControl(event.target)) model.open(item);
  },
  onDragStart(event: DragEvent): void {
    const { dataTransfer: transfer } = event;
    if (!transfer) return;
    if (!isSelected) model.setCursor(index);
    const selected = isSelected ? model.target() : { ids: [item.id] };
    setDragged(selected);
    transfer.effectAllowed = 'move';
    // Firefox drags nothing without data; what is dragged stays in the memory of the tab.
    transfer.setData('text/plain', '');
  },
  onDragEnd: () => setDragged(undefined),
});

/** The name of a document. It leads to the document; Ctrl opens a tab. */
export function DocumentLink({ model, item, index }: CellProps) {
  return (
    <a
      class="name cut"
      href={to(`/object/${item.id}`)}
      tabIndex={-1}
      draggable={false}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        event.stopPropagation();
        model.setCursor(index);
        model.open(item);
      }}
    >
      <bdi>{item.display_name}</bdi>
    </a>
  );
}
