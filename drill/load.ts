import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { noiseOf } from '../contract-tests/samples/pictures.ts';
import { pause } from './child.ts';
import type { Edit, Write } from './write-log.ts';

const PICTURES = 4;
const UPLOADERS = 2;
/** Pause between two writes of one client. */
const THINKS_MS = 150;
/** Pause before a retry. */
const AGAIN_MS = 400;
/** Maximum number of failed attempts per write. */
const MAX_ATTEMPTS = 6;
const PATIENCE_MS = 30_000;
const LARGE_BYTES = 6 * 2 ** 20;
const PIECES = 20;
const PIECE_MS = 50;
/** Statuses of a rejection without effect. */
const HONEST = new Set([409, 429, 503, 507]);

const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

const SORTS = ['upload', 'note', 'edit'] as const;
type Sort = (typeof SORTS)[number];

interface Sent {
  readonly path: string;
  readonly type: string;
  readonly body: () => RequestInit['body'];
}

/** Clients that write to the service sequentially, and record the responses. */
export class Load {
  readonly writes: Write[] = [];
  readonly edits: Edit[] = [];
  /** Frequency of each unsuccessful status and code. */
  readonly refused = new Map<string, number>();
  /** Statuses that no fault excuses, with their responses. */
  readonly wrong: string[] = [];
  /** Requests whose connection was lost, or that timed out. */
  unanswered = 0;
  readonly #base: () => string;
  readonly #token: string;
  readonly #pictures: string[] = [];
  #markedAt = 0;
  /** Time of the first acknowledged write of each kind that was sent after the mark. */
  readonly #first = new Map<Sort, number>();
  #clients: Promise<unknown> = Promise.resolve();
  #stopping = false;
  #number = 0;

  constructor(base: () => string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  async begin(): Promise<void> {
    for (let n = 0; n < PICTURES; n++) {
      const bytes = await (await noiseOf(320 + 16 * n, 240)).jpeg({ quality: 80 }).toBuffer();
      const id = await this.#upload(`picture-${n}.jpg`, bytes);
      if (id === null) throw new Error('The service takes no pictures.');
      this.#pictures.push(id);
    }
    const clients = [
      ...Array.from({ length: UPLOADERS }, () => () => this.#uploadOne()),
      () => this.#uploadSlowly(),
      () => this.#note(),
      () => this.#edit(),
    ];
    this.#clients = Promise.all(
      clients.map(async (work) => {
        while (!this.#stopping) {
          await work();
          await pause(THINKS_MS);
        }
      }),
    );
  }

  async end(): Promise<void> {
    this.#stopping = true;
    await this.#clients;
  }

  /** Marks the end of a fault. */
  mark(): void {
    this.#markedAt = performance.now();
    this.#first.clear();
  }

  /** Time from the mark until a write of each kind sent after it was acknowledged; undefined if not yet. */
  recoveryMs(): number | undefined {
    if (this.#first.size < SORTS.length) return undefined;
    return Math.max(...this.#first.values()) - this.#markedAt;
  }

  /** So many files, one after the other. */
  async fill(count: number): Promise<void> {
    for (let n = 0; n < count; n++)
      await this.#upload(`before-${n}.bin`, randomBytes(100_000 + 1_000 * n));
  }

  async #uploadOne(): Promise<void> {
    const n = this.#number++;
    if (n % 12 === 5) await this.#upload(`large-${n}.bin`, randomBytes(LARGE_BYTES));
    else if (n % 3 === 0)
      await this.#upload(`words-${n}.txt`, `The lamp ${randomUUID()} was lit ${n} times.`);
    else await this.#upload(`bytes-${n}.bin`, randomBytes(1 + Math.floor(Math.random() * 300_000)));
  }

  /** In small chunks over about a second, so that a fault occurs in the middle. */
  #uploadSlowly(): Promise<string | null> {
    const bytes = randomBytes(PIECES * 16_384);
    return this.#upload(`slow-${this.#number++}.bin`, bytes, PIECE_MS);
  }

  async #upload(name: string, bytes: Uint8Array | string, pieceMs = 0): Promise<string | null> {
    const boundary = `b${randomUUID()}`;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
    const whole = Buffer.concat([
      Buffer.from(head),
      Buffer.from(bytes),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const json = await this.#send('upload', {
      path: '/v1/uploads',
      type: `multipart/form-data; boundary=${boundary}`,
      body: () => (pieceMs === 0 ? whole : inPieces(whole, pieceMs)),
    });
    const id = (json as { items: [{ id: string }] } | null)?.items[0].id ?? null;
    this.writes.push({ id, hash: sha256(bytes) });
    return id;
  }

  async #note(): Promise<void> {
    const content = `Nobody has lit the lamp ${randomUUID()} so far.`;
    const json = await this.#send('note', asJson('/v1/objects/notes', { content }));
    this.writes.push({ id: (json as { id: string } | null)?.id ?? null, hash: sha256(content) });
  }

  async #edit(): Promise<void> {
    const objectId = this.#pictures[this.#number++ % PICTURES] ?? '';
    const path = `/v1/objects/${objectId}/image/flip`;
    const json = await this.#send('edit', asJson(path, { mode: 'h' }));
    this.edits.push({ objectId, task: (json as { task_id: string } | null)?.task_id ?? null });
  }

  /**
   * Retried with one key until it is acknowledged or hopeless. Returns the response, null if it was never
   * acknowledged.
   */
  async #send(sort: Sort, { path, type, body }: Sent): Promise<unknown> {
    const key = randomUUID();
    for (let nth = 1; nth <= MAX_ATTEMPTS; nth++) {
      const from = performance.now();
      try {
        const response = await fetch(this.#base() + path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${this.#token}`,
            'content-type': type,
            'idempotency-key': key,
          },
          body: body() ?? null,
          duplex: 'half',
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const text = await response.text();
        if (response.status === 200) {
          const json: unknown = JSON.parse(text);
          if (from > this.#markedAt && !this.#first.has(sort))
            this.#first.set(sort, performance.now());
          return json;
        }
        const [, code = ''] = /"code":"(\w+)"/.exec(text) ?? [];
        const refusal = `${response.status} ${code}`.trim();
        this.refused.set(refusal, (this.refused.get(refusal) ?? 0) + 1);
        if (!HONEST.has(response.status)) this.wrong.push(`${sort}: ${response.status} ${text}`);
      } catch {
        // No response, or an incomplete one: the outcome is unknown until the survey.
        this.unanswered++;
      }
      if (this.#stopping) return null;
      await pause(AGAIN_MS);
    }
    return null;
  }
}

const asJson = (path: string, body: object): Sent => ({
  path,
  type: 'application/json',
  body: () => JSON.stringify(body),
});

function inPieces(whole: Buffer, pieceMs: number): ReadableStream<Uint8Array> {
  const size = Math.ceil(whole.length / PIECES);
  let at = 0;
  return new ReadableStream({
    pull: async (controller) => {
      if (at >= whole.length) return controller.close();
      await pause(pieceMs);
      controller.enqueue(whole.subarray(at, (at += size)));
    },
  });
}
