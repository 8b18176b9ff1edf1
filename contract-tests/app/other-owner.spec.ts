import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp } from './app-fixture.ts';
import { chooseFiles, listed, rowOf, textFile, tray } from './uploads-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: another owner in the same browser`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    const signIn = async (page: Page, ownerId: string) => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByLabel('One-time link or code').fill(await service.signInCode(ownerId));
      await page.getByRole('button', { name: 'Use the link' }).click();
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
    };

    it('gets nothing of the files that wait, which are sent once the first owner is back', async () => {
      const app = await openApp(browser, service);
      const { page } = app;
      const second = await service.newOwner();
      await app.open('/library');
      await page.route('**/v1/uploads/**', (route) => route.abort());
      await chooseFiles(page, [textFile('of-the-first.txt', 'of the first owner')]);
      await rowOf(page, 'No connection. Continues automatically.', 'waiting').waitFor();
      await page.evaluate(() => {
        Object.assign(globalThis, { isFirstDocument: true });
      });
      await page.context().clearCookies();
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.unroute('**/v1/uploads/**');
      await signIn(page, second.id);
      await page.waitForFunction(() => !('isFirstDocument' in globalThis));
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      expect(await tray(page).count()).to.equal(0);

      await page.context().clearCookies();
      await page.reload();
      await signIn(page, app.ownerId);
      const [sent] = await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
      );
      expect(sent?.filename).to.equal('of-the-first.txt');
      expect(await listed(service, second)).to.deep.equal([]);
      await app.close();
    });

    it('starts the other tabs of the browser afresh', async () => {
      const app = await openApp(browser, service);
      const { page } = app;
      const second = await service.newOwner();
      await service.call('POST', '/v1/collections', { token: app.token, body: { name: 'Cellar' } });
      await app.open('/library');
      await page.getByRole('link', { name: 'Cellar' }).first().waitFor();
      const other = await page.context().newPage();
      await other.goto(`${service.base}/app/sign-in#${await service.signInCode(second.id)}`);
      await other.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await page.getByRole('link', { name: 'Cellar' }).first().waitFor({ state: 'detached' });
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      expect(await page.getByText('Cellar').count()).to.equal(0);
      await app.close();
    });
  });
