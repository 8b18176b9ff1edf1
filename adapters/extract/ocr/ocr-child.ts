import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { TessBaseApi, Tesseract } from 'tesseract.js-core/tesseract-core-simd-lstm.js';
import { disableNetwork } from '../process/disable-network.ts';
import { runChildLoop } from '../process/child-loop.ts';
import type { LanguageData } from './languages.ts';
import type { OcrJob, OcrResult } from './ocr-protocol.ts';
import { pageTextOf, pageWordsOf } from './page-text.ts';

disableNetwork();

/** LSTM engine, with automatic page segmentation. */
const LSTM_ONLY = 1;
const AUTOMATIC = '3';
/** Difference between the darkest and the lightest pixel of a blank page. */
const FAINTEST = 40;

let tesseract: Tesseract;
let engine: TessBaseApi | undefined;

function engineFor(languages: readonly LanguageData[]): TessBaseApi {
  for (const { code, file } of languages) {
    const bytes = readFileSync(file);
    const data = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    tesseract.FS.writeFile(`${code}.traineddata`, data);
  }
  const created = new tesseract.TessBaseAPI();
  if (created.Init(null, languages.map(({ code }) => code).join('+'), LSTM_ONLY) !== 0)
    throw new Error('The data of a language cannot be used.');
  created.SetVariable('tessedit_pageseg_mode', AUTOMATIC);
  return created;
}

function recognise({ width, height, languages, want }: OcrJob, pixels: Uint8Array): string {
  if (isBlank(pixels)) return '';
  engine ??= engineFor(languages);
  // A portable graymap, which tesseract reads without an image decoder.
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  tesseract.FS.writeFile('/input', Buffer.concat([header, pixels]));
  if (engine.SetImageFile(1, 0) !== 0) throw new Error('The page was rejected.');
  engine.Recognize(null);
  const table = engine.GetTSVText(0);
  engine.Clear();
  return want === 'words' ? JSON.stringify(pageWordsOf(table, width, height)) : pageTextOf(table);
}

function isBlank(pixels: Uint8Array): boolean {
  let [darkest, lightest] = [255, 0];
  for (const pixel of pixels) {
    if (pixel < darkest) darkest = pixel;
    if (pixel > lightest) lightest = pixel;
    if (lightest - darkest > FAINTEST) return false;
  }
  return true;
}

await runChildLoop<OcrJob>(async () => {
  const { default: load } = await import('tesseract.js-core/tesseract-core-simd-lstm.js');
  tesseract = await load({});
  return async (job, bytes) => {
    const result: OcrResult = { outcome: 'page' };
    const text = recognise(job, bytes);
    return text === '' ? { result } : { result, payload: Buffer.from(text) };
  };
});
