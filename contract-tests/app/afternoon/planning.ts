import { expect } from 'chai';
import { capture } from '../app-fixture.ts';
import { goTo, untilRead, type Person } from './person.ts';

export const MEETING = 'Handover of the crane keys';

const today = () =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Berlin' }).format();

/** Plans a meeting today. In the evening the form offers tomorrow. */
export async function planMeeting(person: Person): Promise<void> {
  const { page, read } = person;
  await goTo(page, 'Calendar');
  await page.getByRole('button', { name: 'Event', exact: true }).click();
  const sheet = page.locator('dialog[open]');
  await sheet.getByLabel('Title').fill(MEETING);
  await sheet.getByLabel('Begins', { exact: true }).fill(today());
  await sheet.getByLabel('Begins: time').fill('15:30');
  await sheet.getByLabel('Where').fill('Tamm Yard, hall 2');
  await sheet.getByRole('button', { name: 'Add a reminder' }).click();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page
    .locator('#main .pane')
    .getByRole('button', { name: new RegExp(`^15:30 ${MEETING}`) })
    .first()
    .waitFor();
  await capture(page, 'afternoon-calendar');
  await untilRead(person, '/v1/calendar/events', ({ total }) => total, 1);
  const { items } = await read('/v1/calendar/events');
  expect(items[0]).to.include({
    title: MEETING,
    location: 'Tamm Yard, hall 2',
    tz: 'Europe/Berlin',
  });
  expect(items[0].reminders).to.deep.equal([10]);
}
