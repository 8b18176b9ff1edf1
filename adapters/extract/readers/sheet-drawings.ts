import { drawingText, labelsIn } from './drawing-text.ts';
import { relationsOf } from './ooxml-package.ts';
import { xmlTree, type XmlElement } from './xml.ts';
import type { Zip } from './zip.ts';

const BOOK = 'xl/workbook.xml';

/** Text boxes, diagrams and charts of the sheets of a workbook, by the name of the sheet. */
export async function sheetDrawingsOf(zip: Zip): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  // Most workbooks have none, and need no further parsing.
  if (!zip.has(BOOK) || !zip.names.some((name) => name.startsWith('xl/drawings/'))) return texts;
  const sheets = await relationsOf(zip, BOOK);
  for (const { attributes } of (await xmlTree(await zip.read(BOOK))).all('sheet')) {
    const part = sheets.get(attributes['r:id'] ?? '')?.target ?? '';
    const drawings = [...(await relationsOf(zip, part)).values()].filter(
      ({ type }) => type === 'drawing',
    );
    const parts: string[] = [];
    for (const { target } of drawings) if (zip.has(target)) parts.push(await textOf(zip, target));
    texts.set(attributes['name'] ?? '', parts.filter((text) => text !== '').join('\n\n'));
  }
  return texts;
}

async function textOf(zip: Zip, drawing: string): Promise<string> {
  const relations = await relationsOf(zip, drawing);
  const target = (id: string | null): string => relations.get(id ?? '')?.target ?? '';
  const parts: string[] = [];
  for (const found of objectsIn(await xmlTree(await zip.read(drawing)))) {
    if (found.nodeName === 'xdr:txBody') parts.push(drawingText(found));
    else {
      const name = target(found.getAttribute('r:dm') ?? found.getAttribute('r:id'));
      parts.push((await labelsIn(zip, [name])).join('\n'));
    }
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

const OBJECTS = new Set(['xdr:txBody', 'c:chart', 'dgm:relIds']);

/** In drawing order. The fallback of alternate content is for older programs. */
function* objectsIn(element: XmlElement): Generator<XmlElement> {
  for (const child of element.elements())
    if (OBJECTS.has(child.nodeName)) yield child;
    else if (child.nodeName !== 'mc:Fallback') yield* objectsIn(child);
}
