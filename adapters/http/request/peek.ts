/** The same bytes, the first of them at hand; nothing where there are none. An error before the first is thrown here. */
export async function peekFirst<T>(bytes: AsyncIterable<T>): Promise<AsyncIterable<T> | undefined> {
  const rest = bytes[Symbol.asyncIterator]();
  let first: IteratorResult<T> | undefined = await rest.next();
  if (first.done) return undefined;
  // Not a generator: one that was never begun, its reader being gone already, would not let go of what it holds.
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
