import type { BlobStore } from '../../ports/blobs.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Extraction, ExtractionRequest, TextExtractor } from '../../ports/text-extraction.ts';
import type { TextRecogniser } from '../../ports/text-recognition.ts';
import type { Breather, Entropy } from '../../ports/time-and-ids.ts';
import { indexText, type IndexedText } from '../search/index.ts';
import { newTask, offerAll, type TaskHandler, type TaskNudge } from '../tasks/index.ts';
import { beginReading, finishReading, giveUpReading, type ReadingDeps } from './reading.ts';

/** Recognising the text in pictures takes minutes; its tasks have a line of their own. */
export const RECOGNISE_TASK = 'object.recognise';

export interface ReadDeps extends ReadingDeps {
  readonly blobs: BlobStore;
  readonly extractor: TextExtractor;
  readonly recogniser: TextRecogniser;
  readonly breather: Breather;
  readonly entropy: Entropy;
  readonly jobs: JobQueue;
}

/** Reads the text out of an object's current content and makes it findable. What is left is to be recognised. */
export const readObject = (deps: ReadDeps): TaskHandler => ({
  run: async (scope, task) => {
    const object = await beginReading(deps, scope, task);
    if (!object) return;
    const extraction = await deps.extractor.extract(requestFor(deps, object));
    const indexed = await indexOf(deps, extraction);
    const nudges: TaskNudge[] = [];
    await finishReading(deps, scope, task, extraction, indexed, async (read, { tasks }) => {
      if (!isLeft(deps, extraction)) return read;
      const next = newTask(deps, RECOGNISE_TASK, object.id, task.payload);
      await tasks.save(next);
      nudges.push({ kind: next.kind, taskId: next.id });
      const textState = read.textState === 'available' ? 'available' : 'awaited';
      return { ...read, status: 'processing', error: null, needsManual: false, textState };
    });
    await offerAll(deps.jobs, nudges);
  },
  giveUp: (scope, task, reason) => giveUpReading(deps, scope, task, reason),
});

/** Recognises what reading has left over. Until then the object is findable by what it says of itself. */
export const recogniseObject = (deps: ReadDeps): TaskHandler => ({
  run: async (scope, task) => {
    const object = await beginReading(deps, scope, task);
    if (!object) return;
    const extraction = await deps.recogniser.recognise(requestFor(deps, object));
    await finishReading(deps, scope, task, extraction, await indexOf(deps, extraction));
  },
  giveUp: (scope, task, reason) => giveUpReading(deps, scope, task, reason),
});

const isLeft = ({ recogniser }: ReadDeps, extraction: Extraction): boolean =>
  extraction.outcome !== 'failed' && extraction.scanned === true && recogniser.languages.length > 0;

const requestFor = ({ blobs }: ReadDeps, object: StoredObject): ExtractionRequest => ({
  filename: object.filename,
  type: { kind: object.kind, mime: object.mime, format: object.format },
  size: object.size,
  open: () => blobs.read(object.blobId),
});

async function indexOf(
  { breather }: ReadDeps,
  extraction: Extraction,
): Promise<IndexedText | undefined> {
  return extraction.outcome === 'text'
    ? indexText(breather, extraction.text, extraction.language)
    : undefined;
}
