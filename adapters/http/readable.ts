/** The same bytes, the first of them at hand; nothing where there are none. An error before the first is thrown here. */
export async function begun(
  bytes: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const rest = bytes[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done) return undefined;
  return (async function* () {
    try {
      for (let next: IteratorResult<Uint8Array> = first; !next.done; next = await rest.next())
        yield next.value;
    } finally {
      await rest.return?.();
    }
  })();
}
