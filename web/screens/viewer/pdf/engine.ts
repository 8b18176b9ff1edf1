import type * as PdfJs from 'pdfjs-dist';
import { ROOT, SERVICE } from '../../../app/address.ts';
import { trustedWorker } from '../../../app/trusted-types.ts';
import { readContent } from '../content.ts';
import type { DocumentDetail } from '../kinds.ts';

export type PdfDocument = PdfJs.PDFDocumentProxy;
export type PdfPage = PdfJs.PDFPageProxy;
export type PdfViewport = ReturnType<PdfPage['getViewport']>;

/** A page that is larger is drawn smaller. */
const MAX_IMAGE_PIXELS = 64_000_000;
const RANGE_BYTES = 262_144;

let engine: Promise<typeof PdfJs> | undefined;
/** The engine opens no file in its worker while another one is being closed there. */
let closing: Promise<unknown> = Promise.resolve();

/** The engine, loaded with the first PDF. Its worker is one of the two that the policy of the app names. */
export function loadEngine(): Promise<typeof PdfJs> {
  engine ??= import('pdfjs-dist').then((pdf) => {
    pdf.GlobalWorkerOptions.workerPort = new Worker(trustedWorker(PDF_WORKER_PATH), {
      type: 'module',
    });
    return pdf;
  });
  return engine;
}

export interface OpenPdf {
  readonly pdf: PdfDocument;
  readonly engine: typeof PdfJs;
  readonly close: () => void;
}

/**
 * Opens a PDF. Scripts, forms and attachments in it are not executed: no part of the engine that does so is loaded. What is
 * hidden is read into memory with the unlock token; other files are read by ranges, as pages need them.
 */
export async function openPdf(document: DocumentDetail, signal: AbortSignal): Promise<OpenPdf> {
  const loaded = await loadEngine();
  await closing;
  signal.throwIfAborted();
  const address = `${SERVICE}/v1/objects/${document.id}/content?version=${document.version}`;
  const data = `${location.origin}${ROOT}${PDF_DATA_PATH}`;
  const task = loaded.getDocument({
    ...(document.is_hidden
      ? { data: new Uint8Array(await readContent(document, signal)) }
      : { url: `${location.origin}${address}`, rangeChunkSize: RANGE_BYTES }),
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    cMapUrl: `${data}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${data}standard_fonts/`,
    iccUrl: `${data}iccs/`,
    wasmUrl: `${data}wasm/`,
    verbosity: loaded.VerbosityLevel.ERRORS,
  });
  const close = () => {
    closing = Promise.allSettled([closing, task.destroy()]);
  };
  signal.addEventListener('abort', close, { once: true });
  return { pdf: await task.promise, engine: loaded, close };
}

export const isPasswordError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PasswordException';
