import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp, type AppTab } from './app-fixture.ts';
import { ask, event, plan, plannedIn, sheet } from './calendar-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the calendar by keyboard`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });
    beforeEach(async () => {
      tab = await openApp(browser, service);
      await ask(service, tab, 'PUT', '/v1/settings', { timezone: 'Europe/Berlin' });
    });
    afterEach(async () => {
      expect(tab.complaints).to.deep.equal([]);
      await tab.close();
    });

    const expectPlanned = async (...expected: readonly string[]) => {
      const planned = async () => (await plannedIn(service, tab)).join();
      expect(await eventually(planned, (each) => each === expected.join())).to.equal(
        expected.join(),
      );
    };
    const press = async (page: Page, ...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = (page: Page, name: RegExp) =>
      page.waitForFunction(
        (pattern) => new RegExp(pattern).test(document.activeElement?.textContent ?? ''),
        name.source,
      );

    it('creates, walks, moves, lengthens, edits, deletes and takes back', async () => {
      const { page } = tab;
      await plan(service, tab, {
        title: 'Dentist',
        starts_at: '2026-11-20T08:15',
        ends_at: '2026-11-20T09:00',
      });
      await tab.open('/calendar?d=2026-11-12&view=month');
      await event(page, /Dentist/).waitFor();
      await press(page, 'a');
      await sheet(page).getByLabel('Title').waitFor();
      await page.keyboard.type('Trustees');
      await press(page, 'Enter');
      await expectPlanned('2026-11-12T09:00 Trustees', '2026-11-20T08:15 Dentist');
      await event(page, /Trustees/).waitFor();
      await press(page, 'j');
      await focused(page, /Trustees/);
      await press(page, 'j');
      await focused(page, /Dentist/);
      await press(page, 'k');
      await focused(page, /Trustees/);
      await press(page, 'Alt+ArrowRight');
      await expectPlanned('2026-11-13T09:00 Trustees', '2026-11-20T08:15 Dentist');
      await focused(page, /Trustees, Friday 13/);
      await press(page, 'Alt+ArrowDown');
      await expectPlanned('2026-11-20T08:15 Dentist', '2026-11-20T09:00 Trustees');
      await focused(page, /Trustees, Friday 20/);
      await press(page, 'w');
      await page.locator('.day-col').first().waitFor();
      await event(page, /Trustees/).waitFor();
      await press(page, 'j');
      await focused(page, /Trustees/);
      await press(page, 'Alt+ArrowUp');
      await expectPlanned('2026-11-20T08:15 Dentist', '2026-11-20T08:45 Trustees');
      await focused(page, /^08:45 Trustees/);
      await press(page, 'Alt+Shift+ArrowDown');
      const end = async () =>
        (await ask(service, tab, 'GET', '/v1/calendar/events?q=Trustees')).items[0].ends_at;
      expect(await eventually(end, (at) => at.includes('T09:00'))).to.include('T09:00');
      await press(page, 'Enter');
      await sheet(page).getByRole('button', { name: 'Edit' }).waitFor();
      await page.waitForFunction(
        () => document.querySelector('dialog[open] button[type=submit]:not([disabled])') !== null,
      );
      await sheet(page).getByRole('button', { name: 'Edit' }).press('Enter');
      await sheet(page).getByLabel('Title').waitFor();
      await press(page, 'Control+a');
      await page.keyboard.type('All trustees');
      await press(page, 'Enter');
      await expectPlanned('2026-11-20T08:15 Dentist', '2026-11-20T08:45 All trustees');
      await event(page, /All trustees/).waitFor();
      await press(page, 'j', 'j', 'Delete');
      await expectPlanned('2026-11-20T08:15 Dentist');
      await press(page, 'Control+z');
      await expectPlanned('2026-11-20T08:15 Dentist', '2026-11-20T08:45 All trustees');
    });

    it('changes view and period, and says its keys in the help', async () => {
      const { page } = tab;
      await tab.open('/calendar?d=2026-11-12&view=month');
      const heading = (name: RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
      await heading(/November 2026/);
      await press(page, 'Shift+J');
      await heading(/December 2026/);
      await press(page, '[', '[');
      await heading(/October 2026/);
      await press(page, 'd');
      await heading(/Thursday,? 1 October 2026/);
      await press(page, ']', 'l');
      await heading(/2\D+Oct/);
      await press(page, 't', 'm', '?');
      await sheet(page).getByText('Move the event a day later').waitFor();
      await sheet(page).getByText('In the calendar').waitFor();
      await press(page, 'Escape');
      await page.getByRole('link', { name: /^\w+,? 10 \w+ 2026, 0 events/ }).focus();
      await press(page, 'ArrowDown');
      await focused(page, /17 \w+ 2026/);
      await press(page, 'ArrowRight', 'ArrowUp');
      await focused(page, /11 \w+ 2026/);
    });

    it('finds events by the palette, a series at its next time', async () => {
      const { page } = tab;
      await plan(service, tab, {
        title: 'Choir',
        starts_at: '2026-01-06T20:00',
        ends_at: '2026-01-06T21:45',
        rrule: 'FREQ=WEEKLY;BYDAY=TU',
      });
      await tab.open('/library');
      await press(page, 'Control+k');
      await sheet(page).getByRole('combobox').fill(':choi');
      await sheet(page).getByRole('option', { name: /Choir/ }).waitFor();
      await press(page, 'Enter');
      await sheet(page).getByText('Every week: Tuesday').waitFor();
      expect(new URL(page.url()).pathname).to.match(/\/calendar$/);
      await press(page, 'Escape');
      await page.waitForURL((url) => !url.searchParams.has('event'));
      await event(page, /20:00 Choir/).waitFor();
    });
  });
