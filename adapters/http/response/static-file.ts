/** A text of the service's own that is the same for all clients. */
export interface StaticFile {
  readonly type: 'html' | 'css' | 'js' | 'svg';
  readonly text: () => string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
  /** It never changes: another text has another path. */
  readonly immutable?: true;
}
