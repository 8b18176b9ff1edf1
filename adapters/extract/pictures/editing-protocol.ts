import type { ImageFormat, ImageOperation } from '../../../ports/image-editor.ts';

/** A picture that is edited, with what its head told. */
export interface EditingJob {
  /** Bytes to come. */
  readonly size: number;
  readonly format: ImageFormat;
  readonly frames: number;
  readonly operation: ImageOperation;
  /** By which it is encoded, from 1 to 100. A png is not. */
  readonly quality: number;
  /** Of a webp: encode it without loss. */
  readonly lossless: boolean;
}

/** `larger`: it did not become smaller. `other`: it is no picture of the format. */
export type EditingResult = {
  readonly outcome: 'edited' | 'larger' | 'too-large' | 'other' | 'broken';
};

const OUTCOMES: ReadonlySet<unknown> = new Set([
  'edited',
  'larger',
  'too-large',
  'other',
  'broken',
]);

export function parseEditing(value: unknown): EditingResult {
  const { outcome } = value as Partial<Record<string, unknown>>;
  if (!OUTCOMES.has(outcome)) throw new TypeError('Not an edited picture.');
  return { outcome } as EditingResult;
}
