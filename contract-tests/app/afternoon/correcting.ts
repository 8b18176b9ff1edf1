import { expect } from 'chai';
import { capture } from '../app-fixture.ts';
import { documentNamed, goTo, type Person } from './person.ts';

const RECEIPT = 'Antifouling, receipt.png';
/** Nothing else of the afternoon has these words. */
const ADDED = 'Vermilion for the keel';

/** Corrects what was read of a scan, and searches for the corrected words. */
export async function correctReceipt(person: Person): Promise<void> {
  const { page, read } = person;
  const { id } = await documentNamed(person, RECEIPT);
  const text = async () => (await read(`/v1/objects/${id}/text`)).text as string;
  expect(await text())
    .to.include('CHANDLERY')
    .and.not.include(ADDED);
  await goTo(page, 'Library');
  await search(person, 'antifouling chandlery');
  await page.getByRole('link', { name: RECEIPT }).first().click();
  await page.getByRole('heading', { level: 1, name: RECEIPT }).waitFor();
  await page.getByRole('link', { name: 'Correct' }).first().click();
  const field = page.getByRole('textbox', { name: 'Text' });
  const before = await field.inputValue();
  await field.fill(before.replace('Thank you for your visit', ADDED));
  await capture(page, 'afternoon-correct');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  expect(await text()).to.include(ADDED);
  await page.getByRole('link', { name: /^Back to/ }).click();
  await search(person, 'vermilion keel');
  await page.getByRole('link', { name: RECEIPT }).first().click();
  await page.getByRole('heading', { level: 1, name: RECEIPT }).waitFor();
}

async function search({ page }: Person, words: string): Promise<void> {
  await page.getByRole('searchbox').first().fill(words);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Results' }).waitFor();
}
