import type { ContentType } from '../../ports/text-extraction.ts';
import type { RenderResult, Thumbnailer, ThumbnailRequest } from '../../ports/thumbnails.ts';
import { PictureProcess, RasterProcess } from './pictures/processes.ts';
import type { Bitmap, PictureResult } from './pictures/picture-protocol.ts';
import type { SandboxedProcess, ExitReason, JobResult } from './process/sandboxed-process.ts';
import { NOT_CONFINED, type SystemConfinement } from './process/namespaces.ts';
import { ProcessPool } from './process/process-pool.ts';

export interface ThumbnailerOptions {
  /** Files rendered at once. Default 2. */
  readonly concurrency?: number;
  /** For one file, not counting the time its bytes take to arrive. Default 15 000. */
  readonly timeLimitMs?: number;
  /** For all bytes of one file to arrive. Default 60 000. */
  readonly transferLimitMs?: number;
  /** Resident memory of one process as reported by /proc. Default 1 024. */
  readonly memoryLimitMiB?: number;
  /** After which an idle process ends. Default 20 000. */
  readonly idleMs?: number;
  /** Maximum number of waiting files. Default 32. */
  readonly maxWaiting?: number;
  /** Maximum size of a file. Default 200 MiB. */
  readonly maxFileBytes?: number;
  /** How the system confines each process beyond Node's permission model. Default not at all. */
  readonly confinement?: SystemConfinement;
}

const DEFAULTS: Required<ThumbnailerOptions> = {
  concurrency: 2,
  timeLimitMs: 15_000,
  transferLimitMs: 60_000,
  memoryLimitMiB: 1_024,
  idleMs: 20_000,
  maxWaiting: 32,
  maxFileBytes: 200 * 1024 * 1024,
  confinement: NOT_CONFINED,
};

/** A bitmap of 1024 by 1024 in four channels, with a margin. */
const MAX_REPLY_BYTES = 8_000_000;

const DECODED = new Set('jpg png apng webp gif tiff avif heic'.split(' '));

const none = (reason: string): RenderResult => ({ outcome: 'none', reason });

/**
 * Renders in child processes that are killed when they exceed a limit: PDF pages in one without native code, images
 * in another that only decodes and encodes.
 */
export class ChildProcessThumbnailer implements Thumbnailer {
  readonly #options: Required<ThumbnailerOptions>;
  readonly #pictures: ProcessPool<PictureProcess>;
  readonly #pages: ProcessPool<RasterProcess>;

  constructor(options: ThumbnailerOptions = {}) {
    const all = { ...DEFAULTS, ...options };
    this.#options = all;
    const limits = { ...all, maxReplyBytes: MAX_REPLY_BYTES };
    const words = {
      port: 'thumbnails',
      tooMany: 'Too many thumbnails are being made.',
      closing: 'The service is closing.',
    };
    this.#pictures = new ProcessPool({ ...all, ...words }, () => new PictureProcess(limits));
    this.#pages = new ProcessPool({ ...all, ...words }, () => new RasterProcess(limits));
  }

  async render(request: ThumbnailRequest): Promise<RenderResult> {
    const source = sourceOf(request.type);
    if (source === undefined) return none('There is no thumbnail for files of this type.');
    const { maxFileBytes } = this.#options;
    if (request.size === 0) return none('The file is empty.');
    if (request.size > maxFileBytes)
      return none(
        `The file is larger than the limit of ${Math.round(maxFileBytes / 1024 / 1024)} MB.`,
      );
    return this.#pictures.inTurn(() =>
      source === 'page' ? this.#page(request) : this.#picture(request),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#pictures.close(), this.#pages.close()]);
  }

  async #page(request: ThumbnailRequest): Promise<RenderResult> {
    const { size, maxSidePixels } = request;
    const job = { size, page: 1, want: { maxSidePixels } };
    const drawn = await this.#within(this.#pages, (process) => process.run(job, request.open()));
    if ('reason' in drawn) return drawn;
    const { result, payload } = drawn;
    if (result.outcome === 'protected') return none('The file is protected by a password.');
    if (result.outcome !== 'bitmap' || !payload) return none('The first page cannot be rendered.');
    if (payload.length !== result.width * result.height * result.channels) return none(DAMAGED);
    return this.#encoded(payload, maxSidePixels, result);
  }

  #picture(request: ThumbnailRequest): Promise<RenderResult> {
    const { size, maxSidePixels } = request;
    return this.#made({ size, make: { as: 'webp', maxSidePixels } }, request.open());
  }

  #encoded(pixels: Buffer, maxSidePixels: number, bitmap: Bitmap): Promise<RenderResult> {
    const { width, height, channels } = bitmap;
    return this.#made(
      {
        size: pixels.length,
        bitmap: { width, height, channels },
        make: { as: 'webp', maxSidePixels },
      },
      once(pixels),
    );
  }

  async #made(
    job: Parameters<PictureProcess['run']>[0],
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<RenderResult> {
    const created = await this.#within(this.#pictures, (process) => process.run(job, bytes));
    if ('reason' in created) return created;
    const { result, payload } = created;
    return result.outcome === 'webp' && payload
      ? { outcome: 'picture', webp: payload }
      : none(REASONS[result.outcome]);
  }

  /** The result, or what the exit of the process says about the file. */
  #within<Job extends { readonly size: number }, Result>(
    pool: ProcessPool<SandboxedProcess<Job, Result>>,
    run: (process: SandboxedProcess<Job, Result>) => Promise<JobResult<Result> | ExitReason>,
  ): Promise<JobResult<Result> | (RenderResult & { readonly outcome: 'none' })> {
    return pool.lend(async (process) => {
      const ending = await run(process);
      if (typeof ending !== 'string') return ending;
      const { complaint } = process;
      const cause = complaint === '' ? undefined : new Error(complaint);
      if (ending === 'retired') throw pool.failure('The service is closing.');
      if (ending === 'start')
        throw pool.failure('The process that renders thumbnails could not be started.', cause);
      if (ending === 'transfer')
        throw pool.failure('The bytes of the file did not arrive in time.');
      const { timeLimitMs } = this.#options;
      const reason = {
        time: `Rendering the file took longer than ${timeLimitMs / 1000} seconds.`,
        memory: 'Rendering the file took more memory than allowed.',
        crash: DAMAGED,
      }[ending];
      return { outcome: 'none', reason };
    });
  }
}

const DAMAGED = 'The image is damaged.';
const REASONS: Readonly<Record<PictureResult['outcome'], string>> = {
  grey: DAMAGED,
  webp: DAMAGED,
  broken: DAMAGED,
  'too-large': 'The image has more than 100 megapixels, which is the limit.',
  unknown: 'Images of this type cannot be decoded.',
};

function sourceOf({ kind, format }: ContentType): 'page' | 'picture' | undefined {
  if (kind === 'pdf') return 'page';
  return kind === 'image' && DECODED.has(format) ? 'picture' : undefined;
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
