import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import {
  capture,
  expectAccessibleInBothThemes,
  openInstalledApp,
  type AppTab,
} from './app-fixture.ts';
import { MARKER, enterPin, hideDocument, zoneTab } from './zone-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the PIN in the settings`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openInstalledApp(browser, service);
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const button = (name: string) => tab.page.getByRole('button', { name, exact: true });
    const toast = (text: string) => tab.page.locator('.toast').filter({ hasText: text }).last();
    const state = async () =>
      (await service.call('GET', '/v1/hidden-pin', { token: tab.token })).json as object;
    const opens = async (pin: string) => {
      const { token } = tab;
      const { status } = await service.call('POST', '/v1/hidden-pin/unlock', {
        token,
        body: { pin },
      });
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      return status === 200;
    };

    it('is set there, without opening the zone', async () => {
      const { page } = tab;
      await tab.open('/settings');
      await page.locator('.rail').getByRole('link', { name: 'Hidden zone' }).click();
      await page.waitForURL(/\/settings\/hidden$/);
      await page.getByText('Without a PIN').waitFor();
      await expectAccessibleInBothThemes(page, 'settings without a PIN');
      expect(await button('Remove the PIN').count()).to.equal(0);
      await page.getByLabel(/^New PIN/).fill('first-1');
      await button('Set the PIN').click();
      await toast('The PIN is set.').waitFor();
      await button('Change the PIN').waitFor();
      expect(await page.locator('.zone-bar').count()).to.equal(0);
      expect(await state()).to.include({ configured: true, unlocked: false });
      expect(await opens('first-1')).to.equal(true);
    });

    it('is changed with the old one, also while the zone is open', async () => {
      const { page } = tab;
      await page.getByLabel('Current PIN').fill('wrong-1');
      await page.getByLabel(/^New PIN/).fill('second-2');
      await button('Change the PIN').click();
      await page.getByText('That was not the PIN.').waitFor();
      await capture(page, 'settings-hidden');
      await expectAccessibleInBothThemes(page, 'settings with a PIN');
      await page.getByLabel('Current PIN').fill('first-1');
      await button('Change the PIN').click();
      await toast('The PIN is changed.').waitFor();
      expect(await opens('first-1')).to.equal(false);
      expect(await opens('second-2')).to.equal(true);

      const zone = zoneTab(tab, '');
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await enterPin(page, 'second-2');
      await zone.bar.waitFor();
      await page.locator('.rail').getByRole('link', { name: 'Settings' }).click();
      await page.locator('.rail').getByRole('link', { name: 'Hidden zone' }).click();
      await page.getByLabel('Current PIN').fill('second-2');
      await page.getByLabel(/^New PIN/).fill('48151623');
      // While the reply is on its way, the token of the open zone has ended already.
      const changed = Promise.withResolvers<void>();
      const replied = Promise.withResolvers<void>();
      await page.route('**/v1/hidden-pin', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        const response = await route.fetch();
        changed.resolve();
        await replied.promise;
        await route.fulfill({ response });
      });
      await button('Change the PIN').click();
      await changed.promise;
      await page.getByRole('heading', { level: 1 }).first().focus();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByText('needs a valid unlock token').waitFor();
      // Then the zone is open with the token of the new PIN.
      replied.resolve();
      await page.getByText('Nothing is hidden').waitFor();
      await page.keyboard.press('Shift+Escape');
      await zone.waitUntilLocked();
      expect(await eventually(state, (now) => !('unlocked' in now && now.unlocked))).to.include({
        unlocked: false,
      });
    });

    it('asks before it is removed, and opens nothing by itself', async () => {
      const { page } = tab;
      await hideDocument(service, tab);
      await tab.open('/settings/hidden');
      await button('Remove the PIN').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Remove the PIN?' }).waitFor();
      await capture(page, 'settings-hidden-remove');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await state()).to.include({ configured: true });
      await button('Remove the PIN').click();
      await dialog.getByLabel('Current PIN').fill('0000');
      await dialog.getByRole('button', { name: 'Remove the PIN' }).click();
      await dialog.getByText('That was not the PIN.').waitFor();
      await dialog.getByLabel('Current PIN').fill('48151623');
      await dialog.getByRole('button', { name: 'Remove the PIN' }).click();
      await toast('There is no PIN any more.').waitFor();
      await button('Set the PIN').waitFor();
      expect(await state()).to.include({ configured: false });
      await tab.open('/library');
      await page.getByText('Nothing here yet').waitFor();
      expect(await page.locator('body').innerText()).to.not.contain(MARKER);
    });
  });
