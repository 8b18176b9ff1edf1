import { superscript } from './characters.ts';

/** As much of a DOM node as reading needs. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<DomNode>;
  getAttribute?(name: string): string | null;
}

const ELEMENT = 1;
const TEXT = 3;

const set = (names: string): ReadonlySet<string> => new Set(names.toUpperCase().split(' '));
const SKIPPED = set(
  'head title script style noscript template svg math canvas object embed iframe audio video select datalist nav',
);
const PARAGRAPHS = set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure article section main header footer aside div form fieldset details hr address button textarea',
);
const LINES = set('li dt dd tr caption figcaption legend summary option br');
const CELLS = set('td th');

/** Longer cells are a layout made of tables: their paragraphs stay paragraphs. */
const SHORT_CELL = 300;

interface Setting {
  /** White space counts, as in `pre`. */
  readonly literal: boolean;
  /** Inside a cell of a table: everything stays on its line. */
  readonly inline: boolean;
  /** What an item of the list around it begins with. */
  readonly mark: string;
}

/**
 * The text of a page as a person would copy it: paragraphs apart by an empty line, items and rows on
 * lines of their own, cells apart by tabs. The depth of the tree has to be bounded by the caller.
 */
export function renderText(root: DomNode): string {
  const out = new Lines();
  render(root, out, { literal: false, inline: false, mark: '- ' });
  return out.text();
}

function render(node: DomNode, out: Lines, setting: Setting): void {
  if (node.nodeType === TEXT) return out.add(node.textContent ?? '', setting.literal);
  const name = node.nodeType === ELEMENT ? node.nodeName.toUpperCase() : '';
  if (name !== '' && (SKIPPED.has(name) || isHidden(node))) return;
  const cell = CELLS.has(name);
  const short = cell && (node.textContent ?? '').length < SHORT_CELL;
  const lines = PARAGRAPHS.has(name) || (cell && !short) ? 2 : LINES.has(name) ? 1 : 0;
  out.breakLine(lines, setting.inline);
  if (name === 'IMG') out.add(` ${node.getAttribute?.('alt') ?? ''} `, false);
  if (name === 'LI') out.beginItem(setting.mark);
  if (short) out.beginCell();
  if (name === 'SUP' && /^\s*\d+\s*$/.test(node.textContent ?? ''))
    out.add(superscript(node.textContent!.trim()), false);
  else renderChildren(node, name, out, { ...setting, inline: setting.inline || short });
  if (name === 'LI') out.endItem();
  out.breakLine(lines, setting.inline);
}

function renderChildren(node: DomNode, name: string, out: Lines, outer: Setting): void {
  const literal = outer.literal || name === 'PRE';
  let item = name === 'OL' ? Number.parseInt(node.getAttribute?.('start') ?? '1') || 1 : 0;
  for (const child of Array.from(node.childNodes)) {
    const counted = item > 0 && child.nodeName.toUpperCase() === 'LI';
    render(child, out, { ...outer, literal, mark: counted ? `${item++}. ` : '- ' });
  }
}

const isHidden = (node: DomNode): boolean =>
  typeof node.getAttribute?.('hidden') === 'string' ||
  /display\s*:\s*none/i.test(node.getAttribute?.('style') ?? '');

/** White space and marks are owed until characters come that they stand before. */
class Lines {
  readonly #parts: string[] = [];
  #newlines = 0;
  #tab = false;
  #space = false;
  #mark = '';
  #lineEmpty = true;

  add(text: string, literal: boolean): void {
    const shown = literal ? text : text.replace(/[ \t\n\r\f]+/g, ' ');
    const body = literal ? shown : shown.trim();
    if (!literal && shown.startsWith(' ')) this.#space = true;
    if (body === '') return;
    this.#parts.push(this.#owed(), body);
    this.#newlines = 0;
    this.#tab = this.#lineEmpty = false;
    this.#mark = '';
    this.#space = !literal && shown.endsWith(' ');
  }

  breakLine(lines: number, inline: boolean): void {
    if (lines === 0) return;
    this.#space = inline;
    if (inline || this.#mark !== '' || this.#parts.length === 0) return;
    this.#newlines = Math.max(this.#newlines, lines);
    this.#tab = false;
    this.#lineEmpty = true;
  }

  beginItem(mark: string): void {
    this.#mark = mark;
  }

  /** An item that held nothing leaves no mark. */
  endItem(): void {
    this.#mark = '';
  }

  beginCell(): void {
    this.#tab = !this.#lineEmpty;
  }

  text(): string {
    return this.#parts.join('').trim();
  }

  #owed(): string {
    const lineEnd = '\n'.repeat(this.#newlines);
    if (this.#mark !== '') return lineEnd + this.#mark;
    if (lineEnd !== '') return lineEnd;
    if (this.#tab) return '\t';
    return this.#space && !this.#lineEmpty ? ' ' : '';
  }
}
