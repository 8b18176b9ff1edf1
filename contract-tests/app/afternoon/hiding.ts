import { expect } from 'chai';
import { capture } from '../app-fixture.ts';
import { enterPin } from '../zone-fixture.ts';
import { FILE_COUNT } from './documents.ts';
import { goTo, rail, untilRead, type Person } from './person.ts';

const PIN = '48151623';
const SECRET = 'Passport.png';
/** With what the stranger has brought, without what is hidden. */
export const VISIBLE_COUNT = FILE_COUNT;

/** Sets a PIN, hides a document while the zone is open, and sees it leave the library when the zone is locked. */
export async function hideAndLock(person: Person): Promise<void> {
  const { page, read } = person;
  await goTo(page, 'Library');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.getByRole('heading', { name: 'Set a PIN for the hidden zone' }).waitFor();
  await enterPin(page, PIN, 'Set and open');
  await page.getByText('Nothing is hidden').waitFor();
  await rail(page).getByRole('link', { name: 'Library' }).click();
  await page.getByRole('searchbox').first().fill('passport');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: `Select ${SECRET}` }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await untilRead(person, '/v1/objects?limit=1', ({ total }) => total, VISIBLE_COUNT);
  await rail(page).getByRole('link', { name: 'Library' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.getByRole('link', { name: SECRET }).first().waitFor();
  await capture(page, 'afternoon-hidden');
  await page.keyboard.press('Shift+Escape');
  await page.locator('.zone-bar').waitFor({ state: 'detached' });
  await page.waitForURL(/\/library$/);
  await page.getByText(`${VISIBLE_COUNT} documents`).first().waitFor();
  await page.getByRole('searchbox').first().fill('passport');
  await page.keyboard.press('Enter');
  await page.getByText('No document fits.').waitFor();
  expect(await page.content()).not.to.include(SECRET);
  expect(await read('/v1/hidden-pin')).to.include({ configured: true });
}
