import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openInstalledApp } from './app-fixture.ts';

const LANGUAGE = /\/assets\/(en|de|fr|es|ru|zh)-\w+\.js$/;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the shell of the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    it('opens without a complaint of the browser', async () => {
      const { page, open, complaints, close } = await openInstalledApp(browser, service);
      await open('/library');
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await capture(page, 'shell');
      await expectAccessibleInBothThemes(page, 'shell');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('sends its first requests before a script has run, each once', async () => {
      for (const [locale, language] of [
        ['en-GB', 'en'],
        ['ru-RU', 'ru'],
        ['pt-BR', 'en'],
      ] as const) {
        const tab = await openInstalledApp(browser, service, { locale });
        const { page, open, token } = tab;
        const body = { content: 'the first' };
        const { json } = await service.call('POST', '/v1/objects/notes', { token, body });
        // A note that is still being read changes, and the list is read again.
        await service.settled(json.id, { token });
        // With the first change of the stream everything is read again.
        await page.route('**/v1/changes*', () => undefined);
        await open('/library');
        await page.getByText('the first').first().waitFor();
        const requests = await page.evaluate(() =>
          (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
            ({ name, startTime, responseEnd }) => ({
              path: name.replace(location.origin, ''),
              startTime,
              responseEnd,
            }),
          ),
        );
        const first = [
          '/v1/me',
          '/v1/settings',
          '/v1/objects?order=newest&limit=100&offset=0',
          ...requests.map(({ path }) => path).filter((path) => LANGUAGE.test(path)),
        ];
        expect(first[3], locale).to.include(`/assets/${language}-`);
        const sent = requests.filter(({ path }) => first.includes(path));
        expect(sent.map(({ path }) => path).toSorted(), locale).to.deep.equal(first.toSorted());
        const script = await page.locator('head > script').getAttribute('src');
        const { responseEnd: loaded = 0 } = requests.find(({ path }) => path === script) ?? {};
        for (const { path, startTime } of sent) expect(startTime, path).to.be.below(loaded);
        expect(tab.complaints).to.deep.equal([]);
        await tab.close();
      }
    });

    it('shows the stored shell on a later visit, and current documents', async () => {
      const { page, open, token, complaints, close } = await openInstalledApp(browser, service);
      await open('/library');
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      await service.call('POST', '/v1/objects/notes', { token, body: { content: 'noted later' } });
      const shell = await page.goto(`${service.base}/app/library`);
      expect(shell!.fromServiceWorker()).to.equal(true);
      expect(shell!.headers()['content-security-policy']).to.include("default-src 'none'");
      await page.getByText('noted later').first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
