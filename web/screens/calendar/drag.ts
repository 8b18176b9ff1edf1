/** So far a press is still a press. */
const THRESHOLD_PX = 4;

export interface DragSteps {
  readonly onMove: (event: PointerEvent) => void;
  readonly onDrop: (event: PointerEvent) => void;
  /** Escape, or the browser took the pointer. Also called after a drop. */
  readonly onEnd: () => void;
}

/**
 * Follows a drag with mouse or pen from a press on. A finger scrolls instead, and has the same in a menu. Returns what ends
 * it early.
 */
export function startDrag(down: PointerEvent, steps: DragSteps): () => void {
  const isDrag = down.button === 0 && down.pointerType !== 'touch';
  const controller = new AbortController();
  const { signal } = controller;
  let hasMoved = false;
  const end = () => {
    if (signal.aborted) return;
    controller.abort();
    document.documentElement.removeAttribute('data-dragging');
    steps.onEnd();
  };
  if (!isDrag) return end;
  const move = (event: PointerEvent) => {
    const distance = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
    if (!hasMoved && distance < THRESHOLD_PX) return;
    hasMoved = true;
    document.documentElement.setAttribute('data-dragging', '');
    steps.onMove(event);
  };
  const up = (event: PointerEvent) => {
    if (hasMoved) {
      suppressClick();
      steps.onDrop(event);
    }
    end();
  };
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', up, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !hasMoved) return;
      event.preventDefault();
      event.stopPropagation();
      suppressClick();
      end();
    },
    { signal, capture: true },
  );
  return end;
}

/** The press that ends a drag opens nothing. */
function suppressClick(): void {
  const controller = new AbortController();
  addEventListener(
    'click',
    (event) => {
      event.stopPropagation();
      event.preventDefault();
      controller.abort();
    },
    { capture: true, signal: controller.signal },
  );
  addEventListener('pointerdown', () => controller.abort(), {
    capture: true,
    signal: controller.signal,
  });
  setTimeout(() => controller.abort());
}

/** The day whose cell or column is at a point. */
export function dayAt({ clientX, clientY }: MouseEvent): HTMLElement | undefined {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    const found = element.closest<HTMLElement>('[data-day]');
    if (found) return found;
  }
  return undefined;
}

export const dayOfElement = (element: HTMLElement | undefined): number | undefined =>
  element?.dataset['day'] === undefined ? undefined : Number(element.dataset['day']);
