import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { ask, plan, plannedIn, sheet } from './calendar-fixture.ts';

const fileWith = (...events: readonly (readonly string[])[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Skerry//Tides//EN',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const GOOD = ['UID:tide-1', 'DTSTART:20261112T180000Z', 'DTEND:20261112T190000Z', 'SUMMARY:Tide'];
const BAD = ['UID:tide-2', 'DTSTART:20269912T180000Z', 'SUMMARY:Never'];

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: exchange of the calendar`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      await tab.open('/calendar/exchange');
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const choose = (page: Page, name: string, content: string | Buffer) =>
      page
        .getByLabel('Choose a calendar file, or drop it here')
        .setInputFiles({ name, mimeType: 'text/calendar', buffer: Buffer.from(content) });

    it('takes a file in, and tells its faults by line', async () => {
      const { page } = tab;
      await choose(page, 'tides.ics', fileWith(GOOD, BAD));
      const report = page.getByRole('status').filter({ hasText: 'tides.ics' });
      await report.getByText('1 event was left out').waitFor();
      await report.getByText('tide-2').waitFor();
      await report.getByText(/^Line \d+$/).waitFor();
      expect(await plannedIn(service, tab)).to.deep.equal(['2026-11-12T19:00 Tide']);
      await capture(page, `calendar-import-${profile}`);
      await expectAccessibleInBothThemes(page, 'import');
      await choose(page, 'again.ics', fileWith(GOOD));
      const again = page.getByRole('status').filter({ hasText: 'again.ics' });
      await again.getByText('unchanged').waitFor();
      expect((await plannedIn(service, tab)).length).to.equal(1);
    });

    it('has the report after a reload, and says of a file that was cut off that nothing came in', async () => {
      const { page } = tab;
      await page.reload();
      const again = page.getByRole('status').filter({ hasText: 'again.ics' });
      await again.getByText('unchanged').waitFor();
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      await page.getByText('again.ics').waitFor({ state: 'detached' });
      await page.route('**/v1/calendar/import', () => undefined);
      await choose(page, 'late.ics', fileWith(GOOD));
      await page.getByText('Bringing in late.ics').waitFor();
      page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await page.getByText('The import was interrupted. Nothing was changed.').waitFor();
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      await page.unroute('**/v1/calendar/import');
    });

    it('refuses what is no calendar, and what is too large', async () => {
      const { page } = tab;
      await choose(page, 'prose.ics', 'The tide would wait.');
      await page.getByText('This is not a calendar file.').waitFor();
      await choose(page, 'huge.ics', Buffer.alloc(8 * 2 ** 20 + 1, 'x'));
      await page.getByText('The file has more than 8 MB.').waitFor();
      expect((await plannedIn(service, tab)).length).to.equal(1);
      // The browser reports the refusal of the service.
      expect(tab.complaints.every((each) => each.includes('400'))).to.equal(true);
    });

    it('saves the calendar as a file', async () => {
      const { page } = tab;
      await plan(service, tab, {
        title: 'Choir',
        starts_at: '2026-11-03T20:00',
        ends_at: '2026-11-03T21:45',
        rrule: 'FREQ=WEEKLY;BYDAY=TU',
      });
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Save the calendar' }).click(),
      ]);
      const text = await readFile(await download.path(), 'utf8');
      expect(text).to.match(/^BEGIN:VCALENDAR\r\n/);
      expect(text).to.include('SUMMARY:Choir').and.to.include('RRULE:FREQ=WEEKLY;BYDAY=TU');
    });

    it('makes a secret address, shows it once, replaces it and ends it', async () => {
      const { page } = tab;
      const address = () => page.getByLabel('Secret address').inputValue();
      const statusOf = async (url: string) =>
        (await fetch(new URL(new URL(url).pathname, service.base))).status;
      await page.getByRole('button', { name: 'Make an address' }).click();
      await page.getByText('It is shown only now.').waitFor();
      const first = await address();
      expect(await statusOf(first)).to.equal(200);
      const { ui } = await ask(service, tab, 'GET', '/v1/settings');
      expect(JSON.stringify(ui)).to.not.include(first.slice(-12));
      await page.reload();
      await page.getByText('There is an address. It was shown once').waitFor();
      expect(await page.content()).to.not.include(first.slice(-12));
      await page.getByRole('button', { name: 'New address' }).click();
      await sheet(page).getByRole('button', { name: 'Replace the address' }).click();
      await page.getByText('It is shown only now.').waitFor();
      const second = await address();
      expect(
        await eventually(
          () => statusOf(first),
          (status) => status === 404,
        ),
      ).to.equal(404);
      expect(await statusOf(second)).to.equal(200);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByText('Copied the address').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(second);
      await capture(page, `calendar-feed-${profile}`);
      await page.getByRole('button', { name: 'End the address' }).click();
      await sheet(page).getByRole('button', { name: 'End the address' }).click();
      await page.getByRole('button', { name: 'Make an address' }).waitFor();
      expect(await statusOf(second)).to.equal(404);
    });
  });
