import { expect } from 'chai';
import { PortFailure } from '../../ports/failures.ts';
import type { FetchBounds, PageFetcher } from '../../ports/web-pages.ts';

/** What a site answers at one path. */
export type SiteAnswer =
  | {
      readonly bytes: Uint8Array;
      readonly type?: string;
      readonly charset?: string;
      readonly status?: number;
    }
  | { readonly redirect: string }
  | 'silent';

/** A fetcher, and a web it reaches: one site that may be reached, one at a private address, one nobody listens at. */
export interface OpenedWeb {
  readonly fetcher: PageFetcher;
  /** Puts an answer on the site and gives its address. */
  put(path: string, answer: SiteAnswer): string;
  readonly privateUrl: string;
  readonly closedUrl: string;
  readonly unknownUrl: string;
  /** Connections that the private address has seen. */
  privateVisits(): number;
  close(): Promise<void>;
}

/** What every PageFetcher must do, whatever it fetches from. */
export function pageFetcherContract(open: () => Promise<OpenedWeb>): void {
  let web: OpenedWeb;
  beforeEach(async () => (web = await open()));
  afterEach(async () => {
    await web.fetcher.close();
    await web.close();
  });

  const bounds = (over: Partial<FetchBounds> = {}): FetchBounds => ({
    maxBytes: 100_000,
    timeMs: 5_000,
    wanted: 'page',
    ...over,
  });
  const text = (content: string) => new TextEncoder().encode(content);
  const fetch = (url: string, over: Partial<FetchBounds> = {}) =>
    web.fetcher.fetch(url, bounds(over));
  const refusal = async (url: string, over: Partial<FetchBounds> = {}) => {
    const answer = await fetch(url, over);
    if (answer.outcome === 'page') return expect.fail(`It was given: ${url}`);
    expect(answer.message).to.match(/^[A-Z].*\.$/);
    return { cause: answer.cause, passing: answer.passing };
  };

  it('A page is given byte for byte, with its declared type and charset and the address it was found at', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) & 255);
    const url = web.put('/a?b=c', { bytes, type: 'text/html', charset: 'windows-1251' });
    const page = await fetch(url);
    if (page.outcome !== 'page') return expect.fail(page.message);
    expect(page).to.include({ finalUrl: url, mime: 'text/html', charset: 'windows-1251' });
    expect(Buffer.from(page.bytes).equals(bytes)).to.equal(true);
    const bare = web.put('/bare', { bytes: text('') });
    expect(await fetch(bare)).to.deep.include({ outcome: 'page', mime: '', charset: '' });
  });

  it('A private address is refused as `address`, also when a redirect leads there, and nothing connects to it', async () => {
    const url = web.put('/in', { redirect: web.privateUrl });
    for (const each of [web.privateUrl, url])
      expect(await refusal(each)).to.deep.equal({ cause: 'address', passing: false });
    expect(web.privateVisits()).to.equal(0);
  });

  it('An address with a user name or password is refused as `credentials`', async () => {
    const url = new URL(web.put('/a', { bytes: text('secret') }));
    url.username = 'ada';
    const named = url.href;
    url.password = 'pw';
    const onward = web.put('/onward', { redirect: url.href });
    for (const each of [named, url.href, onward])
      expect(await refusal(each)).to.deep.equal({ cause: 'credentials', passing: false });
  });

  it('A name nobody knows is `unresolvable`, a place where nobody listens `unreachable`', async () => {
    expect(await refusal(web.unknownUrl)).to.include({ cause: 'unresolvable' });
    expect(await refusal(web.closedUrl)).to.deep.equal({ cause: 'unreachable', passing: true });
  });

  it('Five redirects are followed and a sixth is refused as `redirects`', async () => {
    const end = web.put('/5', { bytes: text('there') });
    for (let i = 0; i < 5; i++) web.put(`/${i}`, { redirect: `/${i + 1}` });
    const first = end.replace('/5', '/0');
    const page = await fetch(first);
    expect(page).to.include({ outcome: 'page', finalUrl: end });
    const before = web.put('/before', { redirect: '/0' });
    expect(await refusal(before)).to.deep.equal({ cause: 'redirects', passing: false });
  });

  it('A status that is no success is refused as `status`; 5xx, 408, 425 and 429 are passing, the others are not', async () => {
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

  it('One byte more than `maxBytes` is refused as `too_large`', async () => {
    const url = web.put('/a', { bytes: text('x'.repeat(1_000)) });
    expect(await fetch(url, { maxBytes: 1_000 })).to.include({ outcome: 'page' });
    expect(await refusal(url, { maxBytes: 999 })).to.deep.equal({
      cause: 'too_large',
      passing: false,
    });
  });

  it('What is not there after `timeMs` is refused as `too_slow`, and that is passing', async () => {
    const url = web.put('/silent', 'silent');
    const began = performance.now();
    expect(await refusal(url, { timeMs: 200 })).to.deep.equal({ cause: 'too_slow', passing: true });
    expect(performance.now() - began).to.be.within(150, 10_000);
  });

  it('`close` makes a fetch under way, and every later one, reject with PortFailure', async () => {
    const url = web.put('/silent', 'silent');
    const running = fetch(url).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await web.fetcher.close();
    expect(await running).to.be.instanceOf(PortFailure);
    expect(await fetch(url).catch((error: unknown) => error)).to.be.instanceOf(PortFailure);
  });
}
