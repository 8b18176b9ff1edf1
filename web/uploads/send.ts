import { Upload, type HttpResponse } from 'tus-js-client';
import { SERVICE } from '../app/address.ts';
import type { UploadItem } from './items.ts';

/** Limits of proxies, and what a pause or a broken network can cost, are larger than this. */
const CHUNK_BYTES = 32 * 2 ** 20;
/** How long an answer to the creation of an upload is waited for after it was stopped. */
const CREATION_MS = 30_000;
const ENDPOINT = `${SERVICE || location.origin}/v1/uploads/resumable`;

export interface SendEvents {
  /** The service has created the upload: it can be resumed from now on. */
  readonly onBegun: (url: string, begunAt: number) => void;
  readonly onProgress: (sent: number) => void;
  readonly onEnd: (objectId: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the bytes that the service lacks. Returns what stops it. An upload that is being created is stopped once its address
 * is known: without it the upload cannot be resumed or deleted.
 */
export function send(item: UploadItem & { readonly file: File }, events: SendEvents): () => void {
  let begunAt = item.begunAt;
  let isCreating = item.url === undefined;
  let isStopped = false;
  const abort = () => void upload.abort();
  const upload = new Upload(item.file, {
    endpoint: ENDPOINT,
    ...(item.url !== undefined && { uploadUrl: item.url }),
    chunkSize: CHUNK_BYTES,
    // The queue repeats it: it knows of the other files and of the network.
    retryDelays: null,
    storeFingerprintForResuming: false,
    metadata: metadataOf(item),
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'POST') begunAt = dateOf(response);
    },
    onUploadUrlAvailable: () => {
      isCreating = false;
      if (isStopped) abort();
      if (upload.url !== null) events.onBegun(upload.url, begunAt ?? Date.now());
    },
    onProgress: events.onProgress,
    onError: events.onError,
    onSuccess: ({ lastResponse }) => events.onEnd(lastResponse.getHeader('object-id') ?? ''),
  });
  upload.start();
  return () => {
    isStopped = true;
    if (isCreating) setTimeout(abort, CREATION_MS);
    else abort();
  };
}

/** The clock of the device may be wrong; times of documents come from the service. */
const dateOf = (response: HttpResponse): number =>
  Date.parse(response.getHeader('date') ?? '') || Date.now();

const metadataOf = (item: UploadItem): Record<string, string> => ({
  filename: item.name,
  ...(item.type && { filetype: item.type }),
  ...(item.folder !== null && { collection_id: item.folder }),
  ...(item.relativePath !== undefined && { relative_path: item.relativePath }),
  on_duplicate: item.keepsDuplicate ? 'keep' : 'return',
});

/** Deletes what the service has of an unfinished upload. */
export const terminate = (url: string): Promise<void> =>
  Upload.terminate(url, { retryDelays: null as unknown as number[] });
