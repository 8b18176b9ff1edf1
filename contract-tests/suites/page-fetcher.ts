import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import type { FetchOptions, PageFetcher } from '../../ports/web-pages.ts';

/** The response of a site at one path. */
export type SiteAnswer =
  | {
      readonly bytes: Uint8Array;
      readonly type?: string;
      readonly charset?: string;
      readonly status?: number;
    }
  | { readonly redirect: string }
  | 'silent';

/** A fetcher with a web: a site that may be fetched, one at a private address, and a closed port. */
export interface OpenedWeb {
  readonly fetcher: PageFetcher;
  /** Sets a response of the site and returns its URL. */
  put(path: string, answer: SiteAnswer): string;
  readonly privateUrl: string;
  readonly closedUrl: string;
  readonly unknownUrl: string;
  /** Number of connections to the private address. */
  privateVisits(): number;
  close(): Promise<void>;
}

/** The contract of every PageFetcher. */
export function pageFetcherContract(open: () => Promise<OpenedWeb>): void {
  let web: OpenedWeb;
  beforeEach(async () => (web = await open()));
  afterEach(async () => {
    await web.fetcher.close();
    await web.close();
  });

  const bounds = (over: Partial<FetchOptions> = {}): FetchOptions => ({
    maxBytes: 100_000,
    timeMs: 5_000,
    contentType: 'page',
    ...over,
  });
  const text = (content: string) => new TextEncoder().encode(content);
  const fetch = (url: string, over: Partial<FetchOptions> = {}) =>
    web.fetcher.fetch(url, bounds(over));
  const refusal = async (url: string, over: Partial<FetchOptions> = {}) => {
    const answer = await fetch(url, over);
    if (answer.outcome === 'page') return expect.fail(`It was given: ${url}`);
    expect(answer.message).to.match(/^[A-Z].*\.$/);
    return { cause: answer.cause, passing: answer.passing };
  };

  it('A page is returned byte for byte, with its declared type and charset and its final URL', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) & 255);
    const url = web.put('/a?b=c', { bytes, type: 'text/html', charset: 'windows-1251' });
    const page = await fetch(url);
    if (page.outcome !== 'page') return expect.fail(page.message);
    expect(page).to.include({ finalUrl: url, mime: 'text/html', charset: 'windows-1251' });
    expect(Buffer.from(page.bytes).equals(bytes)).to.equal(true);
    const bare = web.put('/bare', { bytes: text('') });
    expect(await fetch(bare)).to.deep.include({ outcome: 'page', mime: '', charset: '' });
  });

  it('A private address is rejected as `address`, also after a redirect, and no connection is made', async () => {
    const url = web.put('/in', { redirect: web.privateUrl });
    for (const each of [web.privateUrl, url])
      expect(await refusal(each)).to.deep.equal({ cause: 'address', passing: false });
    expect(web.privateVisits()).to.equal(0);
  });

  it('A URL with a user name or password is rejected as `credentials`', async () => {
    const url = new URL(web.put('/a', { bytes: text('secret') }));
    url.username = 'ada';
    const named = url.href;
    url.password = 'pw';
    const onward = web.put('/onward', { redirect: url.href });
    for (const each of [named, url.href, onward])
      expect(await refusal(each)).to.deep.equal({ cause: 'credentials', passing: false });
  });

  it('An unknown host name is `unresolvable`, a closed port `unreachable`', async () => {
    expect(await refusal(web.unknownUrl)).to.include({ cause: 'unresolvable' });
    expect(await refusal(web.closedUrl)).to.deep.equal({ cause: 'unreachable', passing: true });
  });

  it('Five redirects are followed and a sixth is rejected as `redirects`', async () => {
    const end = web.put('/5', { bytes: text('there') });
    for (let i = 0; i < 5; i++) web.put(`/${i}`, { redirect: `/${i + 1}` });
    const first = end.replace('/5', '/0');
    const page = await fetch(first);
    expect(page).to.include({ outcome: 'page', finalUrl: end });
    const before = web.put('/before', { redirect: '/0' });
    expect(await refusal(before)).to.deep.equal({ cause: 'redirects', passing: false });
  });

  it('An unsuccessful status is rejected as `status`. 5xx, 408, 425 and 429 are retryable, the others are not', async () => {
    for (const [status, passing] of [
      [400, false],
      [404, false],
      [410, false],
      [408, true],
      [425, true],
      [429, true],
      [500, true],
      [503, true],
    ] as const) {
      const url = web.put(`/${status}`, { bytes: text('x'), status });
      expect(await refusal(url), String(status)).to.deep.equal({ cause: 'status', passing });
    }
  });

  it('One byte more than `maxBytes` is rejected as `too_large`', async () => {
    const url = web.put('/a', { bytes: text('x'.repeat(1_000)) });
    expect(await fetch(url, { maxBytes: 1_000 })).to.include({ outcome: 'page' });
    expect(await refusal(url, { maxBytes: 999 })).to.deep.equal({
      cause: 'too_large',
      passing: false,
    });
  });

  it('A response that is incomplete after `timeMs` is rejected as `too_slow`, and is retryable', async () => {
    const url = web.put('/silent', 'silent');
    expect(await refusal(url, { timeMs: 200 })).to.deep.equal({ cause: 'too_slow', passing: true });
  });

  it('`close` makes a current fetch, and every later one, reject with UnavailableError', async () => {
    const url = web.put('/silent', 'silent');
    const running = fetch(url).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await web.fetcher.close();
    expect(await running).to.be.instanceOf(UnavailableError);
    expect(await fetch(url).catch((error: unknown) => error)).to.be.instanceOf(UnavailableError);
  });
}
