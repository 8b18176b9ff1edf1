import { XmlElement, XmlText, xmlTree } from './xml.ts';
import { renderText } from './render.ts';
import type { Zip } from './zip.ts';

const AS_HTML = new Map([
  // One line each: the items of a slide are no paragraphs.
  ['a:p', 'DD'],
  ['a:br', 'BR'],
  ['a:tbl', 'TABLE'],
  ['a:tr', 'TR'],
  ['a:tc', 'TD'],
]);

const isRaised = (run: XmlElement): boolean =>
  run.nodeName === 'a:r' && Number(run.elements('a:rPr')[0]?.getAttribute('baseline') ?? 0) > 0;

/** DrawingML (ECMA-376 part 1 §21.1) as a tree for rendering. */
export function convertDrawing(from: XmlElement, to: XmlElement): void {
  const { nodeName: name } = from;
  if (name === 'a:tc' && (from.getAttribute('hMerge') ?? from.getAttribute('vMerge')) !== null)
    return;
  if (name === 'a:fld' && /^(?:slidenum|datetime)/.test(from.getAttribute('type') ?? '')) return;
  if (name === 'a:t') to.childNodes.push(new XmlText(from.textContent));
  else if (name === 'a:tab') to.childNodes.push(new XmlText(' '));
  else {
    const html = isRaised(from) ? 'SUP' : AS_HTML.get(name);
    const target = html === undefined ? to : new XmlElement(html);
    for (const child of from.elements()) convertDrawing(child, target);
    if (html !== undefined) to.childNodes.push(target);
  }
}

export function drawingText(element: XmlElement): string {
  const root = new XmlElement('DIV');
  convertDrawing(element, root);
  return renderText(root);
}

/** The labels of diagrams and charts, which are separate parts, once each. */
export async function labelsIn(zip: Zip, names: Iterable<string>): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of names) {
    if (!zip.has(name)) continue;
    const tree = await xmlTree(await zip.read(name));
    for (const paragraph of tree.all('a:p')) found.add(drawingText(paragraph));
    for (const cached of tree.all('c:strCache'))
      for (const label of cached.all('c:v')) found.add(label.textContent.trim());
  }
  found.delete('');
  return [...found];
}
