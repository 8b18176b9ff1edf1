import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openTab } from '../../http/browser.ts';
import { capture } from '../app-fixture.ts';
import { rowOf } from '../shares-fixture.ts';
import { documentNamed, goTo, rail, untilRead, type Person } from './person.ts';

const PASSWORD = 'three wet oars';
const LINK = 'For the yard';
export const BROUGHT = 'Crane, receipt of the yard.txt';

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly object_count: number;
}

/** Its folders, the fullest first. */
export async function foldersOf({ read }: Person): Promise<readonly Folder[]> {
  const { items } = (await read('/v1/collections')) as { items: Folder[] };
  return items.toSorted((a, b) => b.object_count - a.object_count || (a.name < b.name ? -1 : 1));
}

/** Shares the fullest folder by a link with a password, to which others may add. Returns its address. */
export async function shareFolder(person: Person): Promise<string> {
  const { page, read } = person;
  const [folder] = await foldersOf(person);
  await goTo(page, 'Library');
  await rail(page)
    .locator(`a.leaf[data-folder="${folder?.id ?? ''}"]`)
    .click();
  await page.getByRole('heading', { level: 1, name: folder?.name ?? '' }).waitFor();
  await page.locator('.folder-head').getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('link', { name: 'Share', exact: true }).click();
  const panel = page.locator('aside.panel');
  const view = panel.getByRole('group', { name: 'What a visitor sees' });
  await view.getByText(`${folder?.object_count ?? 0} files`).waitFor();
  await panel.getByLabel('Name for visitors').fill(LINK);
  await panel.getByRole('radio', { name: /Look and add/ }).check();
  await panel.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await capture(page, 'afternoon-share');
  await panel.getByRole('button', { name: 'Make the link' }).click();
  await panel.getByRole('heading', { name: 'The link is made' }).waitFor();
  const address = (await panel.locator('.made-address').first().innerText()).trim();
  const { items } = await read('/v1/shares');
  expect(items).to.have.length(1);
  expect(items[0]).to.include({
    resource_id: folder?.id,
    name: LINK,
    role: 'contributor',
    has_password: true,
  });
  await panel.getByRole('button', { name: 'Done', exact: true }).last().click();
  await rowOf(page, LINK).getByText('0 visits').waitFor();
  return address;
}

/** A stranger unlocks the link, opens a document and uploads one. The owner sees it come. */
export async function visitAndUpload(
  browser: Browser,
  person: Person,
  address: string,
): Promise<void> {
  const [folder] = await foldersOf(person);
  const { page, complaints, close } = await openTab(browser);
  await page.goto(address);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('heading', { level: 1, name: LINK }).waitFor();
  await page
    .getByRole('heading', { level: 2, name: `${folder?.object_count ?? 0} files` })
    .waitFor();
  await capture(page, 'afternoon-visitor');
  const file = page.locator('.files li a').first();
  const name = (await file.innerText()).trim();
  await file.click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('link', { name: 'All that is shared' }).click();
  await page.getByLabel('Files to add').setInputFiles({
    name: BROUGHT,
    mimeType: 'text/plain',
    buffer: Buffer.from(
      'Tamm Yard\nReceipt\nCrane, both ways, sloop Tern: EUR 95.00, paid in cash.\n',
    ),
  });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.locator('#came-in').waitFor();
  expect(complaints).to.deep.equal([]);
  await close();

  await rowOf(person.page, LINK).getByText('1 file came in').waitFor();
  await person.page
    .getByRole('region', { name: 'Lately' })
    .getByRole('link', { name: BROUGHT })
    .click();
  await person.page.getByRole('heading', { level: 1, name: BROUGHT }).waitFor();
  await person.page.getByText('paid in cash').first().waitFor();
  const { id, collection_id: where } = await documentNamed(person, BROUGHT);
  expect(where).to.equal(folder?.id);
  await untilRead(person, `/v1/objects/${id}`, ({ status }) => status, 'ready');
}
