import { isFilename, normalizeFilename } from '../objects/index.ts';
import { MAX_NAME_LENGTH } from '../library/index.ts';
import { InvalidInput } from '../shared/errors.ts';
import { isPlainName } from '../shared/plain-name.ts';
import { MAX_FOLDER_LEVELS } from './limits.ts';

const FIELD = 'relative_path';
const MAX_PATH_LENGTH = 4_096;
/** Device names, which some systems accept as no folder (Windows, with any extension). */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export interface RelativePath {
  /** The folders above the file, outermost first. */
  readonly folders: readonly string[];
  readonly filename: string;
}

/**
 * Parses the path of a file below the place where its folder was dropped, separated by `/`. Ends with `InvalidInput` for a
 * path that leads elsewhere, or that has a name which no folder may have.
 */
export function parseRelativePath(path: string): RelativePath {
  if (path.length > MAX_PATH_LENGTH) throw invalid(`It is longer than ${MAX_PATH_LENGTH}.`);
  if (path.startsWith('/')) throw invalid('It is absolute.');
  if (path.includes('\\')) throw invalid('It has a backslash. Folders are separated by a slash.');
  const segments = path.split('/').map(normalizeFilename);
  if (segments.length - 1 > MAX_FOLDER_LEVELS)
    throw invalid(`It has more than ${MAX_FOLDER_LEVELS} levels of folders.`);
  const filename = segments.at(-1) ?? '';
  const folders = segments.slice(0, -1);
  for (const name of folders) requireFolderName(name);
  if (!isFilename(filename)) throw invalid('Its last part is not a valid file name.');
  return { folders, filename };
}

function requireFolderName(name: string): void {
  if (!isFilename(name) || !isPlainName(name))
    throw invalid('One of its folders has no valid name.');
  if (RESERVED.test(name)) throw invalid(`The folder name ${name} is reserved.`);
  if ([...name].length > MAX_NAME_LENGTH)
    throw invalid(`One of its folders has a name longer than ${MAX_NAME_LENGTH}.`);
}

const invalid = (reason: string): InvalidInput => new InvalidInput('body', FIELD, reason);

const SEPARATOR = ' / ';

/**
 * The name of the folder for a path of folders: of the top folder itself, or of the levels below it. Folders have no levels
 * here. A long name is shortened in the middle, with a number that distinguishes it from others.
 */
export function folderNameOf(folders: readonly string[]): string {
  const [top = '', ...below] = folders;
  const name = below.length === 0 ? top : below.join(SEPARATOR);
  const points = [...name];
  if (points.length <= MAX_NAME_LENGTH) return name;
  const mark = `… ${checksumOf(name)} …`;
  const half = Math.floor((MAX_NAME_LENGTH - [...mark].length) / 2);
  return points.slice(0, half).join('') + mark + points.slice(-half).join('');
}

/** FNV-1a over UTF-16 units, as eight hex digits. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
