import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp, type AppTab } from './app-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the library by the keyboard`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
      await fillWorkspace(service, tab);
      await tab.open('/library');
      await page.locator('[data-index="5"]').waitFor();
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const focused = (index: number) => page.locator(`[data-index="${index}"]:focus`).waitFor();
    const selected = () => page.locator('.row[aria-selected="true"]').count();
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    it('walks through the rows with one tab stop', async () => {
      await press('j');
      await focused(0);
      await press('j', 'ArrowDown', 'k');
      await focused(1);
      await press('End');
      await focused(5);
      await press('Home');
      await focused(0);
      expect(await page.locator('.documents [tabindex="0"]').count()).to.equal(1);
    });

    it('selects, extends, selects all and none', async () => {
      await press('x');
      expect(await selected()).to.equal(1);
      await press('Shift+J', 'Shift+J');
      await focused(2);
      expect(await selected()).to.equal(3);
      await press('Control+a');
      expect(await selected()).to.equal(6);
      await press('x');
      await page.getByText('All but 1: 5 selected').waitFor();
      await press('Escape');
      expect(await selected()).to.equal(0);
    });

    it('shows the preview, follows the row, and goes with i', async () => {
      const preview = page.getByRole('complementary', { name: 'Preview' });
      await press('Home', 'Space');
      await preview.getByRole('heading', { name: /tides/ }).waitFor();
      await press('j');
      await preview.getByRole('heading', { name: /Trustees/ }).waitFor();
      await press('i');
      await preview.waitFor({ state: 'detached' });
    });

    it('moves no row when documents are selected or previewed', async () => {
      const row = page.locator('[data-index="3"]');
      // Sizes are observed once a frame, before it is drawn.
      const top = async () => {
        await page.evaluate(
          'new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))',
        );
        return (await row.boundingBox())?.y;
      };
      const before = await top();
      await row.getByRole('checkbox').click();
      await page.getByRole('toolbar').waitFor();
      expect(await top()).to.equal(before);
      await press('Space');
      await page.getByRole('complementary', { name: 'Preview' }).waitFor();
      expect(await top()).to.equal(before);
      await press('i', 'Escape');
      await page.getByRole('toolbar').waitFor({ state: 'detached' });
      expect(await top()).to.equal(before);
    });

    it('trashes the row, puts the focus on the next, and undoes', async () => {
      await press('Home', '#');
      await page.getByRole('row', { name: /tides/ }).waitFor({ state: 'detached' });
      await page.locator('[data-index="0"]:focus', { hasText: 'Trustees' }).waitFor();
      await page.getByText('Moved 1 document to the trash').waitFor();
      await press('Control+z');
      await page.getByRole('row', { name: /tides/ }).waitFor();
    });

    it('moves, labels and takes a suggestion', async () => {
      await page.locator('.documents [tabindex="0"]').focus();
      await press('Home', 'v');
      await page.getByLabel('Find a folder').waitFor();
      await page.keyboard.type('insur');
      await press('ArrowDown', 'Enter');
      await page.getByRole('row', { name: /tides.*Insurance/ }).waitFor();
      await press('l');
      await page.getByLabel('Labels', { exact: true }).waitFor();
      await page.keyboard.type('sea');
      await press('Enter');
      await page.getByText('Labelled 1 document').waitFor();
      await page.getByRole('row', { name: /Trustees/ }).focus();
      await press('Home', 'j', 'y');
      await page.getByRole('row', { name: /2026-11-12/ }).waitFor();
    });

    it('asks about the selection without its name in the address', async () => {
      await press('Home', 'x', 'c');
      await page.waitForURL(/\/ask$/);
      await page.goBack();
      await page.locator('[data-index="0"]').waitFor();
    });

    it('opens the document, and names every key in the help', async () => {
      await press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      for (const name of ['Next document', 'Select all', 'Move to a folder', 'Take the suggestion'])
        await help.getByText(name, { exact: true }).waitFor();
      const { y = -1 } = (await help.getByRole('heading', { level: 2 }).boundingBox()) ?? {};
      expect(y, 'the title is in view').to.be.above(0);
      await press('Escape', 'j', 'Enter');
      await page.waitForURL(/\/object\/[0-9a-f-]{36}$/);
    });

    it('lets keys wait for the screen that is being loaded', async () => {
      await tab.open('/library');
      await page.locator('[data-index="0"]').waitFor();
      await press('j');
      await focused(0);
      const gate = Promise.withResolvers<void>();
      await page.route(/assets\/trash-screen/, async (route) => {
        await gate.promise;
        await route.continue();
      });
      const requested = page.waitForRequest(/assets\/trash-screen/);
      await press('g', 't');
      await requested;
      await press('#', '?');
      expect(await page.locator('dialog[open]').count()).to.equal(0);
      gate.resolve();
      await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await press('Escape');
      const { json } = await service.call('GET', '/v1/objects?limit=1', { token: tab.token });
      expect(json.total).to.equal(6);
    });
  });
