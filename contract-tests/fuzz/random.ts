/**
 * A reproducible random source: the same seed words give the same sequence. Each request has a separate source, so
 * that it can be generated again without the earlier ones.
 */
export class Random {
  #state: number;

  constructor(...seed: readonly (string | number)[]) {
    // FNV-1a over the words: close seeds must not give close sequences.
    let hash = 0x811c9dc5;
    for (const char of seed.join('/')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
    this.#state = hash >>> 0;
  }

  /** In [0, 1): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('There is nothing to pick from.');
    return list[this.below(list.length)]!;
  }

  /** One of the values, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
    const sum = choices.reduce((before, [weight]) => before + weight, 0);
    let left = this.next() * sum;
    for (const [weight, value] of choices) if ((left -= weight) < 0) return value;
    return choices.at(-1)![1];
  }
}
