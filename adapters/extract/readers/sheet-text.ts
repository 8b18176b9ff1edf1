import { normalised } from './characters.ts';
import type { Page } from './reading.ts';

/** Empty cells that keep their place in a row: more of them say no more. */
const WIDEST_GAP = 8;

/** The rows of one sheet as lines, a tab between two columns. Empty rows are left out, and empty cells at the end of one. */
export class SheetText {
  readonly #lines: string[] = [];
  #line = '';
  #column = -1;
  #left: number;

  /** Of `budget` characters; what comes after them is left out. */
  constructor(budget: number) {
    this.#left = budget;
  }

  /** No more is taken. */
  get full(): boolean {
    return this.#left <= 0;
  }

  /** Columns of a row ascend. */
  cell(column: number, text: string): void {
    const shown = text.replace(/\s+/gu, ' ').trim();
    if (shown === '' || this.full) return;
    const tabs = this.#line === '' ? 0 : Math.min(column - this.#column, WIDEST_GAP);
    this.#line += '\t'.repeat(tabs) + shown;
    this.#column = column;
    this.#left -= tabs + shown.length;
  }

  endRow(): void {
    if (this.#line !== '') this.#lines.push(this.#line);
    this.#line = '';
    this.#column = -1;
    this.#left--;
  }

  /** As a page: the name of the sheet as its heading, then the rows. A sheet without rows is an empty page. */
  page(name: string, hidden: boolean): Page {
    this.endRow();
    const heading = `${name.replace(/\s+/gu, ' ').trim()}${hidden ? ' (hidden)' : ''}`;
    const rows = this.#lines.join('\n');
    return { text: rows === '' ? '' : normalised(`${heading}\n\n${rows}`), continues: false };
  }
}
