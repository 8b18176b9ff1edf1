import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { capture } from '../app-fixture.ts';
import { contentOf, sha256 } from '../uploads-fixture.ts';
import { VISIBLE_COUNT } from './hiding.ts';
import { documentNamed, goTo, rail, untilRead, type Person } from './person.ts';
import { foldersOf } from './sharing.ts';

/** Its bytes are compared. */
const WITNESS = 'Nebenkostenabrechnung 2025.pdf';

async function openData(page: Page): Promise<void> {
  await goTo(page, 'Settings');
  await rail(page).getByRole('link', { name: 'Your data' }).click();
  await page.getByRole('heading', { name: 'Bring an archive in' }).waitFor();
}

/** Downloads everything that is not hidden. Returns the path of the archive. */
export async function exportAll({ page }: Person): Promise<string> {
  await openData(page);
  await page.getByText('The hidden zone is locked').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the export' }).click(),
  ]);
  expect(download.suggestedFilename()).to.match(/^owner-workspace-[\d-]+\.zip$/);
  return download.path();
}

/** Brings the archive into the empty place of another person, and compares both. */
export async function importAll(from: Person, into: Person, archive: string): Promise<void> {
  const { page } = into;
  await untilRead(into, '/v1/objects?limit=1', ({ total }) => total, 0);
  await openData(page);
  await page.locator('main input[type=file]').setInputFiles(archive);
  await page.getByText(`Done. ${VISIBLE_COUNT} documents were brought in.`).waitFor();
  await capture(page, 'afternoon-import');
  expect(await inventoryOf(into)).to.deep.equal(await inventoryOf(from));
  await goTo(page, 'Library');
  await page.getByText(`${VISIBLE_COUNT} documents`).first().waitFor();
}

/** What both have to have alike. */
async function inventoryOf(person: Person) {
  const { service, read, owner } = person;
  const { items: documents } = await read('/v1/objects?limit=100');
  const { items: events } = await read('/v1/calendar/events');
  const { id } = await documentNamed(person, WITNESS);
  return {
    documents: documents.map(({ filename }: { filename: string }) => filename).sort(),
    folders: (await foldersOf(person)).map(({ name, object_count: count }) => [name, count]),
    events: events.map(({ title, starts_at: at }: { title: string; starts_at: string }) => [
      title,
      at,
    ]),
    conversations: (await read('/v1/chats')).total as number,
    witness: sha256(await contentOf(service, owner, id)),
  };
}
