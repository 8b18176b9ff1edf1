import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';

const INVOICES = 6;
const invoice = (n: number): string =>
  `Lumen Optics GmbH\nINVOICE\nInvoice no. ${n}\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $${n}.00\nAmount due $${n}.00\n`;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: tidying up`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      const { token } = tab;
      const files = Array.from(
        { length: INVOICES },
        (_, n) => [`scan-${n}.txt`, invoice(n)] as const,
      );
      const { json } = await service.uploadAll(files, {}, { token });
      for (const { id } of json.items) await service.settled(id, { token });
      await tab.open('/tidy');
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const read = async (path: string) =>
      (await service.call('GET', path, { token: tab.token })).json;
    const unfiled = async (expected: number) => {
      const total = async () => (await read('/v1/objects?limit=1&uncategorized=true')).total;
      expect(await eventually(total, (each) => each === expected)).to.equal(expected);
    };

    it('shows a plan before anything is moved', async () => {
      const { page } = tab;
      await page.getByRole('button', { name: 'Make a plan' }).click();
      await page.getByRole('button', { name: `Move ${INVOICES} documents` }).waitFor();
      await page.getByText('New folder', { exact: true }).first().waitFor();
      await unfiled(INVOICES);
      await capture(page, 'tidy');
      await expectAccessibleInBothThemes(page, 'tidy');
    });

    it('moves what is ticked, into folders with the names that were given', async () => {
      const { page } = tab;
      await page.getByRole('checkbox', { name: /^Move scan-0.txt/ }).uncheck();
      await page.getByText(`5 of ${INVOICES} are ticked`).waitFor();
      await page
        .getByRole('button', { name: /^Rename / })
        .first()
        .click();
      await page.getByLabel('Name of the new folder').fill('Glasses');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Move 5 documents' }).click();
      await page.getByRole('main').getByText('Moved 5 documents').first().waitFor();
      await unfiled(1);
      const { items } = await read('/v1/collections');
      expect(items.map(({ name }: { name: string }) => name)).to.include('Glasses');
      await page.locator('a.leaf', { hasText: 'Glasses' }).waitFor();
    });

    it('takes the run back by the list of runs', async () => {
      const { page } = tab;
      await tab.open('/tidy');
      const panel = page.getByRole('complementary', { name: 'Tidied before' });
      await panel.getByRole('button', { name: /^Undo/ }).click();
      await panel.getByText('5 went back.').waitFor();
      await unfiled(INVOICES);
    });
  });
