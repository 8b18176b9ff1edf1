import type { Page } from 'playwright-core';
import { sheet } from '../calendar-fixture.ts';
import type { TourScreen } from '../tour-screen.ts';

const MONTH = '/calendar?d=2026-11-12&view=month';
const WIDE = [900, 1_440];

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: /2026/ }).waitFor();
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Plans something by the form, as an owner does. */
const planIn = async (page: Page, title: string): Promise<void> => {
  await press(page, 'a');
  await sheet(page).getByLabel('Title').fill(title);
  await press(page, 'Enter');
  await sheet(page).waitFor({ state: 'detached' });
};

export const CALENDAR: readonly TourScreen[] = [
  {
    name: 'calendar-empty',
    path: MONTH,
    owner: 'empty',
    reach: (page) => page.getByText('Nothing planned.').waitFor(),
  },
  {
    name: 'calendar-form',
    path: MONTH,
    reach: async (page) => {
      await heading(page);
      await press(page, 'a', 'Enter');
      await sheet(page).getByText('Give the event a title.').waitFor();
      await sheet(page).getByLabel('Repeats', { exact: true }).selectOption('Weekly');
      await sheet(page).getByText('Description, time zone, state').click();
      await sheet(page).getByLabel('Description').waitFor();
    },
  },
  {
    name: 'calendar-month',
    path: MONTH,
    reach: async (page) => {
      await heading(page);
      await planIn(page, 'Trustees in the parish hall');
      await page.getByRole('link', { name: /^Thursday,? 12 November 2026, \d+ events?/ }).waitFor();
    },
  },
  {
    name: 'calendar-event',
    path: MONTH,
    widths: WIDE,
    reach: async (page) => {
      await heading(page);
      await planIn(page, 'Lens cleaning');
      await page
        .getByRole('button', { name: /^09:00 Lens cleaning/ })
        .first()
        .click();
      await sheet(page)
        .getByText(/12 November 2026/)
        .waitFor();
    },
  },
  {
    name: 'calendar-week',
    path: '/calendar?d=2026-11-12&view=week',
    reach: async (page) => {
      await heading(page);
      await planIn(page, 'Harbour watch');
      await page
        .getByRole('button', { name: /Harbour watch/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'calendar-list',
    path: '/calendar?d=2026-11-12&view=list',
    reach: async (page) => {
      await heading(page);
      await planIn(page, 'Advent coffee');
      await page.getByRole('button', { name: 'Advent coffee' }).first().waitFor();
    },
  },
  {
    name: 'calendar-failed',
    path: '/library',
    widths: [390, 1_440],
    reach: async (page) => {
      await page.route('**/v1/calendar/agenda*', (route) =>
        route.fulfill({ status: 500, json: { detail: 'Internal', code: 'internal' } }),
      );
      await press(page, 'g', 'c');
      await page.locator('#main').getByRole('button', { name: 'Try again' }).first().waitFor();
    },
  },
  {
    name: 'calendar-exchange',
    path: '/calendar/exchange',
    reach: async (page) => {
      await page.getByLabel('Choose a calendar file, or drop it here').setInputFiles({
        name: 'tides.ics',
        mimeType: 'text/calendar',
        buffer: Buffer.from(
          'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//T//EN\r\nBEGIN:VEVENT\r\nUID:tide-of-a-very-long-name-that-does-not-fit@skerry.example\r\nSUMMARY:Never\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
        ),
      });
      await page.getByText('1 event was left out').waitFor();
    },
  },
];
