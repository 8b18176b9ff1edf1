import { foldName } from '../../ports/library.ts';
import { utf8Length } from '../shared/byte-length.ts';

/** Maximum length of a path segment in UTF-8 bytes, leaving room for a number; file systems allow 255. */
const MAX_NAME_BYTES = 200;
/** Device names reserved by Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const UNSAFE = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g;
/** The extension, which stays at the end when a number is added or the name is shortened. */
const MAX_EXTENSION_LENGTH = 24;

/**
 * Assigns every file of an archive a unique path that any desktop can extract: readable, without reserved characters
 * or names, and unique ignoring case. Duplicates get a number.
 */
export class ArchivePaths {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #folderOf = new Map<string, string>();
  /** The next number for a duplicate of a name. */
  readonly #next = new Map<string, number>();

  /** The path of a folder; the same key and parent give the same path. */
  folder(parent: string, key: string, name: string): string {
    const complete = `${parent}\n${key}`;
    let place = this.#folderOf.get(complete);
    if (place === undefined) {
      place = this.#free(parent, segment(name), '');
      this.#folderOf.set(complete, place);
      this.#folders.add(folded(place));
    }
    return place;
  }

  file(parent: string, name: string): string {
    const safe = segment(name);
    const extension = extensionOf(safe);
    const place = this.#free(parent, safe.slice(0, safe.length - extension.length), extension);
    this.#files.add(folded(place));
    return place;
  }

  #free(parent: string, stem: string, extension: string): string {
    const name = folded(`${parent}/${stem}${extension}`);
    for (let n = this.#next.get(name) ?? 1; ; n++) {
      const place = `${parent}/${stem}${n === 1 ? '' : ` (${n})`}${extension}`;
      const taken = folded(place);
      if (this.#files.has(taken) || this.#folders.has(taken)) continue;
      if (n > 1) this.#next.set(name, n + 1);
      return place;
    }
  }
}

const folded = (path: string): string => foldName(path);

/** A name as one path segment. */
function segment(name: string): string {
  const plain = name
    .replaceAll(UNSAFE, '_')
    .trim()
    .replace(/[. ]+$/, '');
  const spared = plain.replace(RESERVED, '$1_');
  const extension = extensionOf(spared);
  const stem = spared.slice(0, spared.length - extension.length);
  const short = cut(stem, MAX_NAME_BYTES - utf8Length(extension)).trimEnd();
  return short === '' && extension === '' ? '_' : short + extension;
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? name.slice(dot) : '';
}

function cut(text: string, bytes: number): string {
  let stored = '';
  let used = 0;
  for (const point of text) {
    used += utf8Length(point);
    if (used > bytes) break;
    stored += point;
  }
  return stored;
}
