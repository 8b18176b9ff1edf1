import type { ComponentChildren, FunctionComponent, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  heightOf,
  MAX_OVERSCAN,
  rowAt,
  topOf,
  windowOf,
  type Layout,
  type Range,
} from '../../data/list-layout.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import { isDrawn } from '../../state/drawn.ts';
import { headingsOf } from './groups.ts';
import type { ListModel } from './list-model.ts';

/** How a document is shown: where it stands, and whether it is the current one. */
export interface CellProps {
  readonly model: ListModel;
  readonly item: ObjectItem;
  readonly index: number;
  readonly columns: number;
  readonly isCurrent: boolean;
  /** The one tab stop of the list. */
  readonly isStop: boolean;
  readonly isSelected: boolean;
}

export interface DocumentListProps {
  readonly model: ListModel;
  readonly label: string;
  /** Least width of a picture in rem; without it rows of full width are shown. */
  readonly tileRem?: number;
  /** A component, so that a step of the cursor renders the two documents that it concerns, not all in view. */
  readonly cell: FunctionComponent<CellProps>;
}

const GREY_ROWS = 8;
const MAX_COLUMNS = 7;

/** A list of documents of any length, of which those in view are in the page. */
export function DocumentList({ model, label, tileRem, cell: Cell }: DocumentListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const anchor = useRef({ index: 0, offset: 0 });
  const size = useMeasures(scroller, probe, tileRem);
  const [hasFocus, setHasFocus] = useState(false);
  const { rows, total } = model.list.state.value;
  const isGrid = tileRem !== undefined;
  const headings = isGrid ? new Map<number, string>() : headingsOf(rows, model.listing.order);
  const layout: Layout = {
    columns: size.columns,
    rowHeight: size.row,
    headingHeight: size.heading,
    total: total ?? GREY_ROWS,
    headings: [...headings.keys()],
  };
  // Documents out of view are not part of the first frame of the app.
  const overscan = isDrawn.value ? MAX_OVERSCAN : 0;
  // What is loaded already is drawn at once. The heights are known after that.
  const [range, setRange] = useState<Range>(() =>
    total === undefined ? { from: 0, to: 0 } : windowOf(layout, 0, size.view, overscan),
  );
  const current = useRef(layout);
  current.current = layout;

  const look = (): void => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop } = element;
    const index = rowAt(current.current, scrollTop);
    anchor.current = { index, offset: scrollTop - topOf(current.current, index) };
    const seen = windowOf(current.current, scrollTop, element.clientHeight, overscan);
    setRange((before) => (before.from === seen.from && before.to === seen.to ? before : seen));
    model.list.show(seen.from, seen.to);
  };

  // Headings that are met above the view, and rows of another height, must not move what is in view.
  const shape = `${layout.headings.join()} ${size.row} ${size.heading} ${size.columns} ${size.view} ${total} ${overscan}`;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { index, offset } = anchor.current;
    const isAtStart = element.scrollTop === 0;
    const top = topOf(layout, index) + offset;
    if (!isAtStart && Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
    look();
  }, [shape, model]);

  useFocusOnCursor(model, scroller, current);
  useSteadyRows(model, scroller, look);

  const { value: cursor } = model.cursor;
  const shown = Array.from({ length: range.to - range.from }, (_, n) => range.from + n);
  // The row that has the focus stays in the page when it is scrolled out of view.
  if (hasFocus && cursor !== undefined && (cursor < range.from || cursor >= range.to))
    shown.push(cursor);
  const stop = cursor ?? 0;
  return (
    <div
      ref={scroller}
      class={`scroll documents${isGrid ? ' pictures' : ''}`}
      role="grid"
      aria-label={label}
      aria-rowcount={total ?? -1}
      aria-multiselectable="true"
      aria-busy={total === undefined}
      onScroll={look}
      onFocusIn={() => setHasFocus(true)}
      onFocusOut={() => setHasFocus(false)}
    >
      <div ref={probe} class="probe" aria-hidden="true">
        <div class={isGrid ? 'tile-height' : 'row-height'} />
        <div class="heading-height" />
      </div>
      <div class="spacer" role="presentation" style={{ blockSize: `${heightOf(layout)}px` }}>
        {total === undefined &&
          Array.from({ length: GREY_ROWS }, (_, n) => (
            <Slot key={`grey ${n}`} layout={layout} index={n}>
              <div class="grey late" />
            </Slot>
          ))}
        {shown.map((index) => {
          const item = rows.get(index);
          const heading = headings.get(index);
          return [
            heading !== undefined && (
              <div
                key={`heading ${index}`}
                class="month placed"
                role="row"
                style={{ insetBlockStart: `${topOf(layout, index) - size.heading}px` }}
              >
                <span role="rowheader">{heading}</span>
              </div>
            ),
            <Slot key={item?.id ?? `grey ${index}`} layout={layout} index={index}>
              {item ? (
                <Cell
                  model={model}
                  item={item}
                  index={index}
                  columns={size.columns}
                  isCurrent={cursor === index}
                  isStop={stop === index}
                  isSelected={model.isSelected(item.id)}
                />
              ) : (
                <div class="grey" />
              )}
            </Slot>,
          ];
        })}
      </div>
    </div>
  );
}

