import { expect } from 'chai';
import type { Browser, Page, Route } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, startService, type Service } from '../http/harness.ts';
import {
  capture,
  expectAccessibleInBothThemes,
  openInstalledApp,
  type AppTab,
} from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';

const LIST = /\/v1\/objects\?/;
const INTERNAL = {
  status: 500,
  headers: { 'x-request-id': 'request-of-this-test' },
  json: { detail: 'Failed.', code: 'internal' },
};

/** Paths of the chunks that are loaded while `act` runs, and after the app was opened anew. */
async function chunksOf(page: Page, act: () => Promise<unknown>): Promise<readonly string[]> {
  const paths: string[] = [];
  const note = (request: { url(): string }) => {
    const { pathname } = new URL(request.url());
    if (/\/assets\/.*\.js$/.test(pathname)) paths.push(pathname);
  };
  page.on('request', note);
  await act();
  page.off('request', note);
  return paths;
}

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: failures in the app`, function () {
    this.timeout(240_000);
    let service: Service;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    before(async () => {
      service = await startService(profile);
      browser = await sharedBrowser();
    });
    after(async () => {
      await service.dispose();
    });
    beforeEach(async () => {
      // Without the service worker, which would have the chunks already.
      tab = await openInstalledApp(browser, service, { serviceWorkers: 'block' });
      ({ page } = tab);
      await writeNote(service, tab, 'Lighthouse', 'The lamp burns all night.');
    });
    afterEach(() => tab.close());

    const rows = () => page.getByRole('row', { name: /Lighthouse/ });
    const change = (title: string) =>
      service.call('POST', '/v1/objects/notes', {
        token: tab.token,
        body: { title, content: title },
      });

    it('of a background refresh leave the rows, and say so', async () => {
      await tab.open('/library');
      await rows().waitFor();
      await page.route(LIST, (route) => route.fulfill(INTERNAL));
      await change('Beacon');
      await page.getByRole('alert').getByText('The service failed.').waitFor();
      await page.getByRole('alert').getByText('request-of-this-test').waitFor();
      expect(await rows().count()).to.equal(1);
      await capture(page, 'failed-refresh');
      await expectAccessibleInBothThemes(page, 'a refresh that failed');
      await page.unroute(LIST);
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('row', { name: /Beacon/ }).waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    it('without a body of the service are named by what happened', async () => {
      const replies: readonly (readonly [(route: Route) => Promise<void>, string])[] = [
        [
          (route) =>
            route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
          'The service is busy. Try again in a few seconds.',
        ],
        [
          (route) => route.fulfill({ status: 500, body: '{"detail": "cut o' }),
          'The service failed.',
        ],
        [
          (route) =>
            route.fulfill({ status: 200, contentType: 'application/json', body: '<html>Log in' }),
          'The response could not be read. Try again.',
        ],
        [(route) => route.abort('connectionreset'), 'The service could not be reached.'],
      ];
      // The first position of the stream would have everything loaded again, without the owner.
      await page.route('**/v1/changes', () => undefined);
      for (const [reply, message] of replies) {
        await page.route(LIST, reply);
        await tab.open('/library');
        await page.getByRole('alert').getByText(message).first().waitFor();
        expect(await page.getByText(/Gateway|Log in|cut o/).count()).to.equal(0);
        await page.unroute(LIST);
        await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().click();
        await rows().waitFor();
      }
    });

    it('of the session do not sign out', async () => {
      await page.route('**/v1/me', (route) => route.fulfill(INTERNAL));
      await tab.open('/library');
      await page.getByText('The service failed.').waitFor();
      await page.unroute('**/v1/me');
      await page.getByRole('button', { name: 'Try again' }).click();
      await rows().waitFor();
    });

    it('of a screen that can not be loaded offer a reload', async () => {
      await tab.open('/library');
      await rows().waitFor();
      const link = page.getByRole('link', { name: 'Trash' }).first();
      const chunks = await chunksOf(page, async () => {
        await link.click();
        await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
      });
      expect(chunks.length).to.be.above(0);
      const isChunk = (url: URL) => chunks.includes(url.pathname);
      await tab.open('/library');
      await page.route(isChunk, (route) => route.abort());
      await link.click();
      await page
        .getByRole('heading', { level: 1, name: 'Part of the app could not be loaded' })
        .waitFor();
      await capture(page, 'not-loaded');
      await expectAccessibleInBothThemes(page, 'a screen that was not loaded');
      await page.unroute(isChunk);
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    });

    it('of a chunk that is loaded ahead are shown when it is needed, and not before', async () => {
      await tab.open('/library');
      await rows().waitFor();
      const chunks = await chunksOf(page, async () => {
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      });
      const isChunk = (url: URL) => chunks.includes(url.pathname);
      await page.route(isChunk, (route) => route.abort());
      await tab.open('/library');
      await rows().waitFor();
      expect(await page.getByRole('button', { name: 'Reload' }).count()).to.equal(0);
      await page.keyboard.press('?');
      await page.getByRole('alert').getByRole('button', { name: 'Reload' }).waitFor();
      // The screen works on.
      await rows().waitFor();
      await expectAccessibleInBothThemes(page, 'a dialog that was not loaded');
    });

    for (const status of [429, 503])
      it(`with ${status} wait as long as the service says, and then go on by themselves`, async () => {
        const limited = (path: string, method: string) => {
          const times: number[] = [];
          return {
            times,
            on: () =>
              page.route(path, async (route) => {
                if (route.request().method() !== method) return route.fallback();
                times.push(Date.now());
                if (times.length > 1) return route.continue();
                return route.fulfill({
                  status,
                  headers: { 'retry-after': '1' },
                  json: { detail: 'Later.', code: status === 429 ? 'rate_limited' : 'unavailable' },
                });
              }),
          };
        };
        const list = limited('**/v1/objects?*offset=0*', 'GET');
        await list.on();
        await tab.open('/library');
        await rows().waitFor();
        const patch = limited('**/v1/settings', 'PUT');
        await patch.on();
        await tab.open('/settings/look');
        await page.getByRole('button', { name: 'Dark' }).click();
        await page.locator('html[data-theme="dark"]').waitFor();
        for (const { times } of [list, patch]) {
          const [first = 0, second = 0] = times;
          expect(second - first).to.be.at.least(900);
        }
        expect(await page.getByRole('alert').count()).to.equal(0);
      });

    it('of a wrong secret are not repeated', async () => {
      let requests = 0;
      await page.route('**/v1/me/password', (route) => {
        requests++;
        return route.fulfill({
          status: 429,
          headers: { 'retry-after': '0' },
          json: { detail: 'Wait.', code: 'rate_limited' },
        });
      });
      await tab.open('/settings/you');
      await page.getByLabel('New password').fill('a long password of words');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('Too many requests. Wait a moment.').waitFor();
      expect(
        await eventually(
          () => Promise.resolve(requests),
          (each) => each > 0,
        ),
      ).to.equal(1);
    });
  });
