import type { DocumentText } from '../document.ts';
import type { DocumentDetail } from '../kinds.ts';
import type { Places } from '../places.ts';
import type { Mark } from '../text/marks.ts';
import type { ViewState } from '../view-state.ts';

/** `damaged`: the page can not be drawn, so nothing can be marked on it. */
export type Found = 'found' | 'missing' | 'damaged';

export interface PdfViewProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
  readonly marks: readonly Mark[];
  readonly state: ViewState;
  readonly places: Places;
  /** The page of the cited words. */
  readonly citedPage: number | undefined;
  readonly focusKey: string;
  /** Of the hits of a search: the page of the one that is looked at, and which it is there. */
  readonly hit: { readonly page: number; readonly onPage: number } | undefined;
  readonly onCitation: (index: number) => void;
  /** Whether the cited words are on the page. */
  readonly onWords: (found: Found) => void;
  /** The file can not be shown at all. */
  readonly onUnreadable: (reason: string) => void;
}
