/**
 * A map of which forks are cheap: a fork shares what has settled and copies only the changes since. Once sealed it
 * never changes again, so whoever reads it sees one state however long that takes.
 */
export class SnapshotMap<K, V> {
  readonly #settled: ReadonlyMap<K, V>;
  readonly #changes: Map<K, V | undefined>;
  #sealed = false;

  constructor(settled: ReadonlyMap<K, V> = new Map(), changes = new Map<K, V | undefined>()) {
    this.#settled = settled;
    this.#changes = changes;
  }

  get(key: K): V | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#settled.get(key);
  }

  set(key: K, value: V): void {
    this.#change(key, value);
  }

  delete(key: K): void {
    this.#change(key, undefined);
  }

  *entries(): Generator<[K, V]> {
    for (const [key, value] of this.#settled) if (!this.#changes.has(key)) yield [key, value];
    for (const [key, value] of this.#changes) if (value !== undefined) yield [key, value];
  }

  values(): V[] {
    return Array.from(this.entries(), ([, value]) => value);
  }

  seal(): void {
    this.#sealed = true;
  }

  fork(): SnapshotMap<K, V> {
    // Settling costs the whole map, so it waits until the changes have grown with its root.
    if (this.#changes.size ** 2 <= this.#settled.size + 64)
      return new SnapshotMap(this.#settled, new Map(this.#changes));
    return new SnapshotMap(new Map(this.entries()));
  }

  #change(key: K, value: V | undefined): void {
    if (this.#sealed) throw new Error('A unit of work that reads was asked to write.');
    this.#changes.set(key, value);
  }
}
