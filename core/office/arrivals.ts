/** What the engine has come for, of what a selftest waits for. */
export interface Arrivals {
  expect(nonce: string): void;
  note(nonce: string): void;
  /** Whether it was come for; it is expected no longer. */
  taken(nonce: string): boolean;
}

/** Arrivals at one process. Only what is expected takes room, and only until the selftest has ended. */
export function watchingArrivals(): Arrivals {
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
