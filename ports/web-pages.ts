export interface FetchOptions {
  /** Of the body, counted after decompression. */
  readonly maxBytes: number;
  /** From the first DNS lookup to the last byte, redirects included. */
  readonly timeMs: number;
  /** Value of the `Accept` header. Sent, not enforced. */
  readonly contentType: 'page' | 'picture';
}

export interface FetchedPage {
  readonly outcome: 'page';
  /** The final URL after all redirects. */
  readonly finalUrl: string;
  /** Declared media type, lower case and without parameters; '' when there is none. */
  readonly mime: string;
  /** Declared character encoding, '' when there is none. */
  readonly charset: string;
  readonly bytes: Uint8Array;
}

export type FetchErrorCause =
  /** It leads, directly or by a redirect, to an address that this service does not connect to for owners. */
  | 'address'
  /** The URL contains a user name or password. */
  | 'credentials'
  | 'unresolvable'
  | 'unreachable'
  | 'tls'
  | 'redirects'
  | 'status'
  /** The response is a check of the browser in the place of the page. */
  | 'challenge'
  | 'too_large'
  | 'too_slow'
  /** The response is not valid HTTP, ended early, or has an unsupported content encoding. */
  | 'broken';

export interface FetchError {
  readonly outcome: 'refused';
  readonly cause: FetchErrorCause;
  /** A sentence for the user that reveals nothing of the target. */
  readonly message: string;
  /** A retry may succeed. */
  readonly passing: boolean;
}

/**
 * Fetches a URL chosen by an owner, from the public internet and the private destinations that the operator allows
 * only. A page that turns to another one within a second (`<meta http-equiv="refresh">`) is followed like a redirect,
 * once. Slow, so never called inside a unit of work.
 *
 * Contract (contract-tests/suites/page-fetcher.ts):
 * - A page is returned byte for byte, with its declared type and charset and its final URL.
 * - A private address is rejected as `address`, also after a redirect, and no connection is made.
 * - A URL with a user name or password is rejected as `credentials`.
 * - An unknown host name is `unresolvable`, a closed port `unreachable`.
 * - Five redirects are followed and a sixth is rejected as `redirects`.
 * - An unsuccessful status is rejected as `status`. 5xx, 408, 425 and 429 are retryable, the others are not.
 * - One byte more than `maxBytes` is rejected as `too_large`.
 * - A response that is incomplete after `timeMs` is rejected as `too_slow`, and is retryable.
 * - `close` makes a current fetch, and every later one, reject with UnavailableError.
 */
export interface PageFetcher {
  /**
   * @param url absolute, http or https, in the normal form of the WHATWG URL standard.
   *
   * Throws UnavailableError: the service is closing. Every failure of the network or the server is a FetchError.
   */
  fetch(url: string, bounds: FetchOptions): Promise<FetchedPage | FetchError>;
  close(): Promise<void>;
}
