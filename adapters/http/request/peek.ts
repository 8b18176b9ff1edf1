/** The same items with the first one already read; undefined if there are none. An error before the first is thrown here. */
export async function peekFirst<T>(bytes: AsyncIterable<T>): Promise<AsyncIterable<T> | undefined> {
  const rest = bytes[Symbol.asyncIterator]();
  let first: IteratorResult<T> | undefined = await rest.next();
  if (first.done) return undefined;
  // Not a generator: one that is never started, because its reader has gone, would not release its source.
  const all: AsyncIterableIterator<T> = {
    next: () => {
      const next = first ? Promise.resolve(first) : rest.next();
      first = undefined;
      return next;
    },
    return: async () => {
      await rest.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}
