import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  openOidcProvider,
  type FakeOidcProvider,
} from '../fake-oidc-provider.ts';
import { hasBrowser, openBrowser, openTab, type Tab } from './browser.ts';
import { profiles, startService, type Service } from './harness.ts';

/** What the scripts of the page use of the browser. */
declare const document: { readonly cookie: string };
declare const location: { href: string };

/** One profile is enough: the responses are the same on both, and tested there. */
for (const profile of hasBrowser ? profiles.slice(0, 1) : [])
  describe(`${profile}: signing in at an identity provider, in a browser`, function () {
    this.timeout(60_000);
    let issuer: FakeOidcProvider;
    let service: Service;
    let browser: Browser;
    /** Another site than the provider's, which is at an IP address. */
    let localhost: string;
    let owner: string;
    const tabs: Tab[] = [];
    before(async () => {
      issuer = await openOidcProvider();
      service = await startService(profile, {
        OIDC_ISSUER: issuer.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
      });
      localhost = service.base.replace('127.0.0.1', 'localhost');
      owner = (await service.call('GET', '/v1/me')).json.owner.id;
      browser = await openBrowser();
    });
    afterEach(async () => {
      for (const tab of tabs.splice(0)) await tab.close();
    });
    after(async () => {
      await browser?.close();
      await service?.dispose();
      await issuer?.close();
    });

    /** A new browser on an empty page of the app, whose person is this subject of the provider. */
    const openApp = async (subject: string): Promise<Page> => {
      const tab = await openTab(browser, { extraHTTPHeaders: { 'x-test-subject': subject } });
      tabs.push(tab);
      await tab.page.route(/\/app(\/sign-in)?(\?.*)?$/, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>app</title>' }),
      );
      await tab.page.goto(`${localhost}/app`);
      return tab.page;
    };
    const send = (page: Page, method: string, path: string, body?: object) =>
      page.evaluate(
        async ([how, where, json]) => {
          const answer = await fetch(where, {
            method: how,
            ...(json !== '' && { headers: { 'content-type': 'application/json' }, body: json }),
          });
          // eslint-disable-next-line @typescript-eslint/no-explicit-any -- black box
          return { status: answer.status, json: (await answer.json()) as any };
        },
        [method, path, body ? JSON.stringify(body) : ''] as const,
      );
    /** Navigates by the page itself, like a link on it, and compares where the browser ends up. */
    const follow = async (page: Page, url: string, end: string): Promise<void> => {
      const arrived = page.waitForEvent('framenavigated');
      // After the script has returned: its page is gone then.
      await page.evaluate((to) => {
        setTimeout(() => (location.href = to));
      }, url);
      await arrived;
      expect(page.url()).to.equal(localhost + end);
      // The page at the end of a redirect is not the empty one.
      await page.goto(`${localhost}/app`);
    };

    it('links by a page that is signed in, and signs in, although the answer comes from another site', async () => {
      const first = await openApp('ada');
      const code = await service.signInCode(owner);
      expect((await send(first, 'POST', '/v1/sign-in/link', { code })).status).to.equal(200);
      const { json } = await send(first, 'POST', '/v1/me/oidc');
      await follow(first, json.url, '/app');
      expect((await send(first, 'GET', '/v1/me/oidc')).json.linked).to.include({
        issuer: issuer.issuer,
      });

      const second = await openApp('ada');
      expect((await send(second, 'GET', '/v1/me')).status).to.equal(401);
      await follow(second, `${localhost}/v1/sign-in/oidc`, '/app');
      const me = await send(second, 'GET', '/v1/me');
      expect([me.status, me.json.owner.id]).to.deep.equal([200, owner]);
      expect(await second.evaluate(() => document.cookie)).to.equal('');
      const cookies = (await second.context().cookies(localhost)).map(
        ({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }),
      );
      expect(cookies).to.deep.equal([{ name: 'session', httpOnly: true, sameSite: 'Strict' }]);

      // Signing in again renews the session of the browser, whose cookie the answer does not bring along.
      await follow(second, `${localhost}/v1/sign-in/oidc`, '/app');
      expect((await send(second, 'GET', '/v1/sessions')).json.total).to.equal(2);
    });

    it('does not sign a browser in by the answer that another one got', async () => {
      const begun = await service.call('GET', '/v1/sign-in/oidc', { token: null });
      const callback = await issuer.signIn(begun.headers.get('location') ?? '', 'ada');
      const victim = await openApp('bob');
      await victim.goto(`${localhost}/v1/sign-in/oidc/callback${new URL(callback).search}`);
      expect(victim.url()).to.equal(`${localhost}/app/sign-in?error=oidc_expired`);
      await victim.goto(`${localhost}/app`);
      expect((await send(victim, 'GET', '/v1/me')).status).to.equal(401);
    });

    it('returns to the app with a code when the person refuses', async () => {
      const page = await openApp('');
      await follow(page, `${localhost}/v1/sign-in/oidc`, '/app/sign-in?error=oidc_denied');
      expect(await page.context().cookies(localhost)).to.deep.equal([]);
    });
  });
