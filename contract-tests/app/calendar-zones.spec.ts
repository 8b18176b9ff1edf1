import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, openApp, type AppOptions, type AppTab } from './app-fixture.ts';
import { ask, clockOf, drag, event, middleOf, plan, sheet } from './calendar-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: zones and languages of the calendar`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    const openIn = async (timezone: string, options: AppOptions = {}): Promise<AppTab> => {
      const tab = await openApp(browser, service, options);
      await ask(service, tab, 'PUT', '/v1/settings', { timezone });
      return tab;
    };
    const close = async ({ complaints, close: end }: AppTab) => {
      expect(complaints).to.deep.equal([]);
      await end();
    };

    it('shows the owner’s zone instead of the device’s, and names another', async () => {
      const tab = await openIn('Europe/Berlin', { timezoneId: 'America/New_York' });
      const { page } = tab;
      await plan(service, tab, {
        title: 'Call to Tokyo',
        starts_at: '2026-11-25T17:00',
        ends_at: '2026-11-25T18:00',
        tz: 'Asia/Tokyo',
      });
      await plan(service, tab, {
        title: 'Golden Week',
        starts_at: '2026-11-10',
        ends_at: '2026-11-12',
        all_day: true,
        tz: 'Asia/Tokyo',
      });
      await tab.open('/calendar?d=2026-11-25&view=month');
      await event(page, /^09:00 Call to Tokyo ?, .*17:00.18:00 in Asia\/Tokyo/).waitFor();
      await event(page, /^Golden Week ?, Tuesday 10 November, All day, day 1 of 2/).waitFor();
      await event(page, /^09:00 Call to Tokyo/).click();
      await sheet(page)
        .getByText(/in Asia\/Tokyo/)
        .waitFor();
      await close(tab);
    });

    it('keeps the clock across a day of 23 and one of 25 hours', async () => {
      const tab = await openIn('Europe/Berlin', { timezoneId: 'Asia/Tokyo' });
      const { page } = tab;
      const days = [
        { view: '2026-03-29', from: '2026-03-28', to: '2026-03-29' },
        { view: '2026-10-25', from: '2026-10-24', to: '2026-10-25' },
      ];
      for (const { view, from, to } of days) {
        const id = await plan(service, tab, {
          title: `Watch ${from}`,
          starts_at: `${from}T10:00`,
          ends_at: `${from}T12:00`,
        });
        await tab.open(`/calendar?d=${view}&view=week`);
        const block = event(page, new RegExp(`^10:00 Watch ${from}`));
        await block.waitFor();
        await block.focus();
        await page.keyboard.press('Alt+ArrowRight');
        const times = async () => {
          const { starts_at: start, ends_at: end } = await ask(
            service,
            tab,
            'GET',
            `/v1/calendar/events/${id}`,
          );
          return `${clockOf(start)} ${clockOf(end)}`;
        };
        const expected = `${to}T10:00 ${to}T12:00`;
        expect(await eventually(times, (each) => each === expected)).to.equal(expected);
        // Also an hour before the change and after it: 01:00 is dragged to 04:00.
        const at = await middleOf(page.locator('.day-col').last());
        const next = event(page, new RegExp(`^10:00 Watch ${from}`));
        await next.waitFor();
        const box = await next.boundingBox();
        const y = (box?.y ?? 0) + 10;
        await drag(page, { x: at.x, y }, { x: at.x, y: y - 48 });
        const earlier = `${to}T09:00 ${to}T11:00`;
        expect(await eventually(times, (each) => each === earlier)).to.equal(earlier);
      }
      await close(tab);
    });

    it('creates at the hour that the clocks leave out, as the service does', async () => {
      const tab = await openIn('Europe/Berlin');
      const { page } = tab;
      await tab.open('/calendar?d=2026-03-29&view=day');
      await page.keyboard.press('a');
      await sheet(page).getByLabel('Title').fill('Gap');
      await sheet(page).getByLabel('Begins: time').fill('02:30');
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      await event(page, /^03:30 Gap/).waitFor();
      await close(tab);
    });

    it('shows rules that it can not express in words, and leaves them as they are', async () => {
      const tab = await openIn('Europe/Berlin');
      const { page } = tab;
      const rrule = 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1';
      const id = await plan(service, tab, {
        title: 'Accounts',
        starts_at: '2026-11-30T16:00',
        ends_at: '2026-11-30T17:00',
        rrule,
      });
      await tab.open('/calendar?d=2026-11-30&view=month');
      await event(page, /Accounts/).click();
      await sheet(page)
        .getByText(/^Every month: .*Friday; the last of these/)
        .waitFor();
      await sheet(page).getByRole('button', { name: 'Edit' }).click();
      await sheet(page).getByLabel('All of them').check();
      await sheet(page)
        .getByText(/the last of these/)
        .waitFor();
      await sheet(page).getByLabel('Where').fill('Office');
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      const read = () => ask(service, tab, 'GET', `/v1/calendar/events/${id}`);
      const saved = await eventually(read, ({ location }) => location === 'Office');
      expect(saved.rrule).to.equal(rrule);
      await close(tab);
    });

    it('says it in German, on a phone, without scrolling sideways', async () => {
      const tab = await openIn('Europe/Berlin', {
        locale: 'de-DE',
        viewport: { width: 390, height: 844 },
      });
      const { page } = tab;
      await plan(service, tab, {
        title: 'Chorprobe im Gemeindesaal der Christuskirche',
        starts_at: '2026-11-03T20:00',
        ends_at: '2026-11-03T21:45',
        rrule: 'FREQ=MONTHLY;BYDAY=1TU;UNTIL=20261224T225959Z',
        reminders: [60],
        status: 'tentative',
      });
      const expectFits = async (place: string) => {
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(wide, place).to.be.at.most(0);
        await capture(page, `calendar-de-${place}`);
      };
      await tab.open('/calendar?d=2026-11-03&view=month');
      await page.getByRole('link', { name: /^Dienstag, 3\. November 2026, 1 Termin/ }).waitFor();
      await expectFits('monat');
      await page.getByRole('link', { name: /^Dienstag, 3\. November 2026, 1 Termin/ }).click();
      await event(page, /^20:00 Chorprobe/).click();
      await sheet(page)
        .getByText('Jeden Monat: 1. Dienstag, bis Donnerstag, 24. Dezember 2026')
        .waitFor();
      await sheet(page).getByText('1 Stunde vorher').waitFor();
      await expectFits('termin');
      await sheet(page).getByRole('button', { name: 'Bearbeiten' }).click();
      await sheet(page).getByLabel('Alle', { exact: true }).check();
      await expectFits('formular');
      await page.keyboard.press('Escape');
      for (const [view, name] of [
        ['week', 'woche'],
        ['list', 'liste'],
      ] as const) {
        await tab.open(`/calendar?d=2026-11-03&view=${view}`);
        await page
          .locator('#main')
          .getByRole('button', { name: /Chorprobe/ })
          .first()
          .waitFor();
        await expectFits(name);
      }
      await tab.open('/calendar/exchange');
      await page.getByText('Kalenderdatei auswählen oder hier ablegen').waitFor();
      await expectFits('austausch');
      await close(tab);
    });
  });
