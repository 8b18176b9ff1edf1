import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, openApp, type AppTab } from './app-fixture.ts';
import {
  ask,
  cell,
  drag,
  event,
  fileOf,
  middleOf,
  plan,
  plannedIn,
  sheet,
} from './calendar-fixture.ts';

const MONTH = '/calendar?d=2026-11-11&view=month';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the calendar`, function () {
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

    const expectPlanned = async (expected: readonly string[]) => {
      const planned = () => plannedIn(service, tab);
      const wanted = JSON.stringify(expected);
      const found = await eventually(planned, (each) => JSON.stringify(each) === wanted);
      expect(found).to.deep.equal(expected);
    };

    it('creates an event by a press on a day, and takes it back', async () => {
      const { page } = tab;
      await tab.open(MONTH);
      await cell(page, /^Thursday,? 12 November/).click({ position: { x: 60, y: 80 } });
      await sheet(page).getByLabel('Title').fill('Trustees');
      await sheet(page).getByLabel('Begins: time').fill('19:00');
      await sheet(page).getByLabel('Where').fill('Parish hall');
      await sheet(page).getByRole('button', { name: 'Add a reminder' }).click();
      await capture(page, `calendar-form-${profile}`);
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      await event(page, /^19:00 Trustees/).waitFor();
      await expectPlanned(['2026-11-12T19:00 Trustees']);
      const { items } = await ask(service, tab, 'GET', '/v1/calendar/events');
      expect(items[0]).to.include({ location: 'Parish hall', tz: 'Europe/Berlin' });
      expect(items[0].reminders).to.deep.equal([10]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPlanned([]);
      await event(page, /Trustees/).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPlanned(['2026-11-12T19:00 Trustees']);
    });

    it('says next to the field what is wrong, and changes nothing', async () => {
      const { page } = tab;
      await tab.open(MONTH);
      await page.getByRole('button', { name: 'Event', exact: true }).click();
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      await sheet(page).getByText('Give the event a title.').waitFor();
      await sheet(page).getByLabel('Title').fill('Backwards');
      await sheet(page).getByLabel('Ends', { exact: true }).fill('2020-01-01');
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      await sheet(page).getByText('The end is before the beginning.').waitFor();
      await page.keyboard.press('Escape');
      const { total } = await ask(service, tab, 'GET', '/v1/calendar/events');
      expect(total).to.equal(0);
    });

    it('moves an event to another day by dragging, and back by undo', async () => {
      const { page } = tab;
      await plan(service, tab, {
        title: 'Dentist',
        starts_at: '2026-11-20T08:15',
        ends_at: '2026-11-20T09:00',
      });
      await tab.open(MONTH);
      const from = await middleOf(event(page, /^08:15 Dentist/));
      await drag(page, from, await middleOf(cell(page, /^Wednesday,? 18 November/)));
      await expectPlanned(['2026-11-18T08:15 Dentist']);
      await cell(page, /^Wednesday,? 18/)
        .getByRole('button', { name: /Dentist/ })
        .waitFor();
      expect(await sheet(page).count()).to.equal(0);
      await page.keyboard.press('Control+z');
      await expectPlanned(['2026-11-20T08:15 Dentist']);
      await cell(page, /^Friday,? 20/)
        .getByRole('button', { name: /Dentist/ })
        .waitFor();
    });

    it('moves by the hour and makes longer in the week', async () => {
      const { page } = tab;
      const id = await plan(service, tab, {
        title: 'Lens cleaning',
        starts_at: '2026-11-10T10:00',
        ends_at: '2026-11-10T11:00',
      });
      await tab.open('/calendar?d=2026-11-11&view=week');
      const block = event(page, /Lens cleaning/);
      await block.waitFor();
      const { x, y } = await middleOf(block);
      const column = await middleOf(page.locator('.day-col').nth(3));
      await drag(page, { x, y }, { x: column.x, y: y + 96 });
      await expectPlanned(['2026-11-12T12:00 Lens cleaning']);
      await page
        .locator('.day-col')
        .nth(3)
        .getByRole('button', { name: /^12:00 Lens/ })
        .waitFor();
      const grip = await middleOf(page.locator('.grip'));
      await drag(page, grip, { x: grip.x, y: grip.y + 48 });
      const end = async () => (await ask(service, tab, 'GET', `/v1/calendar/events/${id}`)).ends_at;
      expect(await eventually(end, (at) => at.includes('T13:'))).to.match(/^2026-11-12T13:00/);
      await capture(page, `calendar-week-${profile}`);
      await drag(page, { x: column.x, y: y + 240 }, { x: column.x, y: y + 240 + 72 });
      await sheet(page).getByLabel('Title').fill('Tea');
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      await event(page, /Tea/).waitFor();
      const { items } = await ask(service, tab, 'GET', '/v1/calendar/events?q=Tea');
      const minutes = (Date.parse(items[0].ends_at) - Date.parse(items[0].starts_at)) / 60_000;
      expect(minutes).to.be.within(60, 105);
    });

    const choir = () =>
      plan(service, tab, {
        title: 'Choir',
        starts_at: '2026-11-03T20:00',
        ends_at: '2026-11-03T21:45',
        rrule: 'FREQ=WEEKLY;BYDAY=TU',
      });
    const moveChoir = async (scope: string) => {
      const { page } = tab;
      await tab.open(MONTH);
      const from = await middleOf(
        cell(page, /^Tuesday,? 17 November/).getByRole('button', { name: /Choir/ }),
      );
      await drag(page, from, await middleOf(cell(page, /^Thursday,? 19 November/)));
      await sheet(page).getByLabel(scope, { exact: true }).check();
      await capture(page, `calendar-scope-${profile}`);
      await sheet(page).getByRole('button', { name: 'Move' }).click();
    };
    const TUESDAYS = ['03', '10', '17', '24'].map((day) => `2026-11-${day}T20:00 Choir`);
    const MOVED = {
      'This one': ['03', '10', '19', '24'],
      'This and all that follow': ['03', '10', '19', '26'],
      'All of them': ['05', '12', '19', '26'],
    };
    for (const [scope, days] of Object.entries(MOVED))
      it(`moves of a series: ${scope.toLowerCase()}; undo restores it as it was`, async () => {
        const id = await choir();
        await ask(
          service,
          tab,
          'DELETE',
          `/v1/calendar/events/${id}/occurrences/2026-12-01T20:00:00`,
        );
        await ask(
          service,
          tab,
          'PUT',
          `/v1/calendar/events/${id}/occurrences/2026-12-08T20:00:00`,
          {
            location: 'Chapel',
          },
        );
        const before = await fileOf(service, tab);
        await moveChoir(scope);
        await expectPlanned(days.map((day) => `2026-11-${day}T20:00 Choir`));
        await tab.page.keyboard.press('Control+z');
        await expectPlanned(TUESDAYS);
        expect(await fileOf(service, tab)).to.equal(before);
      });

    it('leaves one out, ends a series, and deletes all of it', async () => {
      const { page } = tab;
      await choir();
      const before = await fileOf(service, tab);
      const remove = async (scope: string) => {
        await tab.open(MONTH);
        await cell(page, /^Tuesday,? 17 November/)
          .getByRole('button', { name: /Choir/ })
          .click();
        await sheet(page).getByText('Every week: Tuesday').waitFor();
        await capture(page, `calendar-event-${profile}`);
        await sheet(page).getByRole('button', { name: 'Delete' }).click();
        await sheet(page).getByLabel(scope, { exact: true }).check();
        await sheet(page).getByRole('button', { name: 'Delete' }).click();
      };
      const rest = {
        'This one': [0, 1, 3],
        'This and all that follow': [0, 1],
        'All of them': [],
      };
      for (const [scope, left] of Object.entries(rest)) {
        await remove(scope);
        await expectPlanned(left.map((nth) => TUESDAYS[nth] ?? ''));
        await page.getByRole('button', { name: 'Undo' }).click();
        await expectPlanned(TUESDAYS);
        expect(await fileOf(service, tab)).to.equal(before);
      }
      // All of it once more, and back again.
      await page.getByText('Undone').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPlanned([]);
      await page.getByText('Undone').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectPlanned(TUESDAYS);
      expect(await fileOf(service, tab)).to.equal(before);
    });

    it('says in the list how events repeat, and when they remind', async () => {
      const { page } = tab;
      await choir();
      await plan(service, tab, {
        title: 'Dentist',
        starts_at: '2026-11-12T09:00',
        ends_at: '2026-11-12T09:30',
        reminders: [60, 10],
      });
      await tab.open('/calendar?d=2026-11-01&view=list');
      const row = (name: string) => page.locator('.agenda .it').filter({ hasText: name });
      await row('Choir').first().getByText('Every week: Tuesday').waitFor();
      expect(await page.locator('main .agenda').getByText('Every week').count()).to.equal(1);
      await row('Dentist').getByText('Reminder: 10 minutes before and 1 hour before').waitFor();
    });

    it('edits a series: one of it keeps following in all other fields', async () => {
      const { page } = tab;
      await choir();
      await tab.open(MONTH);
      await cell(page, /^Tuesday,? 10 November/)
        .getByRole('button', { name: /Choir/ })
        .click();
      await sheet(page).getByRole('button', { name: 'Edit' }).click();
      await sheet(page).getByLabel('Title').fill('Choir in the chapel');
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      const renamed = TUESDAYS.map((each, nth) => (nth === 1 ? `${each} in the chapel` : each));
      await expectPlanned(renamed);
      await cell(page, /^Tuesday,? 17 November/)
        .getByRole('button', { name: /Choir/ })
        .click();
      await sheet(page).getByRole('button', { name: 'Edit' }).click();
      await sheet(page).getByLabel('This and all that follow').check();
      await sheet(page).getByLabel('Repeats', { exact: true }).selectOption('Daily');
      await sheet(page).getByLabel('Ends').last().selectOption('After a number of times');
      await sheet(page).getByLabel('How many times').fill('3');
      await page.keyboard.press('Tab');
      await sheet(page).getByText('Every day, 3 times').waitFor();
      await sheet(page).getByRole('button', { name: 'Save' }).click();
      await expectPlanned([
        ...renamed.slice(0, 2),
        ...['17', '18', '19'].map((day) => `2026-11-${day}T20:00 Choir`),
      ]);
    });

    it('follows what another device changes, and shows a refusal with its reason', async () => {
      const { page } = tab;
      await tab.open(MONTH);
      await page.getByText('Nothing planned.').waitFor();
      const id = await plan(service, tab, {
        title: 'Flat viewing',
        starts_at: '2026-11-24T17:30',
        ends_at: '2026-11-24T18:00',
        status: 'tentative',
      });
      const viewing = event(page, /^17:30 Flat viewing.*not certain/);
      await viewing.waitFor();
      await viewing.click();
      await sheet(page).getByText('Not certain').waitFor();
      await sheet(page).getByRole('button', { name: 'Move', exact: true }).click();
      await page.route('**/v1/calendar/events/*', (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 404, json: { detail: 'Not found', code: 'not_found' } })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'A day later' }).click();
      await page.getByRole('alert').getByText('It is no longer there.').waitFor();
      await cell(page, /^Tuesday,? 24/)
        .getByRole('button', { name: /Flat viewing/ })
        .waitFor();

      await ask(service, tab, 'DELETE', `/v1/calendar/events/${id}`);
      await viewing.waitFor({ state: 'detached' });
    });
  });