/** Heights of rows and headings, which follow the style sheet, and the room that there is. */
function useMeasures(
  scroller: RefObject<HTMLDivElement | null>,
  probe: RefObject<HTMLDivElement | null>,
  tileRem: number | undefined,
) {
  const [size, setSize] = useState({ row: 60, heading: 40, view: 600, columns: 1 });
  useLayoutEffect(() => {
    const measure = () => {
      const [row, heading] = [...(probe.current?.children ?? [])];
      const element = scroller.current;
      if (!row || !heading || !element) return;
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      const columns = tileRem
        ? Math.max(1, Math.min(MAX_COLUMNS, Math.floor(element.clientWidth / (tileRem * rem))))
        : 1;
      setSize({
        row: row.getBoundingClientRect().height,
        heading: heading.getBoundingClientRect().height,
        view: element.clientHeight,
        columns,
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (scroller.current) observer.observe(scroller.current);
    for (const child of probe.current?.children ?? []) observer.observe(child);
    return () => observer.disconnect();
  }, [tileRem]);
  return size;
}

/**
 * The bar of the selection, or a note above the list, moves no row under the pointer: the list scrolls by as much. A list
 * at its start stays there until it is used, because notes above it are loaded later than the rows.
 */
function useSteadyRows(
  model: ListModel,
  scroller: RefObject<HTMLDivElement | null>,
  look: () => void,
): void {
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let top = element.offsetTop;
    const observer = new ResizeObserver(() => {
      const moved = element.offsetTop - top;
      top += moved;
      const isUsed = model.cursor.peek() !== undefined || model.selectedCount.peek() > 0;
      if (moved === 0 || (element.scrollTop === 0 && !isUsed)) return;
      element.scrollTop += moved;
      // Before the list is laid out anew for its height, from where it was last seen.
      latest.current();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [model]);
}

/** Places a document by its index. */
const Slot = ({
  layout,
  index,
  children,
}: {
  layout: Layout;
  index: number;
  children: ComponentChildren;
}) => (
  <div
    class="placed"
    role="presentation"
    style={{
      insetBlockStart: `${topOf(layout, index)}px`,
      blockSize: `${layout.rowHeight}px`,
      insetInlineStart: `${((index % layout.columns) * 100) / layout.columns}%`,
      inlineSize: `${100 / layout.columns}%`,
    }}
  >
    {children}
  </div>
);

/** Brings the current row into view when the cursor moves, and gives it the focus if the list has it. */
function useFocusOnCursor(
  model: ListModel,
  scroller: { readonly current: HTMLDivElement | null },
  layout: { readonly current: Layout },
): void {
  const { value: cursor } = model.cursor;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || cursor === undefined) return;
    const top = topOf(layout.current, cursor);
    const { rowHeight, headingHeight } = layout.current;
    if (top - headingHeight < element.scrollTop) element.scrollTop = top - headingHeight;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }, [cursor, model]);
  useEffect(() => {
    const element = scroller.current;
    if (cursor === undefined || !element) return;
    const { activeElement: active } = document;
    const isFree =
      !active ||
      active === document.body ||
      active.matches('.screen-title') ||
      element.contains(active);
    const row = isFree && element.querySelector<HTMLElement>(`[data-index="${cursor}"]`);
    if (row && !row.contains(active)) row.focus({ preventScroll: true });
  });
}
