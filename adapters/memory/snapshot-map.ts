/**
 * A map with cheap forks: a fork shares the merged root and copies only recent changes. Once sealed it is immutable,
 * so that a reader sees one state for any length of time.
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
    // Merging costs as much as the whole map, so it waits until the changes are as large as the root.
    if (this.#changes.size ** 2 <= this.#settled.size + 64)
      return new SnapshotMap(this.#settled, new Map(this.#changes));
    return new SnapshotMap(new Map(this.entries()));
  }

  #change(key: K, value: V | undefined): void {
    if (this.#sealed) throw new Error('A read-only unit of work tried to write.');
    this.#changes.set(key, value);
  }
}
