import type { ImageFormat } from '../../../ports/image-editor.ts';

/** What the head of a picture file says of it. Only decoding tells whether it is true. */
export interface PictureHead {
  readonly format: ImageFormat;
  /** As stored, whatever the EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Of a webp: no frame of it is lossy. */
  readonly lossless: boolean;
  /** Of a jpg: the quality that its tables are those of, from 1 to 100, where there are tables. */
  readonly quality?: number;
}

/** Why a file is none of the pictures that are edited. */
export type NoHead = 'unknown' | 'animated' | 'broken';
