import { superscript } from './text-normalization.ts';

/** The part of a DOM node that rendering needs. */
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

/** Longer cells belong to layout tables: their paragraphs remain paragraphs. */
const SHORT_CELL = 300;

interface Setting {
  /** White space is preserved, as in `pre`. */
  readonly literal: boolean;
  /** Inside a table cell everything is on one line. */
  readonly inline: boolean;
  /** The marker of an item in the surrounding list. */
  readonly mark: string;
}

/**
 * The text of a page as copied from a browser: paragraphs separated by blank lines, items and rows on separate lines,
 * cells separated by tabs. The caller has to limit the depth of the tree.
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

/** White space and markers are deferred until text follows. */
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

  /** An empty item has no marker. */
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
