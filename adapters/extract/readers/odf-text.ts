import { XmlElement, XmlText, type XmlNode } from './xml.ts';

const MAX_SPACES = 100;

/** OpenDocument elements whose content is not part of the text. */
const SKIPPED = new Set([
  'office:annotation',
  'office:annotation-end',
  'office:binary-data',
  'office:forms',
  'presentation:notes',
  'presentation:date-time',
  'presentation:footer',
  'presentation:header',
  'svg:desc',
  'svg:title',
  'table:covered-table-cell',
  'text:list-level-style-number',
  'text:note-citation',
  'text:number',
  'text:page-number',
  'text:tracked-changes',
]);

/** OpenDocument elements (ODF 1.3 part 3) with an HTML equivalent. */
const AS_HTML = new Map([
  ['text:p', 'P'],
  ['table:table', 'TABLE'],
  ['table:table-row', 'TR'],
  ['table:table-cell', 'TD'],
  ['text:line-break', 'BR'],
  ['draw:text-box', 'DIV'],
]);

/** By list style name: the marker of the items of each level. */
export type ListStyles = ReadonlyMap<string, readonly ('number' | 'bullet' | 'none')[]>;

/** List styles of the parts of one document. */
export function listStylesIn(...parts: readonly (XmlElement | undefined)[]): ListStyles {
  const styles = new Map<string, ('number' | 'bullet' | 'none')[]>();
  for (const part of parts)
    for (const style of part?.all('text:list-style') ?? []) {
      const levels: ('number' | 'bullet' | 'none')[] = [];
      for (const { nodeName, attributes } of style.elements()) {
        const level = Number(attributes['text:level'] ?? 0) - 1;
        if (level < 0 || level > 9) continue;
        const numbered = nodeName === 'text:list-level-style-number';
        const shown = !numbered || (attributes['style:num-format'] ?? '') !== '';
        levels[level] = shown ? (numbered ? 'number' : 'bullet') : 'none';
      }
      styles.set(style.getAttribute('style:name') ?? '', levels);
    }
  return styles;
}

interface Place {
  /** Style of the surrounding list, and its nesting level. */
  readonly list: string;
  readonly level: number;
}

/** OpenDocument text as a tree for rendering, notes after everything else. */
export function htmlOf(node: XmlElement, styles: ListStyles): XmlElement {
  const notes: XmlElement[] = [];
  const root = new XmlElement('DIV');

  const convert = (from: XmlNode, to: XmlElement, place: Place): void => {
    if (from instanceof XmlText) {
      to.childNodes.push(from);
      return;
    }
    const { nodeName: name, attributes } = from;
    if (SKIPPED.has(name)) return;
    if (name === 'text:note') {
      const note = new XmlElement('LI');
      for (const child of from.elements('text:note-body')) convertAll(child, note, NO_LIST);
      notes.push(note);
    } else if (name === 'text:s') {
      const count = Math.min(Number(attributes['text:c'] ?? 1) || 1, MAX_SPACES);
      to.childNodes.push(new XmlText(' '.repeat(count)));
    } else if (name === 'text:tab') {
      to.childNodes.push(new XmlText(' '));
    } else if (name === 'text:list') {
      convertList(from, to, place);
    } else if (name === 'text:h') {
      const level = Math.min(6, Math.max(1, Number(attributes['text:outline-level'] ?? 1) || 1));
      convertAll(from, append(to, `H${level}`), place);
    } else if (name === 'draw:image') {
      const alt = altIn(from);
      if (alt !== '') append(to, 'IMG', { alt });
    } else {
      // A paragraph of an item is one line, without blank lines between items.
      const html = name === 'text:p' && place.level > 0 ? 'DD' : AS_HTML.get(name);
      convertAll(from, html === undefined ? to : append(to, html), place);
    }
    if (name === 'draw:frame' && from.elements('draw:image').length > 0) {
      const alt = altIn(from);
      if (alt !== '') append(to, 'IMG', { alt });
    }
  };

  const convertList = (from: XmlElement, to: XmlElement, { list, level }: Place): void => {
    const style = from.getAttribute('text:style-name') ?? list;
    const marks = styles.get(style)?.[level] ?? 'bullet';
    const tag = marks === 'number' ? 'OL' : 'UL';
    const items = append(to, marks === 'none' ? 'DIV' : tag);
    for (const item of from.elements()) {
      const holds = marks === 'none' || item.nodeName === 'text:list-header' ? 'DIV' : 'LI';
      convertAll(item, append(items, holds), { list: style, level: level + 1 });
    }
  };

  const convertAll = (from: XmlElement, to: XmlElement, place: Place): void => {
    for (const child of from.childNodes) convert(child, to, place);
  };

  convertAll(node, root, NO_LIST);
  if (notes.length > 0) append(root, 'OL').childNodes.push(...notes);
  return root;
}

const NO_LIST: Place = { list: '', level: 0 };

function append(to: XmlElement, name: string, attributes = {}): XmlElement {
  const element = new XmlElement(name, attributes);
  to.childNodes.push(element);
  return element;
}

const altIn = (frame: XmlElement): string =>
  [...frame.elements('svg:title'), ...frame.elements('svg:desc')]
    .map(({ textContent }) => textContent.trim())
    .filter((text) => text !== '')
    .join(' ');
