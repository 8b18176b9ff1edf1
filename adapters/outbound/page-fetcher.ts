import { UnavailableError } from '../../ports/errors.ts';
import type { FetchOptions, FetchedPage, FetchError, PageFetcher } from '../../ports/web-pages.ts';
import type { OutboundPolicy } from './ssrf-guard.ts';
import type { get } from './http-get.ts';
import { toFetchError, tooSlow } from './fetch-errors.ts';

/** Loading the HTTP client takes a third of a second and 28 MB, so it is deferred to the first page. */
const getLater: typeof get = async (...how) => (await import('./http-get.ts')).get(...how);

/** Fetches over HTTP with GET only: no cookies, no credentials, no proxy, every hop through the SSRF guard. */
export class HttpPageFetcher implements PageFetcher {
  readonly #rules: OutboundPolicy;
  readonly #running = new Set<AbortController>();
  #closed = false;

  constructor(rules: OutboundPolicy) {
    this.#rules = rules;
  }

  async fetch(url: string, bounds: FetchOptions): Promise<FetchedPage | FetchError> {
    if (this.#closed) throw closing();
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(tooSlow(bounds)), bounds.timeMs);
    this.#running.add(ending);
    try {
      return await orAborted(ending.signal, getLater(this.#rules, url, bounds, ending.signal));
    } catch (error) {
      const fetchError = toFetchError(error, bounds);
      if (fetchError) return fetchError;
      throw error;
    } finally {
      clearTimeout(timer);
      this.#running.delete(ending);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const ending of this.#running) ending.abort(closing());
    return Promise.resolve();
  }
}

/** Rejects with the signal's reason even while the work does not observe it, as during a DNS lookup. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    // Errors caused by the abort are replaced by its reason.
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const closing = (): UnavailableError =>
  new UnavailableError('web-pages', 'The service is closing.');
