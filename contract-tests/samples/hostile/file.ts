export interface HostileFile {
  readonly what: string;
  readonly filename: string;
  /** How reading it may end. */
  readonly outcomes: readonly ('none' | 'failed')[];
  readonly make: () => Uint8Array;
}
