export interface FetchBounds {
  /** Of the body, counted after decompression. */
  readonly maxBytes: number;
  /** From the first look-up of a name to the last byte, redirects included. */
  readonly timeMs: number;
  /** What is said to be wanted. It is asked for, not checked. */
  readonly wanted: 'page' | 'picture';
}

export interface FetchedPage {
  readonly outcome: 'page';
  /** Where it was found after all redirects. */
  readonly finalUrl: string;
  /** Declared media type, lower case and without parameters; '' when there is none. */
  readonly mime: string;
  /** Declared character encoding, '' when there is none. */
  readonly charset: string;
  readonly bytes: Uint8Array;
}

export type RefusalCause =
  /** It leads, by itself or by a redirect, to where this service does not go for its owners. */
  | 'address'
  /** It carries a user name or password. */
  | 'credentials'
  | 'unresolvable'
  | 'unreachable'
  | 'tls'
  | 'redirects'
  | 'status'
  | 'too_large'
  | 'too_slow'
  /** What came is no HTTP, ended early, or is packed in a way that cannot be undone. */
  | 'broken';

export interface FetchRefusal {
  readonly outcome: 'refused';
  readonly cause: RefusalCause;
  /** A sentence for a person that tells nothing of what lies behind the address. */
  readonly message: string;
  /** It may be different a little later. */
  readonly passing: boolean;
}

/**
 * Fetches what lies at an address somebody else chose, from nowhere but the public internet and the private
 * destinations that the operator allows. Slow, so never called inside a unit of work.
 *
 * Contract (contract-tests/suites/page-fetcher.ts):
 * - A page is given byte for byte, with its declared type and charset and the address it was found at.
 * - A private address is refused as `address`, also when a redirect leads there, and nothing connects to it.
 * - An address with a user name or password is refused as `credentials`.
 * - A name nobody knows is `unresolvable`, a place where nobody listens `unreachable`.
 * - Five redirects are followed and a sixth is refused as `redirects`.
 * - A status that is no success is refused as `status`; 5xx, 408, 425 and 429 are passing, the others are not.
 * - One byte more than `maxBytes` is refused as `too_large`.
 * - What is not there after `timeMs` is refused as `too_slow`, and that is passing.
 * - `close` makes a fetch under way, and every later one, reject with PortFailure.
 */
export interface PageFetcher {
  /**
   * @param url absolute, http or https, in the normal form of the WHATWG URL standard.
   *
   * PortFailure: the service is closing. Whatever the network or the other side do is a refusal.
   */
  fetch(url: string, bounds: FetchBounds): Promise<FetchedPage | FetchRefusal>;
  close(): Promise<void>;
}
