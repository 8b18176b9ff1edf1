/**
 * Frames from a child: `ready` once, then for each job `received` and `done`. `payload` is the length of the result,
 * which follows in a frame or is in the shared file; null without a result. `full`: the shared file has no space.
 */
export type Step =
  | { readonly step: 'ready' }
  | { readonly step: 'received' }
  | { readonly step: 'full' }
  | { readonly step: 'done'; readonly result: unknown; readonly payload: number | null };

/**
 * The index of the shared file pair for a job's bytes and result. There are two pairs: while the child works with
 * one, the other is filled for the next job, or emptied after the last.
 */
export const PAIRS_OF_FILES = 2;
export const givenIn = (pair: number): number => 3 + pair * 2;
export const madeIn = (pair: number): number => givenIn(pair) + 1;

/** The bytes of a job follow in frames of at most this size; an empty frame ends them. */
export const CHUNK_BYTES = 262_144;

/** Parses a frame of a child, which is not trusted; another shape is a `TypeError`. */
export function parseStep(frame: Buffer): Step {
  const said = JSON.parse(frame.toString('utf8')) as Partial<Record<string, unknown>>;
  const { step, result, payload } = said;
  if (step === 'ready' || step === 'received' || step === 'full') return { step };
  if (step !== 'done') throw new TypeError('Not a step.');
  if (payload !== null && !(Number.isSafeInteger(payload) && (payload as number) >= 0))
    throw new TypeError('Not a length.');
  return { step, result, payload: payload as number | null };
}
