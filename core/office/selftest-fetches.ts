/** Fetches by the document server that a selftest waits for. */
export interface SelftestFetches {
  expect(nonce: string): void;
  note(nonce: string): void;
  /** Whether it has been fetched; the expectation ends. */
  taken(nonce: string): boolean;
}

/** Fetches that arrived in this process. Only expected ones are stored, and only until the selftest has ended. */
export function trackSelftestFetches(): SelftestFetches {
  const expected = new Map<string, boolean>();
  return {
    expect: (nonce) => void expected.set(nonce, false),
    note: (nonce) => void (expected.has(nonce) && expected.set(nonce, true)),
    taken: (nonce) => {
      const came = expected.get(nonce) ?? false;
      expected.delete(nonce);
      return came;
    },
  };
}
