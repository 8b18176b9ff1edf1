import type { Clock } from '../../ports/runtime.ts';

export interface PartLimit {
  readonly bytes: number;
  /** A part ends with the chunk that arrives after this time. */
  readonly ms: number;
}

/** Cuts a stream into parts that are read one after the other. */
export class PartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #clock: Clock;
  #rest: Uint8Array | undefined;
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>, clock: Clock) {
    this.#source = source[Symbol.asyncIterator]();
    this.#clock = clock;
  }

  /** Waits for the first bytes of the next part. Resolves to false at the end of the stream. */
  async hasMore(): Promise<boolean> {
    while (!this.#rest && !this.#ended) {
      const next = await this.#source.next();
      if (next.done) this.#ended = true;
      else if (next.value.length > 0) this.#rest = next.value;
    }
    return this.#rest !== undefined;
  }

  async *part(limit: PartLimit): AsyncIterable<Uint8Array> {
    const until = this.#clock.now() + limit.ms;
    for (let left = limit.bytes; left > 0 && (await this.hasMore());) {
      const chunk = this.#rest ?? new Uint8Array();
      const taken = chunk.subarray(0, left);
      this.#rest = taken.length < chunk.length ? chunk.subarray(left) : undefined;
      left -= taken.length;
      yield taken;
      if (this.#clock.now() >= until) return;
    }
  }
}
