import { useRef } from 'preact/hooks';
import { t } from '../../../i18n/picture.ts';
import type { Box } from './draft.ts';

interface CropFrameProps {
  readonly box: Box;
  readonly onChange: (box: Box) => void;
}

type Edge = 'left' | 'top' | 'right' | 'bottom';

const HANDLES: readonly (readonly Edge[])[] = [
  ['left', 'top'],
  ['top'],
  ['right', 'top'],
  ['right'],
  ['right', 'bottom'],
  ['bottom'],
  ['left', 'bottom'],
  ['left'],
];
/** Of the width and the height. */
const MIN_PART = 0.02;
const KEY_STEP = 0.01;

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value));

/** Moves the whole frame, or some of its edges, within the picture. */
export function movedBox(box: Box, edges: readonly Edge[], dx: number, dy: number): Box {
  const { left, top, right, bottom } = box;
  if (edges.length === 0) {
    const x = clamp(dx, -left, 1 - right);
    const y = clamp(dy, -top, 1 - bottom);
    return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
  }
  return {
    left: edges.includes('left') ? clamp(left + dx, 0, right - MIN_PART) : left,
    top: edges.includes('top') ? clamp(top + dy, 0, bottom - MIN_PART) : top,
    right: edges.includes('right') ? clamp(right + dx, left + MIN_PART, 1) : right,
    bottom: edges.includes('bottom') ? clamp(bottom + dy, top + MIN_PART, 1) : bottom,
  };
}

const ARROWS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['ArrowLeft', [-KEY_STEP, 0]],
  ['ArrowRight', [KEY_STEP, 0]],
  ['ArrowUp', [0, -KEY_STEP]],
  ['ArrowDown', [0, KEY_STEP]],
]);

const percent = (part: number): string => `${part * 100}%`;

/** The frame over the picture: dragged as a whole or by its edges, and moved by the arrow keys. */
export function CropFrame({ box, onChange }: CropFrameProps) {
  const area = useRef<HTMLDivElement>(null);
  const dragged = useRef<
    | {
        readonly edges: readonly Edge[];
        readonly from: Box;
        readonly x: number;
        readonly y: number;
      }
    | undefined
  >(undefined);
  const start = (edges: readonly Edge[]) => (event: PointerEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.currentTarget instanceof Element)
      event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = { edges, from: box, x: event.clientX, y: event.clientY };
  };
  const move = (event: PointerEvent) => {
    const { current: drag } = dragged;
    const size = area.current?.getBoundingClientRect();
    if (!drag || !size) return;
    const dx = (event.clientX - drag.x) / size.width;
    const dy = (event.clientY - drag.y) / size.height;
    onChange(movedBox(drag.from, drag.edges, dx, dy));
  };
  const end = () => void (dragged.current = undefined);
  const step = (event: KeyboardEvent) => {
    const by = ARROWS.get(event.key);
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(movedBox(box, event.shiftKey ? ['right', 'bottom'] : [], ...by));
  };
  const place = {
    '--crop-left': percent(box.left),
    '--crop-top': percent(box.top),
    '--crop-width': percent(box.right - box.left),
    '--crop-height': percent(box.bottom - box.top),
  };
  return (
    <div ref={area} class="crop-area">
      <div class="crop-shade">
        <span style={place} />
      </div>
      <div
        class="crop-frame"
        style={place}
        tabIndex={0}
        role="group"
        aria-label={t().picture.cropArea}
        aria-describedby="crop-hint"
        onKeyDown={step}
        onPointerDown={start([])}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      >
        {HANDLES.map((edges) => (
          <span
            key={edges.join()}
            class={`crop-handle ${edges.join(' ')}`}
            onPointerDown={start(edges)}
            onPointerMove={move}
            onPointerUp={end}
            onPointerCancel={end}
          />
        ))}
      </div>
    </div>
  );
}
