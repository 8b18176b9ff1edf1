/** Progress of a step; `of` is the total, if known. */
export interface Progress {
  readonly step: 'rows' | 'files' | 'checked' | 'restored files' | 'restored rows';
  readonly done: number;
  readonly of?: number;
}

export type OnProgress = (progress: Progress) => void;
