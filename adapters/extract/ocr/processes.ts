import { fileURLToPath } from 'node:url';
import { SandboxedProcess, type ProcessLimits } from '../process/sandboxed-process.ts';
import type { LanguageData } from './languages.ts';
import { parseOcr, type OcrJob, type OcrResult } from './ocr-protocol.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** OCR, in WebAssembly. */
export class OcrProcess extends SandboxedProcess<OcrJob, OcrResult> {
  constructor(languages: readonly LanguageData[], limits: ProcessLimits) {
    super(
      {
        entry: here(import.meta.url.endsWith('.ts') ? './ocr-child.ts' : './ocr-child.js'),
        code: [here('..')],
        packages: ['tesseract.js-core'],
        files: languages.map(({ file }) => file),
        parse: parseOcr,
      },
      limits,
    );
  }
}
