/** One line of the access log: what was requested and how it ended. Never a header, a query or a body. */
export interface AccessEntry {
  readonly requestId: string;
  readonly method: string;
  /** The path template of the route, because the path itself may hold a secret; `none` if no route matches. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly ownerId?: string;
}
