/** Bullets written by programs without list support. */
const BULLET = /^[•◦▪·\uf0b7]\s*\t\s*/u;
const NUMBER = /^((?:\d{1,4}|[A-Za-z])[.)])[ ]*\t\s*/;
const ITEM = /^(?:- |(?:\d{1,4}|[A-Za-z])[.)] )/;

/** Assembles paragraphs, lines and cells into text. */
export class RtfText {
  readonly #parts: string[] = [];
  #line = '';
  #inTable = false;
  #item = false;
  length = 0;

  add(text: string): void {
    if (this.#inTable && this.#line === '' && text.trim() !== '') this.#leaveTable();
    this.#line += text;
    this.length += text.length;
  }

  cell(text: string): void {
    this.#line += `${text.replace(/\s+/gu, ' ').trim()}\t`;
    this.length += text.length + 1;
  }

  endRow(): void {
    const row = this.#line.replace(/\t+$/, '');
    if (row !== '') this.#parts.push(row, '\n');
    this.#line = '';
    this.#inTable = true;
    this.#item = false;
  }

  breakLine(): void {
    this.#line += '\n';
  }

  endParagraph(): void {
    const text = this.#line
      .replace(/[ \t]+$/gm, '')
      .replace(/^\s+/, '')
      .replace(BULLET, '- ')
      .replace(NUMBER, '$1 ');
    this.#line = '';
    if (text !== '') {
      const item = ITEM.test(text);
      // No blank lines between items.
      if (item && this.#item) this.#parts[this.#parts.length - 1] = '\n';
      this.#parts.push(text, '\n\n');
      this.#item = item;
    }
    this.length++;
  }

  text(): string {
    this.endParagraph();
    return this.#parts.join('').trim();
  }

  #leaveTable(): void {
    this.#parts.push('\n');
    this.#inTable = false;
  }
}
