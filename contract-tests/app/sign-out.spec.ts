import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { expectAccessible, openApp } from './app-fixture.ts';
import { chooseFiles, rowOf, textFile } from './uploads-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: signing out while files wait`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    it('asks first, deletes nothing if it fails, and everything once it has succeeded', async () => {
      const app = await openApp(browser, service);
      const { page } = app;
      await app.open('/library');
      await page.route('**/v1/uploads/**', (route) => route.abort());
      await chooseFiles(page, [textFile('waits.txt', 'not sent yet')]);
      const row = rowOf(page, 'No connection. Continues automatically.', 'waiting');
      await row.waitFor();
      const dialog = page.getByRole('dialog', { name: 'Sign out?' });
      const ask = async () => {
        await page.getByRole('button', { name: /: account$|, .*account/ }).click();
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await dialog.getByText('1 file has not been sent yet.').waitFor();
      };
      const confirm = () => dialog.getByRole('button', { name: 'Sign out', exact: true }).click();
      await ask();
      await expectAccessible(page, 'signing out while files wait');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });

      await page.route('**/v1/sign-out', (route) => route.abort());
      await ask();
      await confirm();
      await page.locator('.toast').waitFor();
      await row.waitFor();
      await page.unroute('**/v1/sign-out');

      await ask();
      // The app is loaded again.
      await Promise.all([page.waitForEvent('load'), confirm()]);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const stored = () =>
        page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
      const left = await eventually(stored, (names) => names.every((name) => name === 'shared'));
      expect(left.filter((name) => name !== 'shared')).to.deep.equal([]);
      await app.close();
    });
  });
