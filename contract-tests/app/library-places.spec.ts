import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp, type AppTab } from './app-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: folders, filters and views of the library`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      await fillWorkspace(service, tab);
      await tab.open('/library');
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const row = (name: string | RegExp) => tab.page.getByRole('row', { name });
    const button = (name: string | RegExp) => tab.page.getByRole('button', { name });
    const leaf = (name: string | RegExp) => tab.page.locator('a.leaf', { hasText: name });
    const undo = (text: RegExp) =>
      tab.page.locator('.toast', { hasText: text }).last().getByRole('button', { name: 'Undo' });
    const read = async (path: string) =>
      (await service.call('GET', path, { token: tab.token })).json;

    it('opens folders and themes from the rail, each with its count', async () => {
      const { page } = tab;
      await leaf('Recipes').locator('.n', { hasText: '1' }).waitFor();
      await leaf('Recipes').click();
      await page.getByRole('heading', { name: /^Recipes\s*1 document/ }).waitFor();
      await row(/Plum dumplings/).waitFor();
      expect(await page.locator('.documents .row').count()).to.equal(1);
      await page.locator('a.theme', { hasText: 'Money' }).click();
      await page.getByRole('heading', { name: /^Money/ }).waitFor();
      await row(/Boat insurance/).waitFor();
      expect(await page.locator('.documents .row').count()).to.equal(1);
      expect(await page.title()).to.equal('Money · Owner Workspace');
    });

    it('makes, renames and deletes a folder, each with undo', async () => {
      const { page } = tab;
      await button('New folder').first().click();
      await page.getByLabel('Name', { exact: true }).fill('Boat papers');
      await page.keyboard.press('Enter');
      await leaf('Boat papers').click();
      await page.getByText('Nothing here yet').waitFor();
      await tab.open('/library');
      await leaf('Recipes').click();
      await button('More actions').click();
      await button('Name and description').click();
      await page.getByLabel('Name', { exact: true }).fill('Kitchen');
      await page.keyboard.press('Enter');
      await leaf('Kitchen').waitFor();
      await undo(/^Renamed/).click();
      await leaf('Recipes').waitFor();
      await button('More actions').click();
      await button('Delete the folder').click();
      await page.getByText('Its 1 document stays, in no folder.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the folder' }).click();
      await leaf('Recipes').waitFor({ state: 'detached' });
      await undo(/^Deleted the folder/).click();
      await leaf('Recipes').locator('.n', { hasText: '1' }).waitFor();
    });

    it('filters by kind, type, folder, notes and state, in the address', async () => {
      const { page } = tab;
      await tab.open('/library');
      await button('Any type').click();
      await page.locator('.menu:popover-open').getByRole('button', { name: 'Policy' }).click();
      await page.waitForURL(/doc_type=policy/);
      await page.getByRole('heading', { name: /1 document$/ }).waitFor();
      await button('Policy').click();
      await page.locator('.menu:popover-open').getByRole('button', { name: 'Any type' }).click();
      await page.waitForURL(/library$/);
      await button('More filters').click();
      await page.getByLabel('State').selectOption('failed');
      await button('Apply').click();
      await page.waitForURL(/status=failed/);
      await row(/Kontoauszug/).waitFor();
      expect(await page.locator('.documents .row').count()).to.equal(1);
      await button(/Could not be read: take this filter off/).click();
      await page.waitForURL(/library$/);
      await button('Any folder').click();
      await page.locator('.menu:popover-open').getByRole('button', { name: 'Insurance' }).click();
      await page.waitForURL(/\/folder\/[0-9a-f-]{36}$/);
      await row(/Boat insurance/).waitFor();
      await page.locator('.filters').getByRole('button', { name: 'Insurance' }).click();
      await page.locator('.menu:popover-open').getByRole('button', { name: 'Any folder' }).click();
      await page.waitForURL(/library$/);
      await tab.open('/library?status=failed');
      await row(/Kontoauszug/).waitFor();
      await button(/take this filter off/).click();
      await page.waitForURL(/library$/);
      await page.goBack();
      await page.waitForURL(/status=failed/);
      await button('In no folder').click();
      await button('Links').click();
      await page.getByText('No document fits these filters').waitFor();
      await button('Take all filters off').click();
      await row(/tides/).waitFor();
    });

    it('orders by name, size and change', async () => {
      const { page } = tab;
      const names = () => page.locator('.documents .name').allTextContents();
      for (const [label, order] of [
        ['By name', 'name'],
        ['Largest first', 'largest'],
        ['Oldest first', 'oldest'],
      ] as const) {
        await button(/first$|^By name$/)
          .first()
          .click();
        await page.locator('.menu:popover-open').getByRole('button', { name: label }).click();
        await page.waitForURL(new RegExp(`order=${order}`));
        const { items } = await read(`/v1/objects?order=${order}&limit=100`);
        const expected = items.map((item: { display_name: string }) => item.display_name);
        expect(
          await eventually(names, (shown) => shown.join() === expected.join()),
          order,
        ).to.deep.equal(expected);
      }
    });

    it('keeps a list as a view, shows it in the rail, and removes it with undo', async () => {
      const { page } = tab;
      await tab.open('/library?doc_type=policy&order=name');
      await button('Keep as a view').click();
      await page.getByLabel('Name', { exact: true }).fill('Policies <b>');
      await page.keyboard.press('Enter');
      await leaf('Policies <b>').waitFor();
      await tab.open('/library');
      await leaf('Policies <b>').click();
      await page.waitForURL(/doc_type=policy&order=name/);
      expect(await leaf('Policies <b>').getAttribute('aria-current')).to.equal('page');
      await page.locator('.filters').getByRole('button', { name: 'Policies <b>' }).click();
      await button('Remove the view').click();
      await leaf('Policies <b>').waitFor({ state: 'detached' });
      await undo(/^Removed the view/).click();
      await leaf('Policies <b>').waitFor();
    });

    it('shows pictures instead of rows', async () => {
      const { page } = tab;
      await tab.open('/library');
      await button('Pictures').click();
      await page.locator('.documents .tile').first().waitFor();
      expect(await page.locator('.documents .tile').count()).to.equal(6);
      await page.keyboard.press('j');
      await page.keyboard.press('ArrowRight');
      await page.locator('.tile[data-index="1"]:focus').waitFor();
      await page.keyboard.press('x');
      await page.locator('.tile[data-index="1"][aria-selected="true"]').waitFor();
      await button('List').click();
      await page.locator('.documents .row').first().waitFor();
    });
  });
