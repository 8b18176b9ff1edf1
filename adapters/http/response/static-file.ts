/** A text of the service's own that is the same for everybody. */
export interface StaticFile {
  readonly type: 'html' | 'css' | 'js' | 'svg';
  readonly text: () => string;
  /** The Content-Security-Policy it is shown under. */
  readonly policy: string;
  /** It never changes: another text has another path. */
  readonly immutable?: true;
}
