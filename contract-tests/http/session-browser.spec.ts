import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hasBrowser, openBrowser } from './browser.ts';
import { profiles, startService, type Service } from './harness.ts';
import { openReverseProxy, servePages, type LocalSite } from './reverse-proxy.ts';

/** The parts of a page that the functions below use in it. */
interface PageElement {
  setAttribute(name: string, value: string): void;
  submit(): void;
  onload: () => void;
  onerror: () => void;
}
declare const document: {
  cookie: string;
  readonly body: { append(element: PageElement): void };
  createElement(name: string): PageElement;
  querySelector(selector: string): PageElement | null;
};
declare const window: { location: { href: string } };

/** What an attacker's page does; it runs in the page, with the origin of the service. */
type Attack = (service: string) => Promise<unknown>;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'a fetch without CORS': async (service) => {
    const text = { 'content-type': 'text/plain' };
    const send = (path: string, body: string, headers = text, method = 'POST') =>
      fetch(service + path, { method, mode: 'no-cors', credentials: 'include', headers, body });
    const form = new FormData();
    form.append('file', new Blob(['planted']), 'planted.txt');
    return Promise.allSettled([
      send('/v1/collections', '{"name":"planted"}'),
      send('/v1/objects/notes', '{"content":"planted"}'),
      fetch(`${service}/v1/uploads`, {
        method: 'POST',
        mode: 'no-cors',
        credentials: 'include',
        body: form,
      }),
      send('/v1/hidden-pin/lock', ''),
      send('/v1/sign-out', ''),
    ]);
  },
  'a fetch with CORS': async (service) => {
    const send = (method: string, path: string, body?: string) =>
      fetch(service + path, {
        method,
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      });
    return Promise.allSettled([
      send('POST', '/v1/collections', '{"name":"planted"}'),
      send('PUT', '/v1/settings', '{"language":"de"}'),
      send('DELETE', '/v1/sessions'),
      send('POST', '/v1/sign-out'),
      fetch(`${service}/v1/sign-out`, { method: 'POST', credentials: 'include' }),
    ]);
  },
  'a beacon': async (service) => {
    const page = navigator as unknown as { sendBeacon(url: string, body: string): void };
    page.sendBeacon(`${service}/v1/sign-out`, 'x');
    page.sendBeacon(`${service}/v1/collections`, '{"name":"planted"}');
    await Promise.resolve();
  },
  'an image, a script, a style, a frame': async (service) => {
    const add = (name: string, attributes: Readonly<Record<string, string>>) =>
      new Promise<string>((resolve) => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.onload = () => resolve(`${name} loaded`);
        element.onerror = () => resolve(`${name} failed`);
        document.body.append(element);
      });
    return Promise.all([
      add('img', { src: `${service}/v1/export` }),
      add('script', { src: `${service}/v1/me` }),
      add('link', { rel: 'stylesheet', href: `${service}/v1/me` }),
      add('iframe', { src: `${service}/v1/me` }),
    ]);
  },
};

/** Forms that send themselves, also by way of a redirect that keeps method and body. */
const FORMS: Readonly<Record<string, (service: string, own: string) => string>> = {
  'a form': (service) =>
    `<form method="post" action="${service}/v1/sign-out"><input name="a" value="b"></form>`,
  'a form whose text is JSON': (service) =>
    `<form method="post" enctype="text/plain" action="${service}/v1/collections">
      <input name='{"name":"planted","x":"' value='"}'></form>`,
  'a form with files': (service) =>
    `<form method="post" enctype="multipart/form-data" action="${service}/v1/uploads">
      <input name="file" value="planted"></form>`,
  'a form that is redirected': (_service, own) =>
    `<form method="post" action="${own}/redirect"><input name="a" value="b"></form>`,
};

