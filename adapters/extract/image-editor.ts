import {
  MAX_IMAGE_PIXELS,
  type EditResult,
  type ImageEditor,
  type ImageOperation,
  type ImageSource,
  type ImageInspection,
} from '../../ports/image-editor.ts';
import type { PictureSentence } from '../../ports/reasons.ts';
import type { EditingJob, EditingResult } from './pictures/editing-protocol.ts';
import type { HeaderError, ImageHeader } from './pictures/image-header-types.ts';
import { readImageHeader } from './pictures/image-header.ts';
import { EditingProcess } from './pictures/processes.ts';
import type { ExitReason } from './process/sandboxed-process.ts';
import { NOT_CONFINED, type SystemConfinement } from './process/namespaces.ts';
import { ProcessPool } from './process/process-pool.ts';
import { PAIRS_OF_FILES } from './process/child-messages.ts';

export interface ImageEditorOptions {
  /** Images edited at once. Default 1. */
  readonly concurrency?: number;
  /** For one image, not counting the time its bytes take to arrive. Default 60 000. */
  readonly timeLimitMs?: number;
  /** For all bytes of one file to arrive. Default 60 000. */
  readonly transferLimitMs?: number;
  /** Resident memory of one process as reported by /proc. Default 1 536. */
  readonly memoryLimitMiB?: number;
  /** After which an idle process ends. Default 20 000. */
  readonly idleMs?: number;
  /** Maximum number of waiting images. Default 32. */
  readonly maxWaiting?: number;
  /** Maximum size of a file. Default 200 MiB. */
  readonly maxFileBytes?: number;
  /** How the system confines each process beyond Node's permission model. Default not at all. */
  readonly confinement?: SystemConfinement;
}

const DEFAULTS: Required<ImageEditorOptions> = {
  concurrency: 1,
  timeLimitMs: 60_000,
  transferLimitMs: 60_000,
  memoryLimitMiB: 1_536,
  idleMs: 20_000,
  maxWaiting: 32,
  maxFileBytes: 200 * 1024 * 1024,
  confinement: NOT_CONFINED,
};

/** A hundred megapixels of sixteen bits in four channels, nearly uncompressed. */
const MAX_REPLY_BYTES = 900_000_000;

const CLOSING = 'The service is closing.';

/** Default quality: that of the source, estimated from its quantization tables and clamped to these limits. */
const MIN_JPEG_QUALITY = 75;
const MAX_JPEG_QUALITY = 95;
const DEFAULT_JPEG_QUALITY = 90;

/**
 * Edits in child processes that only decode and encode, are reused for several images, and are killed when they
 * exceed a limit.
 */
export class ChildProcessImageEditor implements ImageEditor {
  readonly #options: Required<ImageEditorOptions>;
  readonly #pool: ProcessPool<EditingProcess>;

  constructor(options: ImageEditorOptions = {}) {
    const all = { ...DEFAULTS, ...options };
    this.#options = all;
    const { concurrency, maxWaiting } = all;
    this.#pool = new ProcessPool(
      {
        ...all,
        // Includes jobs whose bytes were already sent to a process.
        concurrency: concurrency * PAIRS_OF_FILES,
        share: PAIRS_OF_FILES,
        maxWaiting: Math.max(0, maxWaiting - concurrency * (PAIRS_OF_FILES - 1)),
        port: 'images',
        tooMany: 'Too many images are waiting to be edited.',
        closing: CLOSING,
      },
      () => this.#started(),
    );
  }

  #started(): EditingProcess {
    try {
      return new EditingProcess({ ...this.#options, maxReplyBytes: MAX_REPLY_BYTES });
    } catch (error) {
      const cause = error instanceof Error ? error : undefined;
      throw this.#pool.failure('No temporary file could be created for editing images.', cause);
    }
  }

  async inspect(source: ImageSource): Promise<ImageInspection> {
    if (this.#pool.closed) throw this.#pool.failure(CLOSING);
    const head = await this.#validated(source);
    return typeof head === 'string'
      ? { outcome: 'refused', reason: head }
      : { outcome: 'editable' };
  }

  edit(source: ImageSource, operation: ImageOperation): Promise<EditResult> {
    return this.#pool.inTurn(async () => {
      const head = await this.#validated(source);
      if (typeof head === 'string') return failed(head);
      const job = jobFor(source, head, operation);
      return this.#pool.lend(async (process) => {
        const ending = await process.run(job, source.open());
        if (typeof ending === 'string') return this.#obituary(ending, process);
        const { result, payload } = ending;
        if (result.outcome === 'edited' && payload) return { outcome: 'edited', bytes: payload };
        if (result.outcome === 'larger') return { outcome: 'unchanged', reason: NOT_SMALLER };
        return failed(REASONS[result.outcome]);
      });
    });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** The header of a file, or why it is not edited. */
  async #validated(source: ImageSource): Promise<ImageHeader | PictureSentence> {
    const { format, size } = source;
    const { maxFileBytes } = this.#options;
    if (size > maxFileBytes)
      return `The file is larger than the limit of ${Math.round(maxFileBytes / 1024 / 1024)} MB.`;
    const head = await readImageHeader(source.open());
    if (typeof head === 'string') return NO_HEAD[head];
    if (head.format !== format) return REASONS.other;
    const { width, height, frames } = head;
    return width * height * frames > MAX_IMAGE_PIXELS ? REASONS['too-large'] : head;
  }

  /** What the exit of a process says about the file it was editing, if anything. */
  #obituary(death: ExitReason, { complaint }: EditingProcess): EditResult {
    const cause = complaint === '' ? undefined : new Error(complaint);
    if (death === 'retired') throw this.#pool.failure(CLOSING);
    if (death === 'start')
      throw this.#pool.failure('The process that edits images could not be started.', cause);
    if (death === 'transfer')
      throw this.#pool.failure(
        'The bytes of the file did not arrive in time, or could not be stored.',
      );
    const { timeLimitMs } = this.#options;
    if (death === 'time')
      return failed(`Editing the image took longer than ${timeLimitMs / 1000} seconds.`);
    if (death === 'memory') return failed('Editing the image took more memory than allowed.');
    return failed(DAMAGED);
  }
}

function jobFor({ size, format }: ImageSource, head: ImageHeader, operation: ImageOperation) {
  const asked = 'quality' in operation ? operation.quality : null;
  const own = head.quality ?? DEFAULT_JPEG_QUALITY;
  const job: EditingJob = {
    size,
    format,
    frames: head.frames,
    operation,
    quality: asked ?? Math.min(MAX_JPEG_QUALITY, Math.max(MIN_JPEG_QUALITY, own)),
    // A requested quality implies lossy encoding.
    lossless: head.lossless && asked === null,
  };
  return job;
}

const failed = (reason: PictureSentence): EditResult => ({ outcome: 'failed', reason });

const DAMAGED: PictureSentence = 'The image is damaged.';
const NOT_SMALLER: PictureSentence =
  'At this quality the image would not become smaller. It is unchanged.';
const REASONS: Readonly<Record<EditingResult['outcome'], PictureSentence>> = {
  edited: DAMAGED,
  larger: NOT_SMALLER,
  broken: DAMAGED,
  other: 'The file is not an image of its declared type.',
  'too-large': 'The image has more than 100 megapixels, which is the limit.',
};
const NO_HEAD: Readonly<Record<HeaderError, PictureSentence>> = {
  unknown: REASONS.other,
  animated: 'An animated png cannot be edited without losing its frames.',
  broken: DAMAGED,
};
