/** Frames from a child: `ready` once, then for each job `received` and `done`, which a payload may follow. */
export type Step =
  | { readonly step: 'ready' }
  | { readonly step: 'received' }
  | { readonly step: 'done'; readonly result: unknown; readonly payload: boolean };

/** Bytes of a job follow it in frames of at most so many bytes; an empty one ends them. */
export const CHUNK_BYTES = 262_144;

/** A frame as it came from a child that reads files of strangers; one of another shape is a `TypeError`. */
export function parseStep(frame: Buffer): Step {
  const said = JSON.parse(frame.toString('utf8')) as Partial<Record<string, unknown>>;
  const { step } = said;
  if (step === 'ready' || step === 'received') return { step };
  if (step !== 'done') throw new TypeError('Not a step.');
  return { step, result: said['result'], payload: said['payload'] === true };
}
