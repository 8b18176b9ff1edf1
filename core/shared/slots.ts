/** A named semaphore that work acquires; `max` limits how many may hold it at the same time. */
export interface Slot {
  readonly name: string;
  readonly max: number;
}

/** Acquires all slots and returns a function that releases them once; returns undefined and acquires none if one is full. */
export type Slots = (input: readonly Slot[]) => (() => void) | undefined;

/** Slots of one process. A name uses memory only while one of its slots is held. */
export function countingSlots(): Slots {
  const held = new Map<string, number>();
  return (input) => {
    if (input.some(({ name, max }) => (held.get(name) ?? 0) >= max)) return undefined;
    for (const { name } of input) held.set(name, (held.get(name) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      for (const { name } of input) {
        const left = (held.get(name) ?? 0) - 1;
        if (left > 0) held.set(name, left);
        else held.delete(name);
      }
    };
  };
}
