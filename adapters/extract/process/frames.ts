/** Frames on a pipe: a length in four bytes, most significant first, then that many bytes. */
export function frame(payload: Uint8Array): Uint8Array {
  const framed = Buffer.allocUnsafe(4 + payload.length);
  framed.writeUInt32BE(payload.length);
  framed.set(payload, 4);
  return framed;
}

/** Parses a byte stream into frames. */
export class FrameReader {
  readonly #longest: number;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #needed = -1;

  /** A frame longer than `longest` bytes makes `push` throw before any of it is buffered. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  *push(chunk: Uint8Array): Generator<Buffer> {
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      if (this.#needed < 0) {
        if (this.#held < 4) return;
        this.#needed = this.#take(4).readUInt32BE();
        if (this.#needed > this.#longest) throw new RangeError('A frame is too long.');
      }
      if (this.#held < this.#needed) return;
      const payload = this.#take(this.#needed);
      this.#needed = -1;
      yield payload;
    }
  }

  #take(length: number): Buffer {
    const all = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = all.length > length ? [all.subarray(length)] : [];
    this.#held -= length;
    return Buffer.from(all.buffer, all.byteOffset, length);
  }
}
