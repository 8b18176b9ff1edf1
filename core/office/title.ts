import { stemOf } from '../objects/index.ts';

/** The document server's limit, in UTF-16 units as in browsers. */
const MOST = 128;

/** A filename as a document title: shortened before its extension, without splitting a surrogate pair. */
export function titleOf(filename: string): string {
  if (filename.length <= MOST) return filename;
  const { stem, extension } = stemOf(filename);
  const end = extension === '' ? '' : `.${extension}`;
  let stored = '';
  for (const point of stem) {
    if (stored.length + point.length + end.length > MOST) break;
    stored += point;
  }
  return stored + end;
}
