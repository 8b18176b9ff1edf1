import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp, type AppTab } from './app-fixture.ts';
import { chooseFiles, contentOf, listed, rowOf, textFile, uploadsOf } from './uploads-fixture.ts';

const PIN = '48151623';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: duplicates in the tray`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    const store = async ({ token }: AppTab, name: string, bytes: Uint8Array | string) => {
      const { json } = await service.uploadAll([[name, bytes]], {}, { token });
      return (json.items as [{ id: string }])[0].id;
    };

    it('are found before a byte is sent, open the document that is there, and are added on request', async () => {
      const app = await openApp(browser, service);
      const { page } = app;
      // More than one piece of the hash, and an end that fills none.
      const buffer = randomBytes(9 * 2 ** 20 + 13);
      const id = await store(app, 'first.bin', buffer);
      await app.open('/library');
      const sent = uploadsOf(page);
      await chooseFiles(page, [{ name: 'copy.bin', mimeType: '', buffer }]);
      const row = rowOf(page, 'Same as first.bin.', 'duplicate');
      await row.waitFor();
      await row.getByText('Already here').waitFor();
      expect(sent).to.deep.equal([]);
      const open = row.getByRole('link', { name: 'Open' });
      expect(await open.getAttribute('href')).to.equal(`/app/object/${id}`);
      await row.getByRole('button', { name: 'Add anyway' }).click();
      await rowOf(page, 'copy.bin', 'done').waitFor();
      expect(sent.some((each) => each.startsWith('PATCH'))).to.equal(true);
      const all = await listed(service, app);
      expect(all.map(({ filename }) => filename)).to.have.members(['first.bin', 'copy.bin']);
      for (const { id: one } of all)
        expect((await contentOf(service, app, one)).equals(buffer)).to.equal(true);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('of one choice are found before the first is sent, and take its place if it is left out', async () => {
      const app = await openApp(browser, service);
      const { page } = app;
      await app.open('/library');
      const sent = uploadsOf(page);
      const begun = async () => sent.filter((each) => each === 'POST /v1/uploads/resumable');
      let release!: () => void;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(
        (url) => url.pathname.startsWith('/v1/uploads/'),
        (route) =>
          route.request().method() === 'POST'
            ? released.then(() => route.continue()).catch(() => undefined)
            : route.continue(),
      );
      await chooseFiles(
        page,
        ['one', 'two', 'three'].map((name) => textFile(`${name}.txt`, 'same')),
      );
      const copies = page.locator('.tray li[data-state=duplicate]');
      await copies.nth(1).waitFor();
      const first = page.locator('.tray li[data-state=sending]');
      const name = (await first.locator('bdi').first().innerText()).trim();
      expect(await copies.first().innerText()).to.include(`Same as ${name}.`);
      expect(await copies.first().getByRole('link', { name: 'Open' }).count()).to.equal(0);
      expect(await eventually(begun, (all) => all.length > 0)).to.have.length(1);
      await first.getByRole('button', { name: /^Leave out/ }).click();
      await copies.nth(1).waitFor({ state: 'detached' });
      await first.waitFor();
      await copies.first().waitFor();
      release();
      await page.locator('.tray li[data-state=done]').waitFor();
      await copies.first().getByRole('link', { name: 'Open' }).waitFor();
      expect(await listed(service, app)).to.have.length(1);
      expect(await begun()).to.have.length(2);
      await app.close();
    });

    it('are not those in the trash, and not the same name with other bytes', async () => {
      const app = await openApp(browser, service);
      const { page, token } = app;
      const id = await store(app, 'a.txt', 'in the trash');
      await service.call('DELETE', `/v1/objects/${id}`, { token });
      await store(app, 'b.txt', 'of one version');
      await app.open('/library');
      await chooseFiles(page, [
        textFile('a.txt', 'in the trash'),
        textFile('b.txt', 'of another version'),
      ]);
      await eventually(
        () => listed(service, app),
        (all) => all.length === 3,
      );
      expect(await listed(service, app)).to.have.length(3);
      await app.close();
    });

    it('say nothing of hidden documents, but for files that go into the open zone', async () => {
      const app = await openApp(browser, service);
      const { page, token } = app;
      const text = 'the same secret';
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: PIN } });
      const id = await store(app, 'secret.txt', text);
      const body = { action: 'hide', ids: [id] };
      await service.call('POST', '/v1/objects/bulk', { token, body });
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      await app.open('/library');
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByLabel(/^PIN/).fill(PIN);
      await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
      await page.getByRole('row', { name: /secret/ }).waitFor();
      const sent = uploadsOf(page);
      await chooseFiles(page, [textFile('copy.txt', text)]);
      await rowOf(page, 'Same as secret.txt.', 'duplicate').waitFor();
      expect(sent).to.deep.equal([]);
      await page.keyboard.press('Shift+Escape');
      await rowOf(page, 'copy.txt').waitFor({ state: 'detached' });
      await chooseFiles(page, [textFile('visible.txt', text)]);
      const [added] = await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
      );
      expect(added?.filename).to.equal('visible.txt');
      expect(await page.locator('body').innerText()).not.to.include('secret');
      await app.close();
    });
  });
