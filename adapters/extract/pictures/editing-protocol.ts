import type { ImageFormat, ImageOperation } from '../../../ports/image-editor.ts';

/** An image to edit, with the facts of its header. */
export interface EditingJob {
  /** Number of bytes that follow. */
  readonly size: number;
  readonly format: ImageFormat;
  readonly frames: number;
  readonly operation: ImageOperation;
  /** Quality from 1 to 100. Not for PNG. */
  readonly quality: number;
  /** For WebP: lossless encoding. */
  readonly lossless: boolean;
}

/** `larger`: the result is not smaller. `other`: the file does not have the declared format. */
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
