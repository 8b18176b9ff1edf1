/**
 * Frames from a child: `ready` once, then for each job `received` and `done`. `payload` is the length of what it made of
 * the bytes, which follows in a frame, or lies in the file it shares; null when it made nothing. `full`: that file takes
 * no more.
 */
export type Step =
  | { readonly step: 'ready' }
  | { readonly step: 'received' }
  | { readonly step: 'full' }
  | { readonly step: 'done'; readonly result: unknown; readonly payload: number | null };

/**
 * Where a child that shares files with its parent reads the bytes of a job, and where it writes what it made of them. It has
 * two of each: while it works with one pair, the other is filled for the next job, or emptied after the last.
 */
export const PAIRS_OF_FILES = 2;
export const givenIn = (pair: number): number => 3 + pair * 2;
export const madeIn = (pair: number): number => givenIn(pair) + 1;

/** Bytes of a job follow it in frames of at most so many bytes; an empty one ends them. */
export const CHUNK_BYTES = 262_144;

/** A frame as it came from a child that reads files of strangers; one of another shape is a `TypeError`. */
export function parseStep(frame: Buffer): Step {
  const said = JSON.parse(frame.toString('utf8')) as Partial<Record<string, unknown>>;
  const { step, result, payload } = said;
  if (step === 'ready' || step === 'received' || step === 'full') return { step };
  if (step !== 'done') throw new TypeError('Not a step.');
  if (payload !== null && !(Number.isSafeInteger(payload) && (payload as number) >= 0))
    throw new TypeError('Not a length.');
  return { step, result, payload: payload as number | null };
}
