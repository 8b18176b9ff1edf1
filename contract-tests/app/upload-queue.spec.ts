import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { newDataFolder } from '../backends-env.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openApp } from './app-fixture.ts';
import {
  chooseFiles,
  contentOf,
  fileOnDisk,
  listed,
  networkOf,
  rowOf,
  sha256,
  tray,
  uploadsOf,
} from './uploads-fixture.ts';

const MIB = 2 ** 20;
const PIN = '48151623';
const CREATION = '**/v1/uploads/resumable';
/** One byte more than is stored in the browser: `MAX_STORED_BYTES`. */
const LARGE_BYTES = 200_000_001;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the queue of uploads`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    let folder: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      folder = await newDataFolder();
    });
    after(async () => {
      await rm(folder, { recursive: true, force: true });
    });

    const openSlow = async () => {
      const app = await openApp(browser, service);
      await app.open('/library');
      const network = await networkOf(app.page);
      await network(false, 2 * MIB);
      const button = (name: string) => app.page.getByRole('button', { name, exact: true });
      return { ...app, network, button };
    };
    const files = (...names: string[]) =>
      Promise.all(names.map((name) => fileOnDisk(folder, name, randomBytes(12 * MIB))));
    /** Bytes of uploads and documents that the service stores for the owner. */
    const used = async (token: string) => {
      const { json } = await service.call('GET', '/v1/usage', { token });
      const items = json.items as { metric: string; used: number }[];
      return items.find(({ metric }) => metric === 'storage_bytes')?.used ?? 0;
    };

    /** What the browser keeps for the next visit: how many files, and which addresses of uploads. */
    const stored = (page: Page) =>
      page.evaluate(async () => {
        const found = (await indexedDB.databases()).find(({ name }) =>
          /^uploads-/.test(name ?? ''),
        );
        const opening = indexedDB.open(found?.name ?? '');
        await new Promise((resolve) => opening.addEventListener('success', resolve));
        const reading = opening.result.transaction(['files', 'items']);
        const counting = reading.objectStore('files').count();
        const items = reading.objectStore('items').getAll() as IDBRequest<{ url?: string }[]>;
        await new Promise((resolve) => reading.addEventListener('complete', resolve));
        opening.result.close();
        return { files: counting.result, urls: items.result.flatMap(({ url }) => url ?? []) };
      });

    it('pauses, resumes and leaves out each file and all of them', async () => {
      const app = await openSlow();
      const { page, button, token } = app;
      await chooseFiles(page, await files('a.bin', 'b.bin', 'c.bin', 'd.bin'));
      await rowOf(page, 'a.bin', 'sending').waitFor();
      await rowOf(page, 'd.bin', 'queued').waitFor();
      await button('Pause a.bin').click();
      await rowOf(page, 'a.bin', 'paused').waitFor();
      // Its place is free for the next one.
      await rowOf(page, 'd.bin', 'sending').waitFor();
      await button('Leave out d.bin').click();
      await rowOf(page, 'd.bin').waitFor({ state: 'detached' });
      await button('Resume a.bin').click();
      await rowOf(page, 'a.bin', 'sending').waitFor();
      await button('Pause all').click();
      for (const name of ['a.bin', 'b.bin', 'c.bin']) await rowOf(page, name, 'paused').waitFor();
      await button('Resume all').click();
      for (const name of ['a.bin', 'b.bin', 'c.bin']) await rowOf(page, name, 'sending').waitFor();
      await button('Pause all').click();
      await button('Leave out all').click();
      await tray(page).waitFor({ state: 'detached' });
      // Nothing of them remains with the service, nor in the browser.
      expect(
        await eventually(
          () => used(token),
          (bytes) => bytes === 0,
        ),
      ).to.equal(0);
      const left = await eventually(
        () => stored(page),
        ({ files: count }) => count === 0,
      );
      expect(left).to.deep.equal({ files: 0, urls: [] });
      await page.reload();
      await button('Add').first().waitFor();
      expect(await tray(page).count()).to.equal(0);
      expect(await listed(service, app)).to.deep.equal([]);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('leaves no upload behind that was stopped before its address was known', async () => {
      const app = await openSlow();
      const { page, button } = app;
      const sent = uploadsOf(page);
      const requests = (method: string) => sent.filter((each) => each.startsWith(method));
      const reaches = async (method: string, count: number) => {
        const all = await eventually(
          async () => requests(method),
          ({ length }) => length >= count,
        );
        expect(all).to.have.length(count);
      };
      let created = 0;
      /** The next answer to a creation waits for what is returned. */
      const holdCreation = async () => {
        let letThrough = () => {};
        const isOpen = new Promise<void>((resolve) => (letThrough = resolve));
        const answer = async (route: Route) => {
          if (route.request().method() !== 'POST') return route.fallback();
          await page.unroute(CREATION, answer);
          const response = await route.fetch();
          created++;
          await isOpen;
          await route.fulfill({ response });
        };
        await page.route(CREATION, answer);
        return letThrough;
      };
      const isCreated = async (count: number) =>
        expect(
          await eventually(
            async () => created,
            (now) => now === count,
          ),
        ).to.equal(count);

      // Paused: it goes on with the upload that was being created.
      const letFirst = await holdCreation();
      await chooseFiles(page, await files('early.bin'));
      await isCreated(1);
      await button('Pause early.bin').click();
      await rowOf(page, 'early.bin', 'paused').waitFor();
      letFirst();
      await eventually(
        () => stored(page),
        ({ urls }) => urls.length === 1,
      );
      await button('Resume early.bin').click();
      await eventually(
        async () => requests('PATCH'),
        ({ length }) => length > 0,
      );
      await reaches('POST', 1);
      await button('Leave out early.bin').click();
      await reaches('DELETE', 1);

      // Left out: the service deletes it.
      const letSecond = await holdCreation();
      await chooseFiles(page, await files('left.bin'));
      await isCreated(2);
      await button('Leave out left.bin').click();
      await tray(page).waitFor({ state: 'detached' });
      letSecond();
      await reaches('DELETE', 2);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('is left without a warning while everything can be resumed', async () => {
      const app = await openSlow();
      const { page } = app;
      await chooseFiles(page, await files('stored.bin'));
      await rowOf(page, 'stored.bin', 'sending').waitFor();
      const kept = await eventually(
        () => stored(page),
        ({ files: count }) => count === 1,
      );
      expect(kept.files).to.equal(1);
      const closed = page.waitForEvent('close');
      await page.close({ runBeforeUnload: true });
      await closed;
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('warns before the page is left while a file goes into the hidden zone', async () => {
      const app = await openSlow();
      const { page, token } = app;
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: PIN } });
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByLabel(/^PIN/).fill(PIN);
      await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
      await page.getByRole('region', { name: 'Hidden zone' }).waitFor();
      await chooseFiles(page, await files('secret.bin'));
      await rowOf(page, 'secret.bin', 'sending').waitFor();
      const warned = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      expect((await warned).type()).to.equal('beforeunload');
      // The page is still there.
      await app.button('Leave out secret.bin').click();
      await tray(page).waitFor({ state: 'detached' });
      await app.close();
    });

    it('warns while the browser can not store a file', async () => {
      const app = await openSlow();
      const { page } = app;
      await page.addInitScript(() => {
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('There is no room.', 'QuotaExceededError');
        };
      });
      await page.reload();
      await chooseFiles(page, await files('unstored.bin'));
      await rowOf(page, 'unstored.bin', 'sending').waitFor();
      const warned = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      expect((await warned).type()).to.equal('beforeunload');
      await app.button('Leave out unstored.bin').click();
      await tray(page).waitFor({ state: 'detached' });
      await app.close();
    });

    it('names a picture of the clipboard after its moment', async () => {
      const app = await openSlow();
      await app.page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(['pixels'], 'image.png', { type: 'image/png' }));
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true });
        document.body.dispatchEvent(event);
      });
      const [found] = await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
      );
      expect(found?.filename).to.match(/^\d{4}-\d{2}-\d{2} \d{2}\.\d{2}\.png$/);
      await app.close();
    });

    // The bytes are stored in the browser or not: the databases of the profiles play no part, and it takes a while.
    if (profile === firstProfile[0])
      it('asks for a large file again after a reload, refuses another one, and goes on', async () => {
        const path = join(folder, 'large.bin');
        const file = await open(path, 'w+');
        await file.truncate(LARGE_BYTES);
        await file.write(randomBytes(MIB), 0, MIB, 3 * MIB);
        await file.write(randomBytes(MIB), 0, MIB, LARGE_BYTES - MIB);
        const app = await openSlow();
        const { page, network } = app;
        await network(false, 20 * MIB);
        await chooseFiles(page, [path]);
        await rowOf(page, 'large.bin', 'sending').waitFor({ timeout: 120_000 });
        await eventually(
          () => used(app.token),
          (bytes) => bytes >= 8 * MIB,
          120_000,
        );
        await page.reload();
        const row = rowOf(page, 'large.bin', 'needs-file');
        await row.getByText('Choose it again to go on.').waitFor();
        const choose = row.locator('input[type=file]');
        await choose.setInputFiles({ name: 'large.bin', mimeType: '', buffer: Buffer.from('x') });
        await row.getByText('That is another file.').waitFor();
        // The same name and size, and one other byte where bytes were sent already.
        await file.write('!', 5);
        await choose.setInputFiles(path);
        await row.getByText('That is another file.').waitFor({ timeout: 120_000 });
        await file.write('\0', 5);
        await network(false);
        await choose.setInputFiles(path);
        const [object] = await eventually(
          () => listed(service, app),
          (all) => all.length === 1,
          120_000,
        );
        const stored = await contentOf(service, app, object?.id ?? '');
        const expected = Buffer.alloc(LARGE_BYTES);
        await file.read(expected, 0, LARGE_BYTES, 0);
        await file.close();
        expect(sha256(stored)).to.equal(sha256(expected));
        expect(app.complaints).to.deep.equal([]);
        await app.close();
      });
  });
