import { expect } from 'chai';
import { capture } from '../app-fixture.ts';
import { FILE_COUNT } from './documents.ts';
import { MAX_WAIT_MS, dropPaths, goTo, rail, untilRead, type Person } from './person.ts';

/** Drops the folder of papers, and waits until all of it was read. */
export async function dropPapers(person: Person, papers: string): Promise<void> {
  const { page } = person;
  await goTo(page, 'Library');
  await page.getByText('Nothing here yet').waitFor();
  await dropPaths(page, papers);
  const dialog = page.getByRole('dialog', { name: 'Add a folder' });
  await dialog.getByText(`It has ${FILE_COUNT} files.`).waitFor();
  await dialog.getByRole('button', { name: 'Put all here' }).click();
  await page.getByText(`${FILE_COUNT} documents`).first().waitFor({ timeout: MAX_WAIT_MS });
  await untilRead(person, '/v1/objects?limit=1', ({ total }) => total, FILE_COUNT);
  for (const state of ['pending', 'processing', 'failed'])
    await untilRead(person, `/v1/objects?limit=1&status=${state}`, ({ total }) => total, 0);
  await capture(page, 'afternoon-library');
}

/** Lets all of it be put into folders, after a look at the plan. */
export async function tidyUp(person: Person): Promise<void> {
  const { page, read } = person;
  await page.getByRole('link', { name: 'Tidy up', exact: true }).click();
  await page.getByRole('button', { name: 'Make a plan' }).click();
  const move = page.getByRole('button', { name: /^Move \d+ documents$/ });
  await move.waitFor();
  await capture(page, 'afternoon-plan');
  const count = Number(/\d+/.exec((await move.textContent()) ?? '')?.[0]);
  expect(count).to.be.within(FILE_COUNT / 2, FILE_COUNT);
  const path = '/v1/objects?limit=1&uncategorized=true';
  await untilRead(person, path, ({ total }) => total, FILE_COUNT);
  await move.click();
  await page.getByRole('main').getByText(`Moved ${count} documents`).first().waitFor();
  await untilRead(person, path, ({ total }) => total, FILE_COUNT - count);
  // Every folder of the service is in the rail, with as many documents.
  const { items } = await read('/v1/collections');
  expect(items).to.have.length.within(4, 30);
  for (const { id, name } of items)
    await rail(page).locator(`a.leaf[data-folder="${id}"]`, { hasText: name }).waitFor();
}
