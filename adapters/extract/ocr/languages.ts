import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What tesseract knows of one language: a file of its own format, gzipped where a package ships it so. */
export interface LanguageData {
  /** As tesseract calls it: `eng`, `rus`, `chi_sim`. */
  readonly code: string;
  readonly file: string;
}

const CODE = /^[a-z]{3}(?:_[a-z]{3,5}){0,2}$/;
const SUFFIXES = ['.traineddata', '.traineddata.gz'];
const SYSTEM = ['/usr/share/tessdata', '/usr/local/share/tessdata', '/opt/homebrew/share/tessdata'];
const VERSIONED = '/usr/share/tesseract-ocr';

/** The codes in a list such as `eng+rus` or `eng, rus`, each once. */
export const languageCodes = (list: string): readonly string[] => [
  ...new Set(list.split(/[+,\s]+/).filter((code) => code !== '')),
];

/** Where the data of a language lies on this machine; undefined when it is not there. Nothing is ever fetched. */
export function findLanguage(code: string, prefix: string | undefined): LanguageData | undefined {
  if (!CODE.test(code)) return undefined;
  for (const folder of [...ofPrefix(prefix), ...ofPackage(code), ...ofSystem()])
    for (const suffix of SUFFIXES) {
      const file = join(folder, code + suffix);
      if (existsSync(file)) return { code, file };
    }
  return undefined;
}

/** TESSDATA_PREFIX names the folder of the data, or the one above it as in older versions. */
const ofPrefix = (prefix: string | undefined): readonly string[] =>
  prefix === undefined || prefix === '' ? [] : [prefix, join(prefix, 'tessdata')];

/** A package has a folder for each kind of data; the smaller, newer kind reads as well and is quicker. */
function ofPackage(code: string): readonly string[] {
  try {
    const manifest = import.meta.resolve(`@tesseract.js-data/${code}/package.json`);
    const folder = dirname(fileURLToPath(manifest));
    return ['4.0.0_best_int', '4.0.0'].map((version) => join(folder, version));
  } catch {
    // Not installed.
    return [];
  }
}

/** The newest version that the system's package manager has put there comes first. */
function ofSystem(): readonly string[] {
  const versions = existsSync(VERSIONED) ? readdirSync(VERSIONED) : [];
  const newest = versions.sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
  return [...newest.map((version) => join(VERSIONED, version, 'tessdata')), ...SYSTEM];
}
