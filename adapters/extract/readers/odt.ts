import { normalizeText } from './text-normalization.ts';
import { openDocument, partOf } from './odf.ts';
import { htmlOf, listStylesIn, type ListStyles } from './odf-text.ts';
import { UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';
import { XmlElement } from './xml.ts';

interface Parts {
  readonly title: string;
  readonly content: XmlElement;
  readonly styles: XmlElement | undefined;
  readonly lists: ListStyles;
}

/**
 * OpenDocument texts: paragraphs, lists, tables and notes in reading order, then headers and footers, as one page.
 */
export async function readOdt(bytes: Uint8Array): Promise<ReaderResult> {
  const { title, content, styles, lists } = await partsOf(bytes);
  const body = content.first('office:text');
  if (body === undefined)
    throw new UnreadableFileError('The file does not contain a text document.');
  const html = htmlOf(body, lists);
  const text = [renderText(html), ...marginsIn(styles, lists)].join('\n\n');
  return {
    source: 'extracted',
    title: title || (html.first('H1')?.textContent ?? ''),
    pages: [{ text: normalizeText(text), continues: false }],
    prose: true,
  };
}

/** OpenDocument presentations and drawings: one page per slide, its title first and the speaker's notes last. */
export async function readOdp(bytes: Uint8Array): Promise<ReaderResult> {
  const { title, content, lists } = await partsOf(bytes);
  const slides = [...content.all('draw:page')];
  const pages = slides.map((slide) => slidePage(slide, lists));
  const firstTitle = slides.map((slide) => partsBy(slide, 'title')[0]).find(Boolean);
  return {
    source: 'extracted',
    title: title || (firstTitle?.textContent.trim() ?? ''),
    pages,
    prose: true,
  };
}

async function partsOf(bytes: Uint8Array): Promise<Parts> {
  const { zip, title } = await openDocument(bytes);
  const content = await partOf(zip, 'content.xml');
  if (content === undefined)
    throw new UnreadableFileError('One of the parts is missing in the file.');
  const styles = await partOf(zip, 'styles.xml');
  return { title, content, styles, lists: listStylesIn(styles, content) };
}

const HEADING = new Set(['title', 'subtitle']);

function slidePage(slide: XmlElement, lists: ListStyles): Page {
  const text = (element: XmlElement): string => renderText(htmlOf(wrapped(element), lists));
  const heading = (element: XmlElement): boolean =>
    HEADING.has(element.getAttribute('presentation:class') ?? '');
  const shapes = slide.elements();
  const notes = slide.elements('presentation:notes').flatMap((n) => partsBy(n, 'notes'));
  const parts = [
    ...shapes.filter(heading),
    ...shapes.filter((shape) => !heading(shape)),
    ...notes,
  ].map(text);
  return { text: normalizeText(parts.filter(Boolean).join('\n\n')), continues: false };
}

const partsBy = (parent: XmlElement, kind: string): XmlElement[] =>
  parent.elements().filter((e) => e.getAttribute('presentation:class') === kind);

/** Wrapped in a parent, since the given node itself is not rendered. */
function wrapped(element: XmlElement): XmlElement {
  const holder = new XmlElement('');
  holder.childNodes.push(element);
  return holder;
}

const MARGINS = ['style:header', 'style:footer'];

/** Headers and footers, once each. */
function marginsIn(styles: XmlElement | undefined, lists: ListStyles): readonly string[] {
  const found = new Set<string>();
  for (const name of MARGINS)
    for (const margin of styles?.all(name) ?? []) found.add(renderText(htmlOf(margin, lists)));
  found.delete('');
  return [...found];
}
