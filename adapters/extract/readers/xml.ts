import { SaxesParser } from 'saxes';
import { decodeText } from './decode.ts';
import { UnreadableFileError } from './reader-result.ts';

const DEEPEST = 500;
const MAX_XML_LENGTH = 64 * 1024 * 1024;
const MAX_NODES = 1_000_000;

export const OWN_ENTITIES = 'The file defines its own entities, which are not replaced.';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlEvents {
  /** Aborts parsing when the rest is not needed. */
  readonly done?: boolean;
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
}

/**
 * Parses well-formed XML as a stream. Names include their prefix, since all office programs use the same ones.
 * Entities defined by the file are never replaced.
 */
export async function walkXml(bytes: Uint8Array, events: XmlEvents): Promise<void> {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new UnreadableFileError(OWN_ENTITIES);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > DEEPEST)
      throw new UnreadableFileError('The parts of the document are nested too deeply.');
    events.open(name, attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    events.close(name);
  });
  parser.on('text', (text) => events.text(text));
  parser.on('cdata', (text) => events.text(text));
  parser.on('error', (error) => {
    throw error;
  });
  for (const piece of await piecesOf(bytes)) {
    parser.write(piece);
    if (events.done === true) return;
  }
  parser.close();
}

/** An element with its child elements and text. */
export class XmlElement {
  readonly nodeType = 1;
  readonly nodeName: string;
  readonly attributes: Attributes;
  readonly childNodes: XmlNode[] = [];
  constructor(nodeName: string, attributes: Attributes = {}) {
    this.nodeName = nodeName;
    this.attributes = attributes;
  }

  getAttribute(name: string): string | null {
    return Object.hasOwn(this.attributes, name) ? this.attributes[name]! : null;
  }

  get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join('');
  }

  /** Child elements, optionally of one name. */
  elements(name?: string): XmlElement[] {
    return this.childNodes.filter(
      (node): node is XmlElement =>
        node instanceof XmlElement && (name === undefined || node.nodeName === name),
    );
  }

  /** All descendant elements of a name, in document order. */
  *all(name: string): Generator<XmlElement> {
    for (const child of this.elements()) {
      if (child.nodeName === name) yield child;
      yield* child.all(name);
    }
  }

  first(name: string): XmlElement | undefined {
    for (const found of this.all(name)) return found;
    return undefined;
  }
}

export class XmlText {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  readonly childNodes: readonly never[] = [];
  readonly textContent: string;
  constructor(textContent: string) {
    this.textContent = textContent;
  }
}

export type XmlNode = XmlElement | XmlText;

/** A part of a document as a tree, below an unnamed root. */
export async function xmlTree(bytes: Uint8Array): Promise<XmlElement> {
  if (bytes.length > MAX_XML_LENGTH)
    throw new UnreadableFileError('A part of the document is too long.');
  const root = new XmlElement('');
  const open = [root];
  let nodes = 0;
  const add = (node: XmlNode): void => {
    if (++nodes > MAX_NODES) throw new UnreadableFileError('The document has too many elements.');
    open.at(-1)!.childNodes.push(node);
  };
  await walkXml(bytes, {
    open: (name, attributes) => {
      const element = new XmlElement(name, attributes);
      add(element);
      open.push(element);
    },
    close: () => open.pop(),
    text: (text) => add(new XmlText(text)),
  });
  return root;
}

const PIECE = 1024 * 1024;

/** A long part is decoded in chunks, since a single string would take twice its size again. */
async function piecesOf(bytes: Uint8Array): Promise<Iterable<string>> {
  if (bytes.length <= PIECE || !DECLARES_UTF8.test(headOf(bytes))) return [await decodeXml(bytes)];
  return utf8Pieces(bytes);
}

const DECLARES_UTF8 = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]+encoding\s*=\s*["']utf-8["']/i;

function* utf8Pieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < bytes.length; at += PIECE)
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
  yield decoder.decode();
}

const headOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, 200)).toString('latin1');

/** UTF-8 and UTF-16 are detected by their bytes; other encodings by the declaration (XML 1.0 §4.3.3). */
export function decodeXml(bytes: Uint8Array): Promise<string> {
  const declared = /^<\?xml[^>]+encoding\s*=\s*["']([\w.-]+)/.exec(headOf(bytes))?.[1] ?? '';
  return decodeText(bytes, declared);
}