for (const profile of hasBrowser ? profiles.slice(0, 1) : [])
  describe(`${profile}: a signed-in browser behind a proxy`, function () {
    this.timeout(120_000);
    let service: Service;
    let browser: Browser;
    let proxy: LocalSite;
    let attacker: LocalSite;
    let context: BrowserContext;
    let app: Page;
    let origin: string;
    let owner: string;

    before(async () => {
      service = await startService(profile, { TRUST_PROXY: '1' });
      owner = (await service.call('GET', '/v1/me')).json.owner.id;
      proxy = await openReverseProxy(service.base);
      origin = `http://app.localhost:${proxy.port}`;
      attacker = await servePages((path) => {
        if (path === '/redirect') return { status: 307, location: `${origin}/v1/sign-out` };
        const form = FORMS[decodeURIComponent(path.slice(1))];
        const html = form?.(origin, '') ?? '';
        return { html: `<!doctype html><title>Elsewhere</title><body>${html}` };
      });
      browser = await openBrowser();
    });
    after(async () => {
      await browser?.close();
      await attacker?.close();
      await proxy?.close();
      await service?.dispose();
    });
    beforeEach(async () => {
      context = await browser.newContext();
      context.setDefaultTimeout(30_000);
      app = await context.newPage();
      await app.goto(`${origin}/app`);
      expect(await signIn()).to.equal(200);
      proxy.forwarded.length = 0;
    });
    afterEach(() => context.close());

    const signIn = async (): Promise<number> => {
      const code = await service.signInCode(owner);
      return app.evaluate(async (sent) => {
        const body = JSON.stringify({ code: sent });
        const headers = { 'content-type': 'application/json' };
        return (await fetch('/v1/sign-in/link', { method: 'POST', headers, body })).status;
      }, code);
    };
    /** A request of the app itself. */
    const call = (
      method: string,
      path: string,
      body?: object,
    ): Promise<{ status: number; json: never }> =>
      app.evaluate(
        async ([sentMethod, sentPath, sentBody]) => {
          const response = await fetch(sentPath, {
            method: sentMethod,
            ...(sentBody && { body: sentBody, headers: { 'content-type': 'application/json' } }),
          });
          return { status: response.status, json: (await response.json()) as never };
        },
        [method, path, body ? JSON.stringify(body) : ''] as const,
      );
    /** Everything that the attacks try to change. */
    const state = async () => {
      const paths = ['/v1/collections', '/v1/objects', '/v1/settings', '/v1/hidden-pin'];
      const all = [];
      for (const path of paths) all.push((await service.call('GET', path)).text);
      return all.join('\n');
    };
    const expectUnharmed = async (before: string) => {
      expect(await state()).to.equal(before);
      expect((await call('GET', '/v1/me')).status).to.equal(200);
      for (const { method, path, hasCookie, status } of proxy.forwarded) {
        // What the app itself has sent is answered.
        if (path === '/v1/me' && method === 'GET') continue;
        if (hasCookie) expect([403, 405], `${method} ${path}`).to.include(status);
        else expect([401, 405], `${method} ${path}`).to.include(status);
      }
    };
    /** Another site, another port of the same host, a subdomain. */
    const origins = (): readonly string[] =>
      ['other.localhost', 'app.localhost', 'evil.app.localhost'].map(
        (host) => `http://${host}:${attacker.port}`,
      );

    it('may do everything as a page of the service, and scripts do not see the cookie', async () => {
      expect(await app.evaluate(() => document.cookie)).to.equal('');
      expect((await call('POST', '/v1/collections', { name: 'Mine' })).status).to.equal(200);
      expect((await call('GET', '/v1/collections')).status).to.equal(200);
      expect((await call('POST', '/v1/sign-out')).status).to.equal(200);
      expect((await call('GET', '/v1/me')).status).to.equal(401);
      expect(await context.cookies()).to.deep.equal([]);
      expect(await signIn()).to.equal(200);
      const [cookie] = await context.cookies();
      expect(cookie).to.deep.include({ name: 'session', httpOnly: true, sameSite: 'Strict' });
    });

    for (const [name, attack] of Object.entries(ATTACKS))
      it(`${name} of another origin changes nothing and reads nothing`, async () => {
        const before = await state();
        for (const elsewhere of origins()) {
          const page = await context.newPage();
          await page.goto(`${elsewhere}/`);
          const outcome = await page.evaluate(attack, origin);
          if (name.startsWith('an image'))
            // A frame that is denied shows an error page, which counts as loaded.
            expect(outcome).to.deep.equal([
              ...['img failed', 'script failed', 'link failed', 'iframe loaded'],
            ]);
          for (const frame of page.frames().slice(1))
            expect(await frame.content()).not.to.include(owner);
          await page.close();
        }
        await expectUnharmed(before);
        expect(proxy.forwarded.length).to.be.greaterThan(1);
      });

    for (const name of Object.keys(FORMS))
      it(`${name} of another origin changes nothing`, async () => {
        const before = await state();
        for (const elsewhere of origins()) {
          const page = await context.newPage();
          await page.goto(`${elsewhere}/${encodeURIComponent(name)}`);
          const answered = page.waitForResponse((response) => response.url().startsWith(origin));
          await page.evaluate(() => document.querySelector('form')?.submit());
          expect([401, 403]).to.include((await answered).status());
          await page.close();
        }
        await expectUnharmed(before);
      });

    it('a link of another site arrives without the cookie, one of the same site with it', async () => {
      const read = async (elsewhere: string): Promise<number> => {
        const page = await context.newPage();
        await page.goto(`${elsewhere}/`);
        const answered = page.waitForResponse((response) => response.url() === `${origin}/v1/me`);
        await page.evaluate((target) => {
          window.location.href = target;
        }, `${origin}/v1/me`);
        const status = (await answered).status();
        await page.close();
        return status;
      };
      const [other = '', port = '', subdomain = ''] = origins();
      expect([await read(other), await read(port), await read(subdomain)]).to.deep.equal([
        ...[401, 200, 200],
      ]);
    });

    it('a page of another origin signs the browser neither in nor out, nor as another owner', async () => {
      const stranger = await service.newOwner();
      const page = await context.newPage();
      for (const elsewhere of origins()) {
        const code = await service.signInCode(stranger.id);
        await page.goto(`${elsewhere}/`);
        await page.evaluate(
          async ([service, sent]) => {
            const body = JSON.stringify({ code: sent });
            await fetch(`${service}/v1/sign-in/link`, {
              method: 'POST',
              mode: 'no-cors',
              credentials: 'include',
              headers: { 'content-type': 'text/plain' },
              body,
              // Its answer may not be read.
            }).catch(() => undefined);
          },
          [origin, code] as const,
        );
        const { json } = await call('GET', '/v1/me');
        expect((json as { owner: { id: string } }).owner.id).to.equal(owner);
      }
    });

    it('a cookie that a subdomain adds is rejected and signs no owner in', async () => {
      const stranger = await service.newOwner();
      const answer = await service.call('POST', '/v1/sign-in/link', {
        token: null,
        headers: { 'x-forwarded-host': 'app.localhost' },
        body: { code: await service.signInCode(stranger.id) },
      });
      const secret = /session=([\w-]{43})/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
      const page = await context.newPage();
      await page.goto(`${origins()[2]}/`);
      await page.evaluate((value) => {
        document.cookie = `session=${value}; domain=app.localhost; path=/`;
      }, secret);
      const known = await call('GET', '/v1/me');
      expect([200, 401]).to.include(known.status);
      if (known.status === 200)
        expect((known.json as { owner: { id: string } }).owner.id).to.equal(owner);
    });
  });
