import { expect } from 'chai';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { newDataFolder } from '../backends-env.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';
import { chooseFiles, listed, rowOf } from './uploads-fixture.ts';

const FILES = {
  'Trip/plan.txt': 'where to',
  'Trip/day 1/beach/a.txt': 'sand',
  'Trip/day 1/b.txt': 'rain',
  'alone.txt': 'beside the folder',
  'Nothing/.keep': '',
};

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: dropped folders`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let place: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      place = await newDataFolder();
      for (const [path, text] of Object.entries(FILES)) {
        await mkdir(dirname(join(place, path)), { recursive: true });
        await writeFile(join(place, path), text);
      }
      await rm(join(place, 'Nothing/.keep'));
    });
    after(async () => {
      await rm(place, { recursive: true, force: true });
    });

    const openFolder = async () => {
      const app = await openApp(browser, service);
      const { token } = app;
      const { json } = await service.call('POST', '/v1/collections', {
        token,
        body: { name: 'Summer' },
      });
      await app.open(`/folder/${json.id as string}`);
      await app.page.locator('.app input[type=file]').waitFor({ state: 'attached' });
      return app;
    };

    /** As a file manager drops them: with their folders. */
    const drop = async (page: Page, ...names: string[]) => {
      const session = await page.context().newCDPSession(page);
      const files = names.map((name) => join(place, name));
      const data = { items: [], files, dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, x: 700, y: 500, data });
      await session.detach();
    };

    const places = async (app: Parameters<typeof listed>[1], count: number) => {
      const all = await eventually(
        () => listed(service, app),
        (found) => found.length === count,
      );
      return all
        .map(({ filename, collection_name: folder }) => `${folder ?? ''}: ${filename}`)
        .sort();
    };

    it('become folders if the owner keeps them; a file beside them goes into the open folder', async () => {
      const app = await openFolder();
      const { page } = app;
      await drop(page, 'Trip', 'alone.txt');
      const dialog = page.getByRole('dialog', { name: 'Add a folder' });
      await dialog.getByText('It has 4 files.').waitFor();
      await capture(page, 'dropped-folder');
      await expectAccessibleInBothThemes(page, 'dropped folder');
      await dialog.getByRole('button', { name: 'Keep its folders' }).click();
      expect(await places(app, 4)).to.deep.equal([
        'Summer: alone.txt',
        'Trip: plan.txt',
        'day 1 / beach: a.txt',
        'day 1: b.txt',
      ]);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('may be put together into the open folder', async () => {
      const app = await openFolder();
      await drop(app.page, 'Trip');
      await app.page.getByRole('button', { name: 'Put all here' }).click();
      expect(await places(app, 3)).to.deep.equal([
        'Summer: a.txt',
        'Summer: b.txt',
        'Summer: plan.txt',
      ]);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('add nothing if the owner cancels, or if they are empty', async () => {
      const app = await openFolder();
      const { page } = app;
      const dialog = page.getByRole('dialog', { name: 'Add a folder' });
      await drop(page, 'Trip');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await drop(page, 'Nothing');
      await dialog.getByText('It has 0 files.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Keep its folders' }).count()).to.equal(0);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.locator('.tray').count()).to.equal(0);
      expect(await listed(service, app)).to.deep.equal([]);
      await app.close();
    });

    it('may be chosen instead', async () => {
      const app = await openFolder();
      await chooseFiles(app.page, [join(place, 'Trip')], 'A folder');
      await app.page.getByRole('button', { name: 'Keep its folders' }).click();
      expect(await places(app, 3)).to.deep.equal([
        'Trip: plan.txt',
        'day 1 / beach: a.txt',
        'day 1: b.txt',
      ]);
      await rowOf(app.page, 'plan.txt').waitFor({ state: 'detached' });
      await app.close();
    });
  });
