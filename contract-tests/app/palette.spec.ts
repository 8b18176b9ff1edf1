import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { TENANCY, writeNote } from './ask-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the palette of the app`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let folder: string;
    let note: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      const { json } = await service.call('POST', '/v1/collections', {
        token: tab.token,
        body: { name: 'Lotsenweg <b>7</b>' },
      });
      folder = json.id;
      note = await writeNote(service, tab, 'Tenancy agreement Lotsenweg', TENANCY);
      await service.call('PUT', `/v1/objects/${note}/categories`, {
        token: tab.token,
        body: { categories: ['home & garden'] },
      });
    });
    after(() => tab.close());

    const type = async (text: string) => {
      await tab.page.keyboard.press('Control+K');
      await tab.page.getByRole('combobox', { name: 'Palette' }).waitFor();
      await tab.page.keyboard.type(text);
    };
    const option = (name: string | RegExp) => tab.page.getByRole('option', { name });
    /** Moves the choice to an option with the arrow key, and chooses it. */
    const choose = async (name: string | RegExp) => {
      await option(name).waitFor();
      const names = await tab.page.getByRole('option').allTextContents();
      for (let pressed = 0; pressed < names.length; pressed++) {
        if ((await option(name).getAttribute('aria-selected')) === 'true') break;
        await tab.page.keyboard.press('ArrowDown');
      }
      expect(await option(name).getAttribute('aria-selected')).to.equal('true');
      // Choices of the words before may just be going.
      const closes = async () => {
        if ((await option(name).count()) > 0) await tab.page.keyboard.press('Enter');
        return (await tab.page.getByRole('combobox', { name: 'Palette' }).count()) === 0;
      };
      expect(await eventually(closes, Boolean)).to.equal(true);
    };

    it('finds documents, folders and actions together, and shows their keys', async () => {
      const { page, open, complaints } = tab;
      await open('/library');
      await type('Lotsenweg');
      await option('Tenancy agreement Lotsenweg.md').waitFor();
      await option('Lotsenweg <b>7</b>').waitFor();
      await option('Ask “Lotsenweg”').waitFor();
      const field = page.getByRole('combobox', { name: 'Palette' });
      const active = await field.getAttribute('aria-activedescendant');
      expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).to.equal('true');
      await capture(page, 'palette');
      for (const width of [1_440, 900, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expectAccessibleInBothThemes(page, `palette at ${width}`);
      }
      await capture(page, 'palette-phone');
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });

      await type('>trash');
      await option(/Go to Trash/)
        .locator('kbd')
        .first()
        .waitFor();
      await choose(/Go to Trash/);
      await page.waitForURL(/\/app\/trash$/);
      expect(complaints).to.deep.equal([]);
    });

    it('has a prefix for each kind of choice', async () => {
      const { page, open, complaints } = tab;
      await open('/library');
      await type('/lotsen');
      await choose('Lotsenweg <b>7</b>');
      await page.waitForURL((url) => url.pathname === `/app/folder/${folder}`);
      await type('@Lotsenweg');
      await choose('Tenancy agreement Lotsenweg.md');
      await page.waitForURL((url) => url.pathname === `/app/object/${note}`);
      await type('#home & garden');
      await choose('home & garden');
      await page.waitForURL((url) => url.searchParams.get('category') === 'home & garden');
      await type('?When may the tenant give notice?');
      await choose('Ask “When may the tenant give notice?”');
      await page.waitForURL(/\/app\/ask\//);
      await page.locator('.prose .cite').first().waitFor();
      await type('?tenant');
      await choose('When may the tenant give notice?');
      await page.waitForURL(/\/app\/ask\//);
      expect(complaints).to.deep.equal([]);
    });

    it('leads to the settings, and makes choices of few at once', async () => {
      const { page, open, complaints } = tab;
      await open('/library');
      await type('!');
      for (const section of ['You and your devices', 'Keyboard', 'Usage and health'])
        await page.getByRole('option', { name: section, exact: true }).waitFor();
      await capture(page, 'palette-settings');
      await expectAccessibleInBothThemes(page, 'settings in the palette');
      await page.keyboard.type('passkeys');
      await choose(/^Passkeys/);
      await page.waitForURL(/\/app\/settings\/you$/);
      await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
      await type('!dark');
      await choose('Light or dark: Dark');
      await page.locator('html[data-theme="dark"]').waitFor();
      await type('!device');
      await choose('Light or dark: As the device');
      await page.locator('html:not([data-theme])').waitFor();
      await type('!single');
      await choose('Single keys: turn off');
      const ui = async () =>
        (await service.call('GET', '/v1/settings', { token: tab.token })).json.ui.single_keys;
      expect(await eventually(ui, (each) => each === false)).to.equal(false);
      await type('!single');
      await choose('Single keys: turn on');
      await type('!single');
      await page.getByRole('option', { name: 'Single keys: turn off' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      expect(complaints).to.deep.equal([]);
    });

    it('takes what is typed before it is loaded', async () => {
      const { page, open, close, complaints } = await openApp(browser, service, {
        owner: { id: tab.ownerId, token: tab.token },
      });
      const typed = Promise.withResolvers<void>();
      await page.route(/\/assets\/palette-dialog-/, async (route) => {
        await typed.promise;
        await route.continue();
      });
      await open('/library');
      await page.locator('[data-index="0"]').waitFor();
      await page.keyboard.press('Control+K');
      // Each of these is a key of the library as well.
      await page.keyboard.type('exjonn');
      await page.keyboard.press('Backspace');
      typed.resolve();
      const field = page.getByRole('combobox', { name: 'Palette' });
      await field.waitFor();
      await page.keyboard.type('!');
      expect(await field.inputValue()).to.equal('exjon!');
      expect(new URL(page.url()).pathname).to.equal('/app/library');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('forgets what was typed', async () => {
      const { page, open, complaints } = tab;
      await open('/ask');
      await type('secret words');
      await page.getByRole('option', { name: 'Ask “secret words”' }).waitFor();
      await page.keyboard.press('Escape');
      await type('');
      expect(await page.getByRole('combobox', { name: 'Palette' }).inputValue()).to.equal('');
      await page.keyboard.press('Escape');
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie])',
      );
      expect(stored).not.to.include('secret');
      expect(complaints).to.deep.equal([]);
    });
  });
