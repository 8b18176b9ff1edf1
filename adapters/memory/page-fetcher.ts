import { PortFailure } from '../../ports/failures.ts';
import type {
  FetchBounds,
  FetchedPage,
  FetchRefusal,
  PageFetcher,
  RefusalCause,
} from '../../ports/web-pages.ts';

/** The response at a URL of the fake web. */
export type ImaginedPage =
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

const MOST_REDIRECTS = 5;
const PASSING = new Set([408, 425, 429]);

/** Fetches from a map of URLs: the fake of unit tests. */
export class MemoryPageFetcher implements PageFetcher {
  readonly #web: ReadonlyMap<string, ImaginedPage>;
  readonly #waiting = new Set<(error: PortFailure) => void>();
  #closed = false;

  constructor(web: ReadonlyMap<string, ImaginedPage>) {
    this.#web = web;
  }

  async fetch(url: string, bounds: FetchBounds): Promise<FetchedPage | FetchRefusal> {
    if (this.#closed) throw closing();
    let at = new URL(url);
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
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

  async #wait({ timeMs }: FetchBounds): Promise<FetchRefusal> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(give);
        resolve(refused('too_slow', true));
      }, timeMs);
      const give = (error: PortFailure) => {
        clearTimeout(timer);
        reject(error);
      };
      this.#waiting.add(give);
    });
  }
}

function pageOf(
  finalUrl: string,
  {
    mime = '',
    charset = '',
    bytes,
    status = 200,
  }: Extract<ImaginedPage, { readonly bytes: unknown }>,
  { maxBytes }: FetchBounds,
): FetchedPage | FetchRefusal {
  if (status < 200 || status > 299)
    return refused('status', status >= 500 || PASSING.has(status), ` with status ${status}`);
  const body = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  if (body.length > maxBytes) return refused('too_large', false);
  return { outcome: 'page', finalUrl, mime, charset, bytes: body };
}

const refused = (cause: RefusalCause, passing: boolean, more = ''): FetchRefusal => ({
  outcome: 'refused',
  cause,
  message: `It is rejected as ${cause}${more}.`,
  passing,
});

const closing = (): PortFailure => new PortFailure('web-pages', 'The service is closing.');
