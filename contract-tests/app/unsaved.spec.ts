import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';
import { listed } from './uploads-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: text that is not saved yet`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });
    beforeEach(async () => {
      tab = await openApp(browser, service);
      ({ page } = tab);
    });
    afterEach(() => tab.close());

    const contentOf = async (id: string) => {
      const { token } = tab;
      return (await service.call('GET', `/v1/objects/${id}/content`, { token })).text;
    };
    const field = () => page.getByRole('textbox', { name: 'Content' });
    const dialog = () => page.getByRole('dialog', { name: 'Leave without saving?' });
    const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
    const edit = async (id: string, text: string) => {
      await tab.open(`/object/${id}`);
      await page.locator('.note-text').waitFor();
      await page.keyboard.press('e');
      await field().fill(text);
    };

    it('is asked about before a link, Back or a key leaves the editor', async () => {
      const id = await writeNote(service, tab, 'Shopping', 'plums');
      await edit(id, 'plums and flour');
      await page.getByRole('link', { name: 'Trash' }).first().click();
      await dialog().waitFor();
      await capture(page, 'viewer-leave');
      await expectAccessibleInBothThemes(page, 'leaving the editor');
      await press('Cancel');
      await dialog().waitFor({ state: 'detached' });
      expect(await field().inputValue()).to.equal('plums and flour');

      await page.goBack();
      await dialog().waitFor();
      expect(new URL(page.url()).pathname).to.match(/\/edit$/);
      await press('Save and leave');
      await page.waitForURL(/\/object\/[0-9a-f-]{36}$/);
      await page.locator('.note-text', { hasText: 'plums and flour' }).waitFor();
      expect(await contentOf(id)).to.equal('plums and flour');

      await page.keyboard.press('e');
      await field().fill('nothing');
      await field().blur();
      await page.keyboard.press('Escape');
      await dialog().waitFor();
      await press('Leave without saving');
      await page.locator('.note-text', { hasText: 'plums and flour' }).waitFor();
      await page.keyboard.press('e');
      await page.waitForFunction(
        () => document.querySelector('textarea')?.value === 'plums and flour',
      );
      expect(tab.complaints).to.deep.equal([]);
    });

    it('is asked about before a sign-out', async () => {
      const id = await writeNote(service, tab, 'Pantry', 'salt');
      await edit(id, 'salt and tea');
      const signOut = async () => {
        await page.getByRole('button', { name: /: account$|, .*account/ }).click();
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await dialog().waitFor();
      };
      await signOut();
      await press('Cancel');
      await dialog().waitFor({ state: 'detached' });
      expect(await field().inputValue()).to.equal('salt and tea');
      await signOut();
      // The app is loaded again.
      await Promise.all([page.waitForEvent('load'), press('Save and leave')]);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await contentOf(id)).to.equal('salt and tea');
    });

    it('is there again after the session has ended', async () => {
      const id = await writeNote(service, tab, 'Letter', 'Dear Ann');
      await edit(id, 'Dear Ann, the boat is sold');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByLabel('One-time link or code').fill(await service.signInCode(tab.ownerId));
      await page.getByRole('button', { name: 'Use the link' }).click();
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await tab.page.evaluate((path) => {
        history.pushState(null, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `/app/object/${id}/edit`);
      await page.getByText('This text was not saved before.').waitFor();
      expect(await field().inputValue()).to.equal('Dear Ann, the boat is sold');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      expect(await contentOf(id)).to.equal('Dear Ann, the boat is sold');
    });

    it('of a new note is kept for the next one if it can not be saved as it is left', async () => {
      const left = Promise.withResolvers<undefined>();
      await page.route('**/v1/objects/notes', async (route) => {
        await left.promise;
        await route.abort();
      });
      await tab.open('/new/note');
      await field().fill('Water the plants');
      await page.getByRole('link', { name: 'Trash' }).first().click();
      await page.getByRole('heading', { level: 1, name: /^Trash/ }).waitFor();
      left.resolve(undefined);
      await page.getByText('The note could not be saved. Its text is kept').waitFor();
      await page.unroute('**/v1/objects/notes');
      await page.keyboard.press('n');
      await page.waitForFunction(
        () => document.querySelector('textarea')?.value === 'Water the plants',
      );
      const [note] = await eventually(
        () => listed(service, tab),
        (all) => all.length === 1,
      );
      expect(await contentOf(String(note?.['id']))).to.equal('Water the plants');
    });
  });
