import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture } from './app-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';
import { tracesIn } from './traces.ts';
import { MARKER, SECRET, openZoneTab, type ZoneTab } from './zone-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: lists while the hidden zone is open`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: ZoneTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openZoneTab(browser, service);
      await fillWorkspace(service, tab);
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const row = () => tab.page.getByRole('row', { name: new RegExp(MARKER) });
    const tides = () => tab.page.getByRole('row', { name: /tides/ });
    const pathname = () => new URL(tab.page.url()).pathname;
    const lock = async () => {
      await tab.page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
    };
    const expectNoTrace = async () => {
      for (const text of [SECRET, tab.hiddenId, ...tab.tokens])
        expect(
          await eventually(
            () => tracesIn(tab.page, text),
            (traces) => traces.length === 0,
          ),
        ).to.deep.equal([]);
    };
    const toLibrary = () =>
      tab.page.locator('.rail').getByRole('link', { name: 'Library' }).click();

    it('shows hidden documents in the library with a mark in words, and drops them at once', async () => {
      const { page } = tab;
      await tab.open('/library');
      await tides().waitFor();
      expect(await row().count()).to.equal(0);
      await tab.unlock();
      await row().waitFor();
      await toLibrary();
      await page.waitForURL(/\/library$/);
      await tides().waitFor();
      await row().getByText('Hidden', { exact: true }).waitFor();
      expect(await tides().getByText('Hidden', { exact: true }).count()).to.equal(0);
      expect(await page.locator('main h1').innerText()).to.contain('7 documents');
      await capture(page, 'hidden-in-library');
      // What has the token in its header is in no cache.
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.url().includes('/v1/objects?')),
        page.getByRole('button', { name: 'Links' }).click(),
      ]);
      const headers = await request.allHeaders();
      expect(headers).to.include({ 'cache-control': 'no-cache', pragma: 'no-cache' });
      expect([...tab.tokens]).to.include(headers['x-hidden-token']);
      expect(request.url()).to.contain('include_hidden=true');
      await page.goBack();
      await row().waitFor();
      await lock();
      await tides().waitFor();
      expect(await row().count()).to.equal(0);
      await eventually(
        () => page.locator('main h1').innerText(),
        (text) => text.includes('6 documents'),
      );
      expect(await page.locator('main h1').innerText()).to.contain('6 documents');
      expect(pathname()).to.equal('/app/library');
      await expectNoTrace();
    });

    it('opens them in the zone from there, without an address', async () => {
      const { page } = tab;
      await tab.open('/library');
      await tab.unlock();
      await row().waitFor();
      await toLibrary();
      await tides().waitFor();
      for (const modifiers of [[], ['Control' as const]]) {
        const pages = page.context().pages().length;
        await page.getByRole('link', { name: new RegExp(MARKER) }).click({ modifiers });
        await page.locator('.bar-title').waitFor();
        expect(pathname()).to.equal('/app/hidden');
        expect(await page.title()).to.equal('Owner Workspace');
        expect(page.context().pages()).to.have.length(pages);
        await page.goBack();
        await page.waitForURL(/\/library$/);
        await tides().waitFor();
      }
      await lock();
      await expectNoTrace();
    });

    it('finds them in searches and in the palette, without an address', async () => {
      const { page } = tab;
      await tab.open('/library');
      await tides().waitFor();
      await tab.unlock();
      await row().waitFor();
      const field = page.getByRole('searchbox', { name: /search/i }).first();
      await field.fill('spring house');
      await field.press('Enter');
      const hit = page.getByRole('listitem').filter({ hasText: MARKER });
      await hit.getByText('Hidden', { exact: true }).waitFor();
      expect(page.url()).to.match(/\/app\/hidden$/);
      expect(await page.title()).to.equal('Owner Workspace');
      await capture(page, 'hidden-search');
      await hit.getByRole('link').click();
      await page.locator('.bar-title').waitFor();
      await toLibrary();
      await page.waitForURL(/\/library$/);
      await tides().waitFor();
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Palette' }).waitFor();
      await page.keyboard.type('spring');
      const option = page.getByRole('option', { name: new RegExp(MARKER) });
      await option.waitFor();
      await option.click();
      await page.locator('.bar-title').waitFor();
      expect(pathname()).to.equal('/app/hidden');
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Palette' }).waitFor();
      await page.keyboard.type('spring');
      await option.waitFor();
      await lock();
      expect(await page.getByRole('dialog').count()).to.equal(0);
      expect(await field.inputValue()).to.equal('');
      await expectNoTrace();
      for (const text of ['spring house', 'spring%20house', 'spring+house'])
        expect(await tracesIn(page, text)).to.deep.equal([]);
      await tab.open('/library?q=spring');
      await page.locator('.empty').waitFor();
      expect(await page.locator('main').innerText()).to.not.contain(MARKER);
    });

    it('hides documents from the menu of the selection, and shows them again', async () => {
      const { page, token } = tab;
      await tab.open('/library?order=name');
      await tides().waitFor();
      await page.getByLabel('Select tides-2027.csv').check();
      await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      await tides().waitFor({ state: 'detached' });
      await page.locator('.toast').waitFor();
      expect(await page.locator('.toast').innerText()).to.not.contain('tides');
      await tab.unlock();
      await tides().waitFor();
      await page.getByLabel('Select tides-2027.csv').check();
      await page.keyboard.press('Control+K');
      await page.keyboard.type('Show again');
      await page.getByRole('option', { name: 'Show again', exact: true }).click();
      await tides().waitFor({ state: 'detached' });
      await row().waitFor();
      // A lock ends what is still on its way.
      const { json } = await eventually(
        () => service.call('GET', '/v1/objects?limit=1', { token }),
        (answer) => answer.json.total === 6,
        30_000,
      );
      expect(json.total).to.equal(6);
      await lock();
      await tides().waitFor();
    });

    it('asks about them inside the zone', async () => {
      const { page } = tab;
      await tab.open('/library');
      await tides().waitFor();
      await tab.unlock();
      await row().waitFor();
      await toLibrary();
      await page.getByLabel(new RegExp(`Select ${MARKER}`)).check();
      await page.getByRole('toolbar').getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('This conversation is deleted when the zone closes.').waitFor();
      expect(pathname()).to.equal('/app/hidden');
      await lock();
      await tides().waitFor();
      await expectNoTrace();
    });

    it('hides what is written inside the zone, with nothing of it in the address', async () => {
      const { page, token } = tab;
      await tab.open('/library');
      await tides().waitFor();
      await tab.unlock();
      await row().waitFor();
      await page.keyboard.press('n');
      await page.getByRole('textbox', { name: 'Content' }).fill(`Wellspring, ${SECRET}`);
      expect(pathname()).to.equal('/app/hidden');
      await page.keyboard.press('Control+Enter');
      await page.locator('.note-text').getByText('Wellspring').waitFor();
      expect(pathname()).to.equal('/app/hidden');
      const { json } = await service.call('GET', '/v1/objects?limit=50', { token });
      expect(json.total).to.equal(6);
      await page.locator('.rail').getByRole('link', { name: 'Library' }).click();
      await page.getByRole('row', { name: /Wellspring/ }).waitFor();
      await page
        .getByRole('row', { name: /Wellspring/ })
        .getByText('Hidden', { exact: true })
        .waitFor();
      await lock();
      await tides().waitFor();
      expect(await page.getByRole('row', { name: /Wellspring/ }).count()).to.equal(0);
      await expectNoTrace();
    });
  });
