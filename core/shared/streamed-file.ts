/** A file that is made while it is read. */
export interface StreamedFile {
  readonly filename: string;
  /** Changes whenever the bytes would, where that is known beforehand. */
  readonly tag?: string;
  /** Begins to make it. Whoever stops reading ends the making. */
  bytes(): AsyncIterable<Uint8Array>;
}
