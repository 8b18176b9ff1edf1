import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp, openInstalledApp } from './app-fixture.ts';
import {
  chooseFiles,
  dropFiles,
  listed,
  rowOf,
  textFile,
  tray,
  uploadsOf,
} from './uploads-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe('adding in the app', function () {
    this.timeout(120_000);
    let service: Service;
    let browser: Browser;
    before(async () => {
      service = await startService(profile, { MAX_UPLOAD_BYTES: '100000' });
      browser = await sharedBrowser();
    });
    after(async () => {
      await service.dispose();
    });

    it('says before sending what is too large and what is here already', async () => {
      const app = await openInstalledApp(browser, service);
      const { page } = app;
      await service.uploadAll([['first.txt', 'the same bytes']], {}, { token: app.token });
      await app.open('/library');
      const sent = uploadsOf(page);
      await chooseFiles(page, [
        textFile('large.txt', 'x'.repeat(100_001)),
        textFile('copy.txt', 'the same bytes'),
        textFile('other.txt', 'other bytes'),
      ]);
      await rowOf(page, 'large.txt', 'failed').waitFor();
      await rowOf(page, 'Same as first.txt.', 'duplicate').waitFor();
      await rowOf(page, 'other.txt', 'done').waitFor();
      expect(sent.filter((each) => each.startsWith('POST'))).to.have.length(1);
      expect(await listed(service, app)).to.have.length(2);
      await capture(page, 'tray');
      await expectAccessibleInBothThemes(page, 'tray');
      await page.getByRole('button', { name: 'Add anyway' }).click();
      await rowOf(page, 'copy.txt', 'done').waitFor();
      expect(await listed(service, app)).to.have.length(3);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('takes what is dropped into the open folder or one of the rail, and what is pasted', async () => {
      const app = await openInstalledApp(browser, service);
      const { page, token } = app;
      const make = async (name: string) =>
        (await service.call('POST', '/v1/collections', { token, body: { name } })).json
          .id as string;
      const [taxes, recipes] = [await make('Taxes'), await make('Recipes')];
      await app.open(`/folder/${taxes}`);
      await page.locator('.app input[type=file]').waitFor({ state: 'attached' });
      await page.locator(`.rail a[href$="${recipes}"]`).waitFor();
      await dropFiles(page, [{ name: 'a.txt', text: 'a' }], 'main', 'dragover');
      await page.locator('.drop-veil').filter({ hasText: 'Taxes' }).waitFor();
      await capture(page, 'drop');
      await dropFiles(page, [{ name: 'a.txt', text: 'a' }], `.rail a[href$="${recipes}"]`);
      await dropFiles(page, [{ name: 'b.txt', text: 'b' }]);
      await dropFiles(page, [{ name: 'c.txt', text: 'c' }], 'main', 'paste');
      const found = await eventually(
        () => listed(service, app),
        (all) => all.length === 3,
      );
      expect(
        found.map(({ filename, collection_name: folder }) => `${filename} ${folder}`).sort(),
      ).to.deep.equal(['a.txt Recipes', 'b.txt Taxes', 'c.txt Taxes']);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('puts a new note and a new link into the open folder', async () => {
      const app = await openApp(browser, service);
      const { page, token } = app;
      const body = { name: 'Garden' };
      const { id } = (await service.call('POST', '/v1/collections', { token, body })).json;
      for (const key of ['n', 'Shift+N']) {
        await app.open(`/folder/${id}`);
        await page.getByRole('heading', { level: 1, name: /^Garden/ }).waitFor();
        await page.locator('.app input[type=file]').waitFor({ state: 'attached' });
        await page.keyboard.press(key);
        await page.waitForURL((url) => url.searchParams.get('folder') === id);
      }
      await page.goBack();
      await app.open(`/folder/${id}`);
      await page.locator('.app input[type=file]').waitFor({ state: 'attached' });
      await page.keyboard.press('n');
      await page.getByRole('textbox', { name: 'Content' }).fill('Seeds for spring');
      await eventually(
        () => listed(service, app),
        ([note]) => note?.collection_name === 'Garden',
      );
      expect((await listed(service, app)).map((each) => each.collection_name)).to.deep.equal([
        'Garden',
      ]);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('offers a link or a note for pasted text', async () => {
      const app = await openInstalledApp(browser, service);
      const { page } = app;
      await app.open('/library');
      await page.locator('.app input[type=file]').waitFor({ state: 'attached' });
      await page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '<b>remember</b> the milk');
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true });
        document.body.dispatchEvent(event);
      });
      await page.getByText('<b>remember</b> the milk').waitFor();
      await page.getByRole('button', { name: 'As a note' }).click();
      await page.getByText('Note added').waitFor();
      expect(await listed(service, app)).to.have.length(1);
      await app.close();
    });

    it('shows the queue as a strip on a phone, and the choices of Add', async () => {
      const app = await openInstalledApp(browser, service, {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      const { page } = app;
      await app.open('/library');
      await chooseFiles(page, [textFile('large.txt', 'x'.repeat(100_001))]);
      await page.getByRole('button', { name: 'Show' }).click();
      await rowOf(page, 'large.txt', 'failed').waitFor();
      await capture(page, 'tray-phone');
      await expectAccessibleInBothThemes(page, 'tray on a phone');
      await page.getByRole('region', { name: 'All uploads' }).getByRole('button').click();
      await page.locator('.dock .add').click();
      const camera = page.getByRole('button', { name: 'Take a photo' });
      await camera.waitFor();
      await capture(page, 'add-phone');
      await expectAccessibleInBothThemes(page, 'choices of Add');
      const opened = page.waitForEvent('filechooser');
      await camera.click();
      const chooser = await opened;
      expect([
        await chooser.element().getAttribute('capture'),
        await chooser.element().getAttribute('accept'),
        chooser.isMultiple(),
      ]).to.deep.equal(['environment', 'image/*', false]);
      await chooser.setFiles({ ...textFile('photo.jpg', 'pixels'), mimeType: 'image/jpeg' });
      await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
      );
      expect((await listed(service, app)).map(({ filename }) => filename)).to.deep.equal([
        'photo.jpg',
      ]);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('shows its shell without a network, and caches nothing of the interface', async () => {
      const app = await openInstalledApp(browser, service);
      const { page } = app;
      await app.open('/library');
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      await page.reload();
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const cached = await page.evaluate(async () => {
        const all: string[] = [];
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys()) all.push(url);
        return all;
      });
      expect(cached.length).to.be.above(3);
      expect(cached.filter((url) => !new URL(url).pathname.startsWith('/app/'))).to.deep.equal([]);
      await page.context().setOffline(true);
      await page.reload();
      await page.getByText('The service could not be reached.').waitFor();
      await page.context().setOffline(false);
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await app.close();
    });

    it('leaves nothing of the queue in the browser after signing out', async () => {
      const app = await openInstalledApp(browser, service);
      const { page } = app;
      await app.open('/library');
      await page.context().route('**/v1/uploads/resumable', (route) => route.abort());
      await chooseFiles(page, [textFile('secret.txt', 'x')]);
      await rowOf(page, 'secret.txt', 'waiting').waitFor();
      await page.getByRole('button', { name: /account$/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign out?' });
      // The app is loaded again.
      await Promise.all([
        page.waitForEvent('load'),
        dialog.getByRole('button', { name: 'Sign out', exact: true }).click(),
      ]);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await tray(page).count()).to.equal(0);
      const names = await page.evaluate(async () =>
        (await indexedDB.databases()).map(({ name }) => name ?? ''),
      );
      expect(names.filter((name) => name.startsWith('uploads-'))).to.deep.equal([]);
      await app.close();
    });
  });
