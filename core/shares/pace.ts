export const MIN_BYTES_PER_SECOND = 10_000;
/** Seconds after which the pace is judged, for the first time and again. */
export const PACE_SECONDS = 10;

/**
 * How fast a body arrives. It is judged by whole windows, so that neither a fast beginning nor a short interruption counts for
 * the rest.
 */
export class Pace {
  #seconds = 0;
  #bytesBefore = 0;
  #bytesPerSecond: number | undefined;

  /** A second has passed in which the sender alone held the body up. `bytes`: what has arrived in all. */
  tick(bytes: number): void {
    this.#seconds += 1;
    if (this.#seconds < PACE_SECONDS) return;
    this.#bytesPerSecond = (bytes - this.#bytesBefore) / PACE_SECONDS;
    this.#bytesBefore = bytes;
    this.#seconds = 0;
  }

  /** Of the last whole window; undefined before the end of the first. */
  get bytesPerSecond(): number | undefined {
    return this.#bytesPerSecond;
  }

  get isTooSlow(): boolean {
    return (this.#bytesPerSecond ?? Infinity) < MIN_BYTES_PER_SECOND;
  }
}
