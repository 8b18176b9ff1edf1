/** What became of a change that was sent in several requests. */
export interface Batches<T> {
  /** Of the requests that were answered. */
  readonly results: readonly T[];
  /** Why the rest was not sent. What has been changed stays changed. */
  readonly stopped?: { readonly error: unknown; readonly ids: readonly string[] };
}

/** Runs a change on so many documents at a time, one after the other, up to the first that fails. */
export async function inBatches<T>(
  ids: readonly string[],
  size: number,
  run: (batch: readonly string[]) => Promise<T>,
): Promise<Batches<T>> {
  const results: T[] = [];
  for (let at = 0; at < ids.length; at += size) {
    try {
      results.push(await run(ids.slice(at, at + size)));
    } catch (error) {
      return { results, stopped: { error, ids: ids.slice(at) } };
    }
  }
  return { results };
}
