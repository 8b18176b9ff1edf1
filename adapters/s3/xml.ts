import { SaxesParser } from 'saxes';
import { S3Failure } from './failures.ts';

/** An answer of S3: a root, texts in it, and records of texts in it. Nothing that S3 says lies deeper. */
export interface S3Document {
  readonly root: string;
  readonly texts: Readonly<Record<string, string>>;
  records(name: string): readonly Readonly<Record<string, string>>[];
}

/** Throws S3Failure for what is no XML, as the page of a proxy. */
export function readDocument(text: string): S3Document {
  const parser = new SaxesParser({ xmlns: false });
  const open: string[] = [];
  const texts = new Map<string, string>();
  const records: { readonly name: string; readonly texts: Map<string, string> }[] = [];
  let root = '';
  let said = '';
  let isRecord = false;
  parser.on('error', () => {
    // The parser's message quotes the text.
    throw new S3Failure('garbled', 'not XML');
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    if (open.length === 1) root = name;
    if (open.length === 3 && !isRecord) {
      isRecord = true;
      records.push({ name: open[1] ?? '', texts: new Map() });
    }
    said = '';
  });
  parser.on('text', (more) => (said += more));
  parser.on('cdata', (more) => (said += more));
  parser.on('closetag', ({ name }) => {
    if (open.length === 3) records.at(-1)!.texts.set(name, said);
    if (open.length === 2) {
      if (!isRecord) texts.set(name, said);
      isRecord = false;
    }
    open.pop();
    said = '';
  });
  parser.write(text).close();
  return {
    root,
    texts: Object.fromEntries(texts),
    records: (name) =>
      records.filter((it) => it.name === name).map((it) => Object.fromEntries(it.texts)),
  };
}
