import { signal, type Signal } from '@preact/signals';

/** What of a document is in view. Made anew for each document. */
export interface ViewState {
  /** The document as it is, or its text. */
  readonly mode: Signal<'page' | 'text'>;
  /** The text stands beside the page: the words are not found on it. */
  readonly isBeside: Signal<boolean>;
  readonly page: Signal<number>;
  readonly pageCount: Signal<number>;
  /** Scrolls to a page. Set by what shows pages. */
  readonly goToPage: Signal<((page: number) => void) | undefined>;
  readonly zoom: Signal<number>;
  readonly isFinding: Signal<boolean>;
  readonly query: Signal<string>;
  /** The hit that is looked at, from 0. */
  readonly hit: Signal<number>;
  /** Is read out. */
  readonly announcement: Signal<string>;
}

export const createViewState = (): ViewState => ({
  mode: signal('page'),
  isBeside: signal(false),
  page: signal(1),
  pageCount: signal(0),
  goToPage: signal(undefined),
  zoom: signal(1),
  isFinding: signal(false),
  query: signal(''),
  hit: signal(0),
  announcement: signal(''),
});

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

export function stepZoom({ zoom }: ViewState, step: 1 | -1): void {
  const at = ZOOMS.findIndex((each) => each >= zoom.value);
  zoom.value = ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + step))] ?? 1;
}

/** Whether the details are open, in windows that have room beside the document. */
export const areDetailsOpen = signal(true);
/** Whether they are open over the document, in windows that have none. */
export const isSheetOpen = signal(false);
