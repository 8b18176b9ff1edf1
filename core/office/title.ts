import { stemOf } from '../objects/index.ts';

/** The engine's bound, in UTF-16 units as browsers count. */
const MOST = 128;

/** A filename as the engine takes a title: no longer than it may be, with its extension, and no pair cut in half. */
export function titleOf(filename: string): string {
  if (filename.length <= MOST) return filename;
  const { stem, extension } = stemOf(filename);
  const end = extension === '' ? '' : `.${extension}`;
  let kept = '';
  for (const point of stem) {
    if (kept.length + point.length + end.length > MOST) break;
    kept += point;
  }
  return kept + end;
}
