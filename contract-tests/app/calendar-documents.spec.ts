import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, openApp, type AppTab } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';
import { ask, event, plannedIn, sheet } from './calendar-fixture.ts';
import { enterPin, PIN } from './zone-fixture.ts';

const LETTER = `The flat in Mühlenweg 3 is let for one year.

The viewing is on 24 November 2026 at 17:30, please be on time.

The notice has to reach us by 30 November 2026. Keys are handed over afterwards.`;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: events from documents`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let id: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      await ask(service, tab, 'PUT', '/v1/settings', { timezone: 'Europe/Berlin' });
      id = await writeNote(service, tab, 'Letter of the landlord', LETTER);
      await service.settled(id, { token: tab.token });
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const expectPlanned = async (...expected: readonly string[]) => {
      const planned = async () => (await plannedIn(service, tab)).join();
      expect(await eventually(planned, (each) => each === expected.join())).to.equal(
        expected.join(),
      );
    };

    it('makes an event of a date with one press: of the day, or at the time beside it', async () => {
      const { page } = tab;
      await tab.open(`/object/${id}`);
      await page.getByRole('button', { name: 'Make an event of 30 November 2026' }).click();
      await page.getByRole('link', { name: /^In the calendar: .*30 Nov/ }).waitFor();
      await expectPlanned('2026-11-30T00:00 Letter of the landlord');
      await page.getByRole('button', { name: 'Make an event of 24 November 2026' }).click();
      await page.getByRole('link', { name: /^In the calendar: .*24 Nov/ }).waitFor();
      await expectPlanned(
        '2026-11-24T17:30 Letter of the landlord',
        '2026-11-30T00:00 Letter of the landlord',
      );
      await page.keyboard.press('Control+z');
      await expectPlanned('2026-11-30T00:00 Letter of the landlord');
      await capture(page, `calendar-dates-${profile}`);
    });

    it('shows the words of the document, and opens their place', async () => {
      const { page } = tab;
      await page.getByRole('link', { name: /^In the calendar: .*30 Nov/ }).click();
      const quote = sheet(page).locator('blockquote');
      await quote.getByText('The notice has to reach us by 30 November 2026.').waitFor();
      await capture(page, `calendar-quote-${profile}`);
      await sheet(page)
        .getByRole('link', { name: /^Letter of the landlord/ })
        .click();
      await page.waitForURL(new RegExp(`/object/${id}#t=\\d+-\\d+$`));
      await page.locator('main').getByText('30 November 2026').first().waitFor();
      await tab.open('/calendar?d=2026-11-30&view=month');
      await event(page, /^Letter of the landlord ?, .*From a document/).waitFor();
    });

    it('makes none of a document that is hidden', async () => {
      const { page } = tab;
      await ask(service, tab, 'POST', '/v1/hidden-pin', { pin: PIN });
      await ask(service, tab, 'POST', '/v1/objects/bulk', { action: 'hide', ids: [id] });
      await ask(service, tab, 'POST', '/v1/hidden-pin/lock');
      await tab.open('/hidden');
      await enterPin(page);
      await page.getByText('Letter of the landlord').first().dblclick();
      await page.locator('.details').getByRole('button', { name: '30 November 2026' }).waitFor();
      expect(await page.getByRole('button', { name: /^Make an event/ }).count()).to.equal(0);
    });
  });
