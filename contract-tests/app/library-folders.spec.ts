import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: themes, folders and views that change`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let folders: ReadonlyMap<string, string>;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ folders } = await fillWorkspace(service, tab));
      await tab.open('/library');
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const row = (name: string | RegExp) => tab.page.getByRole('row', { name });
    const button = (name: string | RegExp) => tab.page.getByRole('button', { name });
    const leaf = (name: string | RegExp) => tab.page.locator('a.leaf', { hasText: name });
    const theme = (name: string) => tab.page.locator('a.theme', { hasText: name });
    const toast = (text: string | RegExp) => tab.page.locator('.toast', { hasText: text }).last();
    const undo = (text: string | RegExp) => toast(text).getByRole('button', { name: 'Undo' });
    const read = async (path: string) =>
      (await service.call('GET', path, { token: tab.token })).json;
    const total = async (query: string): Promise<number> =>
      (await read(`/v1/objects?limit=1&${query}`)).total;
    const settles = async (query: string, expected: number) =>
      expect(
        await eventually(
          () => total(query),
          (each) => each === expected,
        ),
        query,
      ).to.equal(expected);
    const viewNames = async (): Promise<readonly string[]> =>
      (await read('/v1/views')).items.map(({ name }: { name: string }) => name);

    it('a theme shows its folders, gets another, another name, and comes back after it was deleted', async () => {
      const { page } = tab;
      await theme('Home').click();
      await page.waitForURL(/\/theme\/[0-9a-f-]{36}$/);
      await page.getByRole('heading', { level: 1, name: /^Home\s*2 documents/ }).waitFor();
      const head = page.locator('.folder-head');
      for (const name of ['Flat, Lotsenweg 7', 'Household bills', 'Recipes'])
        await head.getByRole('link', { name }).waitFor();
      await capture(page, 'theme');
      await expectAccessibleInBothThemes(page, 'a theme');
      const more = head.getByRole('button', { name: 'More actions' });
      await more.click();
      await head.getByRole('button', { name: 'New folder' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Garden');
      await page.keyboard.press('Enter');
      await head.getByRole('link', { name: 'Garden' }).waitFor();
      await more.click();
      await head.getByRole('button', { name: 'Name and description' }).click();
      await page.getByLabel('Name', { exact: true }).fill('House');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: /^House/ }).waitFor();
      await more.click();
      await head.getByRole('button', { name: 'Delete the theme' }).click();
      await page.getByText('Its folders stay, in no theme.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the theme' }).click();
      await page.waitForURL(/library$/);
      await theme('House').waitFor({ state: 'detached' });
      await leaf('Garden').waitFor();
      await undo(/^Deleted the theme/).click();
      await theme('House').click();
      await head.getByRole('link', { name: 'Garden' }).waitFor();
      await row(/Plum dumplings/).waitFor();
    });

    it('a folder has a description, and its documents follow it into the trash and back', async () => {
      const { page } = tab;
      await leaf('Insurance').click();
      await row(/Boat insurance/).waitFor();
      await button('More actions').click();
      await button('Name and description').click();
      await page.getByLabel('Description', { exact: true }).fill('Policies <b>and</b> claims');
      await page.keyboard.press('Enter');
      await page.getByText('Policies <b>and</b> claims').waitFor();
      await button('More actions').click();
      await button('Delete the folder').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: 'Move 1 document to the trash' }).check();
      await expectAccessibleInBothThemes(page, 'deleting a folder');
      await dialog.getByRole('button', { name: 'Delete the folder' }).click();
      await settles('trashed=true', 1);
      await leaf('Insurance').waitFor({ state: 'detached' });
      await undo(/^Deleted the folder/).click();
      await leaf('Insurance').locator('.n', { hasText: '1' }).waitFor();
      await settles('trashed=true', 0);
      await leaf('Insurance').click();
      await page.getByText('Policies <b>and</b> claims').waitFor();
      await row(/Boat insurance/).waitFor();
      // The change before is undone in the folder that took its place.
      await undo(/^Renamed/).click();
      await page.getByText('Policies <b>and</b> claims').waitFor({ state: 'detached' });
    });

    it('views are made, renamed, ordered and removed, and every step is undone in turn', async () => {
      const { page } = tab;
      const shown = async (...names: readonly string[]) => {
        const found = await eventually(viewNames, (each) => each.join() === names.join());
        expect(found).to.deep.equal(names);
        await leaf(names.at(-1) ?? '').waitFor();
      };
      const menu = async (name: string, action: string) => {
        await page.locator('.filters').getByRole('button', { name, exact: true }).click();
        await page.locator('.menu:popover-open').getByRole('button', { name: action }).click();
      };
      for (const [name, query] of [
        ['Policies', 'doc_type=policy'],
        ['Notes', 'notes_only=true'],
        ['Large', 'order=largest'],
      ] as const) {
        await tab.open(`/library?${query}`);
        await button('Keep as a view').click();
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.keyboard.press('Enter');
        await leaf(name).waitFor();
      }
      await shown('Policies', 'Notes', 'Large');
      await menu('Large', 'Move the view up');
      await shown('Policies', 'Large', 'Notes');
      await menu('Large', 'Move the view up');
      await shown('Large', 'Policies', 'Notes');
      // The first one goes no further up.
      await page.locator('.filters').getByRole('button', { name: 'Large', exact: true }).click();
      const open = page.locator('.menu:popover-open');
      await open.getByRole('button', { name: 'Move the view down' }).waitFor();
      expect(await open.getByRole('button', { name: 'Move the view up' }).count()).to.equal(0);
      await page.keyboard.press('Escape');
      await menu('Large', 'Rename the view');
      await page.getByLabel('Name', { exact: true }).fill('By size');
      await page.keyboard.press('Enter');
      await shown('By size', 'Policies', 'Notes');
      await menu('By size', 'Remove the view');
      await shown('Policies', 'Notes');
      for (const names of [
        ['By size', 'Policies', 'Notes'],
        ['Large', 'Policies', 'Notes'],
        ['Policies', 'Large', 'Notes'],
        ['Policies', 'Notes', 'Large'],
      ]) {
        await page.keyboard.press('Control+z');
        await shown(...names);
      }
      // A change is undone as well while the reply of the service is on its way.
      const { promise: replied, resolve: reply } = Promise.withResolvers<void>();
      await page.route('**/v1/views/*', async (route) => {
        const response = await route.fetch();
        await replied;
        await route.fulfill({ response });
      });
      await menu('Large', 'Remove the view');
      expect(await eventually(viewNames, ({ length }) => length === 2)).to.have.length(2);
      await page.keyboard.press('Control+z');
      reply();
      await shown('Policies', 'Notes', 'Large');
      await page.unroute('**/v1/views/*');
    });

    it('names what could not be changed by its reason, and tries those again', async () => {
      const { page } = tab;
      await tab.open('/library');
      await row(/tides-2027/)
        .getByRole('checkbox')
        .click();
      await row(/Kontoauszug/)
        .getByRole('checkbox')
        .click();
      const bar = page.getByRole('toolbar', { name: 'Selected documents' });
      await bar.getByText('2 selected').waitFor();
      // Another device erases one of them, which this list is not told of.
      await page.route('**/v1/changes', (route) => route.abort());
      const { items } = await read('/v1/objects?limit=50');
      const gone = items.find(({ display_name: name }: { display_name: string }) =>
        name.startsWith('Kontoauszug'),
      );
      await page.route('**/v1/objects/bulk', async (route) => {
        await service.call('DELETE', `/v1/objects/${gone.id}?permanent=true`, { token: tab.token });
        await route.continue();
      });
      await bar.getByRole('button', { name: 'Trash' }).click();
      const alert = page.getByRole('alert');
      await alert.getByText('1 document was not changed: It is no longer there.').waitFor();
      await capture(page, 'bulk-failed');
      await expectAccessibleInBothThemes(page, 'a change that failed for some');
      await toast('Moved 1 document to the trash').waitFor();
      await settles('trashed=true', 1);
      await page.unroute('**/v1/objects/bulk');
      const retried = page.waitForRequest(
        (request) => request.url().endsWith('/v1/objects/bulk') && request.method() === 'POST',
      );
      await alert.getByRole('button', { name: 'Try again' }).click();
      expect((await retried).postDataJSON()).to.include({ action: 'trash' });
      expect((await retried).postDataJSON().ids).to.deep.equal([gone.id]);
      await alert.getByText('1 document was not changed: It is no longer there.').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).first().click();
      await page.unroute('**/v1/changes');
      // The undo holds what was done.
      await undo('Moved 1 document to the trash').click();
      await settles('trashed=true', 0);
      await row(/tides-2027/).waitFor();
    });

    it('walks back through the changes of this tab', async () => {
      const { page } = tab;
      await tab.open('/library');
      const tides = folders.get('Tax 2025') ?? '';
      await row(/tides-2027/).click({ position: { x: 700, y: 12 } });
      await page.keyboard.press('r');
      await page.getByLabel('Name', { exact: true }).fill('Tides.csv');
      await page.keyboard.press('Enter');
      await toast('Renamed').waitFor();
      await row(/^Tides.csv/).waitFor();
      await page.keyboard.press('v');
      await page.getByLabel('Find a folder').fill('tax');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await settles(`collection_id=${tides}`, 1);
      await page.keyboard.press('#');
      await settles('trashed=true', 1);
      await page.keyboard.press('Control+z');
      await settles('trashed=true', 0);
      await page.keyboard.press('Control+z');
      await settles(`collection_id=${tides}`, 0);
      await page.keyboard.press('Control+z');
      await row(/^tides-2027.csv/).waitFor();
    });

    it('a suggestion is taken or dropped in the row, and taking is undone', async () => {
      const { page } = tab;
      await tab.open('/library?has_suggestion=true');
      const offers = await total('has_suggestion=true');
      expect(offers).to.be.above(1);
      const drop = page.getByRole('button', { name: /^Keep mine: / }).first();
      await drop.click();
      await settles('has_suggestion=true', offers - 1);
      await toast(/stays as it is$/).waitFor();
      await page
        .getByRole('button', { name: /^Take the suggestion for / })
        .first()
        .click();
      await settles('has_suggestion=true', offers - 2);
      const before = (await read('/v1/objects?limit=50')).items;
      await undo('Took the suggestion').click();
      await toast('Undone').waitFor();
      const names = (items: readonly { display_name: string }[]) =>
        items.map(({ display_name: each }) => each).toSorted();
      const after = await eventually(
        async () => (await read('/v1/objects?limit=50')).items,
        (items) => names(items).join() !== names(before).join(),
      );
      expect(names(after)).not.to.deep.equal(names(before));
    });
  });
