import type { Extraction, ExtractionRequest, TextExtractor } from '../../ports/text-extraction.ts';
import type { UnreadSentence } from '../../ports/reasons.ts';
import { languageSample } from './language-sample.ts';
import { chooseReader } from './choose-reader.ts';
import { NOT_CONFINED, type SystemConfinement } from './process/namespaces.ts';
import { ProcessPool } from './process/process-pool.ts';
import type { Job, Reader } from './process/protocol.ts';
import { ReaderProcess, type Answer, type ExitReason } from './process/reader-process.ts';

export interface ChildProcessExtractorOptions {
  /** Files read at once, each in a separate process. Default 1. */
  readonly concurrency?: number;
  /** For one file, not counting the time its bytes take to arrive. Default 30 000. */
  readonly timeLimitMs?: number;
  /** For all bytes of one file to arrive. Default 120 000. */
  readonly transferLimitMs?: number;
  /** Resident memory of one process as reported by /proc, elsewhere of its heap. Default 768. */
  readonly memoryLimitMiB?: number;
  /** After which an idle process ends. Default 20 000. */
  readonly idleMs?: number;
  /** Maximum number of waiting files. Default 100. */
  readonly maxWaiting?: number;
  /** Maximum size of a file; of plain text of any size the beginning is read. Default 200 MiB. */
  readonly maxFileBytes?: number;
  /** Code points after which a text is truncated. Default 5 000 000. */
  readonly maxTextLength?: number;
  /** How the system confines each process beyond Node's permission model. Default not at all. */
  readonly confinement?: SystemConfinement;
}

const DEFAULTS: Required<ChildProcessExtractorOptions> = {
  concurrency: 1,
  timeLimitMs: 30_000,
  transferLimitMs: 120_000,
  memoryLimitMiB: 768,
  idleMs: 20_000,
  maxWaiting: 100,
  maxFileBytes: 200 * 1024 * 1024,
  maxTextLength: 5_000_000,
  confinement: NOT_CONFINED,
};

const MAX_BYTES_PER_CODE_POINT = 4;
const MARK_BYTES = 4;

/** Reads files in sandboxed child processes, which are killed when they exceed a limit. */
export class ChildProcessExtractor implements TextExtractor {
  readonly #options: Required<ChildProcessExtractorOptions>;
  readonly #pool: ProcessPool<ReaderProcess>;
  #sniffing: Promise<unknown> = Promise.resolve();

  constructor(options: ChildProcessExtractorOptions = {}) {
    const all = { ...DEFAULTS, ...options };
    this.#options = all;
    this.#pool = new ProcessPool(
      {
        ...all,
        port: 'text-extraction',
        tooMany: 'Too many files are waiting to be read.',
        closing: 'The service is closing.',
      },
      () =>
        new ReaderProcess({
          ...all,
          maxReplyBytes: all.maxTextLength * MAX_BYTES_PER_CODE_POINT + 4_000_000,
        }),
    );
  }

  /**
   * A request waits for the result, so it does not queue behind files: if all processes are busy, one more is
   * started, but never more than one.
   */
  languageOf(text: string): Promise<string> {
    const bytes = Buffer.from(languageSample(text));
    const asked = this.#sniffing.then(async () => {
      const job = {
        reader: 'text',
        format: 'txt',
        size: bytes.length,
        maxTextLength: bytes.length,
      } as const;
      const found = await this.#run(job, once(bytes));
      return found.outcome === 'text' ? found.language : '';
    });
    this.#sniffing = asked.catch(() => undefined);
    return asked;
  }

  async extract(request: ExtractionRequest): Promise<Extraction> {
    const plan = chooseReader(request);
    if (typeof plan !== 'string') return plan;
    const { maxFileBytes } = this.#options;
    if (plan !== 'text' && request.size > maxFileBytes)
      return failed(`The file is larger than the limit of ${inMegabytes(maxFileBytes)} MB.`);
    return this.#pool.inTurn(() => this.#run(this.#job(plan, request), request.open()));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #run(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<Extraction> {
    return this.#pool.lend(async (process) => {
      const ending = await process.read(job, bytes);
      return typeof ending === 'string' ? this.#obituary(ending, process) : extractionOf(ending);
    });
  }

  #job(reader: Reader, { type, size, page }: ExtractionRequest): Job {
    const { maxTextLength } = this.#options;
    const enough = maxTextLength * MAX_BYTES_PER_CODE_POINT + MARK_BYTES;
    return {
      reader,
      format: type.kind === 'note' ? 'md' : type.format,
      size: reader === 'text' ? Math.min(size, enough) : size,
      maxTextLength,
      ...(page && { page }),
    };
  }

  /** What the exit of a process says about the file it was reading, if anything. */
  #obituary(death: ExitReason, { complaint }: ReaderProcess): Extraction {
    const cause = complaint === '' ? undefined : new Error(complaint);
    if (death === 'retired') throw this.#pool.failure('The service is closing.');
    if (death === 'start')
      throw this.#pool.failure('The process that reads files could not be started.', cause);
    if (death === 'transfer')
      throw this.#pool.failure('The bytes of the file did not arrive in time.');
    if (death === 'time')
      return failed(
        `Reading the file took longer than ${this.#options.timeLimitMs / 1000} seconds.`,
      );
    if (death === 'memory') return failed('Reading the file took more memory than allowed.');
    return failed('The file crashed the program that reads it. It is damaged or malicious.');
  }
}

const failed = (reason: UnreadSentence): Extraction => ({ outcome: 'failed', reason });

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The page map is validated, since the child process is not trusted. */
function extractionOf(answer: Answer): Extraction {
  if (answer.outcome !== 'text') return answer;
  const end = answer.pages.at(-1)?.charEnd ?? 0;
  return end === lengthOf(answer.text)
    ? answer
    : failed('The file crashed the program that reads it.');
}

function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) length--;
  return length;
}

const inMegabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
