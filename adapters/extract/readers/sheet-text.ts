import { normalizeText } from './text-normalization.ts';
import type { Comment } from './annotations-text.ts';
import type { Page } from './reader-result.ts';

/** Maximum number of consecutive empty cells preserved in a row. */
const WIDEST_GAP = 8;

/**
 * The rows of one sheet as lines, with tabs between columns. Empty rows, and empty cells at the end of a row, are
 * omitted.
 */
export class SheetText {
  readonly comments: Comment[] = [];
  readonly #lines: string[] = [];
  readonly #appended: string[] = [];
  #line = '';
  #column = -1;
  #left: number;

  /** Limited to `budget` characters; the rest is dropped. */
  constructor(budget: number) {
    this.#left = budget;
  }

  /** The limit is reached. */
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

  /** The library names the author; Excel begins the text with the name as well. */
  comment(at: string, author: string, text: string): void {
    if (this.full) return;
    const shown =
      author !== '' && text.startsWith(`${author}:`) ? text.slice(author.length + 1) : text;
    this.comments.push({ at, author, text: shown });
    this.#left -= shown.length;
  }

  /** After the rows. */
  append(text: string): void {
    if (text !== '') this.#appended.push(text);
  }

  endRow(): void {
    if (this.#line !== '') this.#lines.push(this.#line);
    this.#line = '';
    this.#column = -1;
    this.#left--;
  }

  /** As a page: the name of the sheet as its heading, then the rows. A sheet without text is an empty page. */
  page(name: string, hidden: boolean): Page {
    this.endRow();
    const heading = `${name.replace(/\s+/gu, ' ').trim()}${hidden ? ' (hidden)' : ''}`;
    const parts = [this.#lines.join('\n'), ...this.#appended].filter((part) => part !== '');
    const text = parts.length === 0 ? '' : normalizeText([heading, ...parts].join('\n\n'));
    return { text, continues: false };
  }
}
