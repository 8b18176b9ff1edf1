import { UnavailableError } from '../../ports/errors.ts';
import type {
  FetchOptions,
  FetchedPage,
  FetchError,
  PageFetcher,
  FetchErrorCause,
} from '../../ports/web-pages.ts';

/** The response at a URL of the fake web. */
export type FakePage =
  | {
      readonly mime?: string;
      readonly charset?: string;
      readonly bytes: Uint8Array | string;
      /** 200 by default. */
      readonly status?: number;
    }
  | { readonly redirect: string }
  /** The address is private. */
  | 'private'
  /** It never responds. */
  | 'silent'
  /** The name is known, but the port is closed. */
  | 'closed';

const MAX_REDIRECTS = 5;
const PASSING = new Set([408, 425, 429]);

/** Fetches from a map of URLs: the fake of unit tests. */
export class MemoryPageFetcher implements PageFetcher {
  readonly #web: ReadonlyMap<string, FakePage>;
  readonly #waiting = new Set<(error: UnavailableError) => void>();
  #closed = false;

  constructor(web: ReadonlyMap<string, FakePage>) {
    this.#web = web;
  }

  async fetch(url: string, bounds: FetchOptions): Promise<FetchedPage | FetchError> {
    if (this.#closed) throw closing();
    let at = new URL(url);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (at.username !== '' || at.password !== '') return refused('credentials', false);
      const found = this.#web.get(at.href);
      if (found === undefined) return refused('unresolvable', false);
      if (found === 'private') return refused('address', false);
      if (found === 'closed') return refused('unreachable', true);
      if (found === 'silent') return this.#wait(bounds);
      if (!('redirect' in found)) return pageOf(at.href, found, bounds);
      at = new URL(found.redirect, at);
    }
    return refused('redirects', false);
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const give of this.#waiting) give(closing());
    return Promise.resolve();
  }

  async #wait({ timeMs }: FetchOptions): Promise<FetchError> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(give);
        resolve(refused('too_slow', true));
      }, timeMs);
      const give = (error: UnavailableError) => {
        clearTimeout(timer);
        reject(error);
      };
      this.#waiting.add(give);
    });
  }
}

function pageOf(
  finalUrl: string,
  { mime = '', charset = '', bytes, status = 200 }: Extract<FakePage, { readonly bytes: unknown }>,
  { maxBytes }: FetchOptions,
): FetchedPage | FetchError {
  if (status < 200 || status > 299)
    return refused('status', status >= 500 || PASSING.has(status), ` with status ${status}`);
  const body = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  if (body.length > maxBytes) return refused('too_large', false);
  return { outcome: 'page', finalUrl, mime, charset, bytes: body };
}

const refused = (cause: FetchErrorCause, passing: boolean, more = ''): FetchError => ({
  outcome: 'refused',
  cause,
  message: `It is rejected as ${cause}${more}.`,
  passing,
});

const closing = (): UnavailableError =>
  new UnavailableError('web-pages', 'The service is closing.');
