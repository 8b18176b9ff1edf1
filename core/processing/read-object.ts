import type { StoredObject } from '../../ports/objects.ts';
import type { Extraction, ExtractionRequest } from '../../ports/text-extraction.ts';
import type { OcrEngine } from '../../ports/ocr.ts';
import type { OwnerBlobs } from '../../ports/blobs.ts';
import { isLastAttempt, newTask, type TaskHandler } from '../tasks/index.ts';
import { OCR_TASK } from '../objects/index.ts';
import { expectedOf } from '../shared/expected-content.ts';
import { readLink, type LinkContent, type ReadLinkDeps } from './read-link.ts';
import { beginRead, completeRead, failRead, type ReadTaskDeps } from './reading.ts';

export interface ReadDeps extends ReadTaskDeps, ReadLinkDeps {
  readonly blobs: OwnerBlobs;
  readonly ocr: OcrEngine;
}

/**
 * Extracts and indexes the text of an object's current content, or of a link's page. OCR is left to a separate task.
 */
export const readObject = (deps: ReadDeps): TaskHandler => ({
  run: async (scope, task) => {
    const object = await beginRead(deps, scope, task);
    if (!object) return;
    const reading: LinkContent =
      object.kind === 'link'
        ? await readLink(deps, scope, object, isLastAttempt(task))
        : { extraction: await deps.extractor.extract(requestFor(deps, object)) };
    await completeRead(deps, scope, task, object, reading, async (read, { tasks }, naming) => {
      if (!isLeft(deps, object, reading.extraction)) return { object: read, nudges: [] };
      const next = newTask(deps, OCR_TASK, object.id, { ...task.payload, ...naming });
      await tasks.save(next);
      const textState = read.textState === 'available' ? 'available' : 'pending';
      return {
        object: { ...read, status: 'processing', error: null, needsManual: false, textState },
        nudges: [{ kind: next.kind, taskId: next.id }],
      };
    });
  },
  abandon: (scope, task, reason) => failRead(deps, scope, task, reason),
});

/** Runs OCR on what extraction could not read. Until then the object is searchable by its other text. */
export const ocrObject = (deps: ReadDeps): TaskHandler => ({
  run: async (scope, task) => {
    const object = await beginRead(deps, scope, task);
    if (!object) return;
    const extraction = await deps.ocr.recognise(requestFor(deps, object));
    await completeRead(deps, scope, task, object, { extraction });
  },
  abandon: (scope, task, reason) => failRead(deps, scope, task, reason),
});

const isLeft = ({ ocr }: ReadDeps, { kind }: StoredObject, extraction: Extraction): boolean =>
  kind !== 'link' &&
  extraction.outcome !== 'failed' &&
  extraction.scanned === true &&
  ocr.languages.length > 0;

const requestFor = ({ blobs }: ReadDeps, object: StoredObject): ExtractionRequest => ({
  filename: object.filename,
  type: { kind: object.kind, mime: object.mime, format: object.format },
  size: object.size,
  open: () => blobs.read(object.blobId, undefined, expectedOf(object)),
});
