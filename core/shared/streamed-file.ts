/** A file that is generated while it is read. */
export interface StreamedFile {
  readonly filename: string;
  /** Changes whenever the bytes would, if that is known in advance. */
  readonly tag?: string;
  /** Starts the generation. It ends when the reader stops. */
  bytes(): AsyncIterable<Uint8Array>;
}
