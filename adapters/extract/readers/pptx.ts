import { MAX_PAGES } from '../process/protocol.ts';
import { convertDrawing, labelsIn } from './drawing-text.ts';
import { normalizeText } from './text-normalization.ts';
import { openPackage, packageTitle, relationsOf } from './ooxml-package.ts';
import { UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';
import { XmlElement, xmlTree } from './xml.ts';
import type { Zip } from './zip.ts';

const MAIN = 'ppt/presentation.xml';

/**
 * PowerPoint presentations: one page per slide, its title first, then its shapes in reading order, then the speaker's
 * notes.
 */
export async function readPptx(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  const zip = await openPackage(bytes);
  const names = await slidesOf(zip);
  if (names.length > MAX_PAGES) throw new UnreadableFileError('The file has too many slides.');
  const pages: Page[] = [];
  let heading = '';
  let length = 0;
  for (const name of names) {
    const { title, text } = length > longest ? NOTHING : await slideOf(zip, name);
    pages.push({ text: normalizeText(text), continues: false });
    length += text.length;
    heading ||= title;
  }
  return { source: 'extracted', title: (await packageTitle(zip)) || heading, pages, prose: true };
}

const NOTHING = { title: '', text: '' };

/** In presentation order (ECMA-376 part 1 §19.2.1.34). */
async function slidesOf(zip: Zip): Promise<readonly string[]> {
  const relations = await relationsOf(zip, MAIN);
  const tree = await xmlTree(await zip.read(MAIN));
  return [...tree.all('p:sldId')].flatMap(({ attributes }) => {
    const relation = relations.get(attributes['r:id'] ?? '');
    return relation?.type === 'slide' && zip.has(relation.target) ? [relation.target] : [];
  });
}

async function slideOf(zip: Zip, name: string): Promise<{ title: string; text: string }> {
  const relations = await relationsOf(zip, name);
  const linked = (id: string | null): string => relations.get(id ?? '')?.target ?? '';
  const shapes = shapesIn((await xmlTree(await zip.read(name))).first('p:spTree'));
  const [titles, others] = split(shapes, (shape) => TITLES.has(placeholder(shape)));
  const parts = titles.map(textOf);
  for (const shape of others) parts.push(textOf(shape), ...(await partsIn(zip, shape, linked)));
  const notes = [...relations.values()].find(({ type }) => type === 'notesSlide')?.target ?? '';
  if (zip.has(notes)) {
    const spoken = shapesIn((await xmlTree(await zip.read(notes))).first('p:spTree'));
    parts.push(...spoken.filter((shape) => placeholder(shape) === 'body').map(textOf));
  }
  const text = parts.filter((part) => part !== '').join('\n\n');
  return { title: titles[0] ? textOf(titles[0]) : '', text };
}

const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders that are the same on every slide. */
const MARGINS = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);

/** Shapes of a slide, including those in groups. */
function shapesIn(tree: XmlElement | undefined): XmlElement[] {
  return (tree?.elements() ?? []).flatMap((shape) => {
    if (shape.nodeName === 'p:grpSp') return shapesIn(shape);
    // The fallback of alternate content is for older programs.
    if (shape.nodeName === 'mc:AlternateContent') return shapesIn(shape.elements('mc:Choice')[0]);
    return SHAPES.has(shape.nodeName) && !MARGINS.has(placeholder(shape)) ? [shape] : [];
  });
}

const SHAPES = new Set(['p:sp', 'p:graphicFrame', 'p:pic', 'p:cxnSp']);

/** The placeholder type of a shape in its slide layout, '' if it is none. */
const placeholder = (shape: XmlElement): string => {
  const found = shape.first('p:ph');
  return found === undefined ? '' : (found.getAttribute('type') ?? 'obj');
};

function textOf(shape: XmlElement): string {
  const root = new XmlElement('DIV');
  if (shape.nodeName === 'p:pic') {
    const alt = shape.first('p:cNvPr')?.getAttribute('descr') ?? '';
    root.childNodes.push(new XmlElement('IMG', { alt }));
  }
  for (const body of shape.elements('p:txBody')) convertDrawing(body, root);
  for (const table of shape.all('a:tbl')) convertDrawing(table, root);
  return renderText(root);
}

/** Texts of diagrams and charts, which are separate parts. */
async function partsIn(
  zip: Zip,
  shape: XmlElement,
  linked: (id: string | null) => string,
): Promise<readonly string[]> {
  const diagram = linked(shape.first('dgm:relIds')?.getAttribute('r:dm') ?? null);
  const chart = linked(shape.first('c:chart')?.getAttribute('r:id') ?? null);
  const labels = await labelsIn(zip, [diagram, chart]);
  return labels.length === 0 ? [] : [labels.join('\n')];
}

function split<T>(all: readonly T[], chosen: (one: T) => boolean): [T[], T[]] {
  return [all.filter(chosen), all.filter((one) => !chosen(one))];
}
