import type { Browser } from 'playwright-core';
import { expect } from 'chai';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes } from './app-fixture.ts';
import { HIDDEN_TEXT, MARKER, openZoneTab } from './zone-fixture.ts';

const SIZES = [
  { name: 'phone', viewport: { width: 390, height: 780 } },
  { name: 'narrow', viewport: { width: 320, height: 640 } },
  { name: 'tablet', viewport: { width: 900, height: 800 } },
] as const;

/** On one profile: this is about the browser. */
for (const profile of hasBrowser ? firstProfile : [])
  describe('the hidden zone in other sizes', function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    for (const { name, viewport } of SIZES)
      it(`can be used on a ${name}, in light and dark`, async () => {
        const hasTouch = name !== 'tablet';
        const tab = await openZoneTab(browser, service, { viewport, hasTouch });
        const { page } = tab;
        const expectNoSideways = async () =>
          expect(
            await page.evaluate<number>(
              'document.documentElement.scrollWidth - document.documentElement.clientWidth',
            ),
          ).to.be.at.most(0);
        await tab.open('/library');
        await page.getByText('Nothing here yet').waitFor();
        await page.getByRole('button', { name: /account/ }).click();
        await page.getByRole('link', { name: 'Hidden zone' }).click();
        await page.getByLabel(/^PIN/).waitFor();
        await expectAccessibleInBothThemes(page, 'dialog');
        await expectNoSideways();
        await page.getByLabel(/^PIN/).fill('48151623');
        await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
        await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
        await expectAccessibleInBothThemes(page, 'list');
        await expectNoSideways();
        await capture(page, `hidden-open-${name}`);
        await page.emulateMedia({ colorScheme: 'dark' });
        await capture(page, `hidden-open-${name}-dark`);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.getByRole('link', { name: new RegExp(MARKER) }).click();
        await page.getByText(HIDDEN_TEXT).first().waitFor();
        await expectAccessibleInBothThemes(page, 'document');
        await expectNoSideways();
        await capture(page, `hidden-document-${name}`);
        await tab.button('Lock now').click();
        await tab.waitUntilLocked();
        await page.getByText('Nothing here yet').waitFor();
        expect(tab.complaints).to.deep.equal([]);
        await tab.close();
      });
  });
