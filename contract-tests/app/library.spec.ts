import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the library`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    it('shows documents, their states, folders and the preview', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await fillWorkspace(service, tab);
      await open('/library');
      await page.getByRole('row', { name: /tides-2027/ }).waitFor();
      await capture(page, 'library-first');
      await page.getByRole('row', { name: /Tenancy/ }).click({ position: { x: 600, y: 40 } });
      await page.getByRole('complementary', { name: 'Preview' }).waitFor();
      await page.getByRole('heading', { name: 'In it' }).waitFor();
      await page.getByRole('checkbox', { name: /tides/ }).check();
      await page.getByRole('checkbox', { name: /Boat/ }).check();
      await capture(page, 'library-light');
      await expectAccessibleInBothThemes(page, 'library');
      await page.emulateMedia({ colorScheme: 'dark' });
      await capture(page, 'library-dark');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('button', { name: 'Close' }).click();
      await capture(page, 'library-phone');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
