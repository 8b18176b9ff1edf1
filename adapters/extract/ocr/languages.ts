import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Tesseract data of one language: a file in its own format, gzipped in some packages. */
export interface LanguageData {
  /** Tesseract's code: `eng`, `rus`, `chi_sim`. */
  readonly code: string;
  readonly file: string;
}

const CODE = /^[a-z]{3}(?:_[a-z]{3,5}){0,2}$/;
const SUFFIXES = ['.traineddata', '.traineddata.gz'];
const SYSTEM = ['/usr/share/tessdata', '/usr/local/share/tessdata', '/opt/homebrew/share/tessdata'];
const VERSIONED = '/usr/share/tesseract-ocr';

/** The codes in a list such as `eng+rus` or `eng, rus`, without duplicates. */
export const languageCodes = (list: string): readonly string[] => [
  ...new Set(list.split(/[+,\s]+/).filter((code) => code !== '')),
];

/** The location of a language's data on this machine; undefined if it is not installed. Nothing is downloaded. */
export function findLanguage(code: string, prefix: string | undefined): LanguageData | undefined {
  if (!CODE.test(code)) return undefined;
  for (const folder of [...ofPrefix(prefix), ...ofPackage(code), ...ofSystem()])
    for (const suffix of SUFFIXES) {
      const file = join(folder, code + suffix);
      if (existsSync(file)) return { code, file };
    }
  return undefined;
}

/** TESSDATA_PREFIX is the folder of the data, or its parent as in older versions. */
const ofPrefix = (prefix: string | undefined): readonly string[] =>
  prefix === undefined || prefix === '' ? [] : [prefix, join(prefix, 'tessdata')];

/** A package has a folder for each kind of data; the smaller, newer kind is equally accurate and faster. */
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

/** The newest version installed by the system's package manager comes first. */
function ofSystem(): readonly string[] {
  const versions = existsSync(VERSIONED) ? readdirSync(VERSIONED) : [];
  const newest = versions.sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
  return [...newest.map((version) => join(VERSIONED, version, 'tessdata')), ...SYSTEM];
}
