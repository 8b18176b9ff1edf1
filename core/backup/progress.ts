/** How far a step has come; `of` is how far it will go, where that is known. */
export interface Progress {
  readonly step: 'rows' | 'files' | 'checked' | 'restored files' | 'restored rows';
  readonly done: number;
  readonly of?: number;
}

export type OnProgress = (progress: Progress) => void;
