import type { Page } from 'playwright-core';
import { eventually, type Served } from '../http/harness.ts';
import type { AppTab } from './app-fixture.ts';

type Token = Pick<AppTab, 'token'>;

export interface NewEvent {
  readonly title: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly [field: string]: unknown;
}

/** Calls the service as the owner; the answer has to be a success. */
export async function ask(
  service: Served,
  { token }: Token,
  method: string,
  path: string,
  body?: object,
) {
  const { status, json } = await service.call(method, path, { token, ...(body && { body }) });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
  return json;
}

export const plan = async (service: Served, owner: Token, event: NewEvent): Promise<string> =>
  (await ask(service, owner, 'POST', '/v1/calendar/events', { tz: 'Europe/Berlin', ...event })).id;

export interface Occurrence {
  readonly title: string;
  readonly starts_at: string;
  readonly ends_at: string;
}

/** What is planned in November 2026: `2026-11-24T20:00 Choir`, by the clocks of Berlin. */
export async function plannedIn(service: Served, owner: Token): Promise<readonly string[]> {
  const { items } = await ask(
    service,
    owner,
    'GET',
    '/v1/calendar/agenda?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z',
  );
  return items.map(({ starts_at: at, title }: Occurrence) => `${clockOf(at)} ${title}`);
}

const clock = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Berlin',
});

/** `2026-11-24T20:00` */
export const clockOf = (at: string): string => clock.format(new Date(at)).replace(' ', 'T');

/** The file of the calendar without the times at which it was changed. */
export async function fileOf(service: Served, { token }: Token): Promise<string> {
  const { text } = await service.call('GET', '/v1/calendar/export', { token });
  return text
    .split('\r\n')
    .filter((line) => !/^(DTSTAMP|LAST-MODIFIED|CREATED|UID|X-OWNER-WORKSPACE-NUMBER)/.test(line))
    .join('\n');
}

/** The day of a month. */
export const cell = (page: Page, day: RegExp) =>
  page.getByRole('gridcell').filter({ has: page.getByRole('link', { name: day }) });

/** An event in the grid, in the hours or in the list. */
export const event = (page: Page, name: RegExp) =>
  page.locator('#main .pane').getByRole('button', { name }).first();

export const sheet = (page: Page) => page.locator('dialog[open]');

/** Presses, moves in steps and lets go, as a hand does. */
export async function drag(
  page: Page,
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

export async function middleOf(target: ReturnType<Page['locator']>) {
  // A list that is loaded again may put another element in its place.
  const box = await eventually(
    () => target.boundingBox(),
    (found) => found !== null,
  );
  if (!box) throw new Error('It is not shown.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
