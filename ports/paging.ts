export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Every match, not only those on the page. */
  readonly total: number;
}
