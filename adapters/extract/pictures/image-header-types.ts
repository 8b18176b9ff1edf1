import type { ImageFormat } from '../../../ports/image-editor.ts';

/** The header of an image file. Only decoding shows whether it is correct. */
export interface ImageHeader {
  readonly format: ImageFormat;
  /** As stored, regardless of the EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** For WebP: no frame is lossy. */
  readonly lossless: boolean;
  /** For JPEG: the quality that its quantization tables correspond to, from 1 to 100, if there are tables. */
  readonly quality?: number;
}

/** Why a file cannot be edited. */
export type HeaderError = 'unknown' | 'animated' | 'broken';
