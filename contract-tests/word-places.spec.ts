import { findLanguage } from '../adapters/extract/ocr/languages.ts';
import { ChildProcessWordPlaces } from '../adapters/extract/word-places.ts';
import { wordPlacesContract } from './suites/word-places.ts';

const data = ['eng', 'rus'].flatMap(
  (code) => findLanguage(code, process.env['TESSDATA_PREFIX']) ?? [],
);

describe('child processes: WordPlaces', function () {
  this.timeout(120_000);
  wordPlacesContract(() => new ChildProcessWordPlaces(data));
});
