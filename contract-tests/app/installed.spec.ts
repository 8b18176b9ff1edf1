import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { startLocalServer, type Site } from '../local-server.ts';
import { capture, expectAccessibleInBothThemes, openInstalledApp } from './app-fixture.ts';
import { chooseFiles, listed, rowOf, textFile } from './uploads-fixture.ts';

const WORKER = '/app/service-worker.js';

// Files of the build and the browser's own features: the databases of the profiles play no part.
for (const profile of hasBrowser ? firstProfile : [])
  describe('the installed app', function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    /** What the proxy in front of the service does with the service worker. */
    let worker: 'as built' | 'newer' | 'broken' = 'as built';
    let proxy: Site;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      proxy = await startLocalServer((incoming, response) => {
        if (incoming.url === WORKER && worker === 'broken') response.writeHead(500).end();
        else forward(service.base, incoming, response, worker === 'newer' ? '\n// newer' : '');
      });
    });
    beforeEach(() => {
      worker = 'as built';
    });
    after(() => proxy.close());

    const openProxied = () => openInstalledApp(browser, { ...service, base: proxy.origin });
    const controlled = async (page: Page) => {
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      await page.reload();
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.getByRole('button', { name: 'Add', exact: true }).first().waitFor();
    };

    it('can be installed, and its shortcuts lead to their places', async () => {
      const app = await openInstalledApp(browser, service);
      const { page } = app;
      await app.open('/library');
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      const session = await page.context().newCDPSession(page);
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
      // Contexts of tests are private windows, where nothing is ever installed.
      expect(
        installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
      ).to.deep.equal([]);
      const { url, errors, data } = await session.send('Page.getAppManifest');
      expect(errors).to.deep.equal([]);
      const manifest = JSON.parse(data ?? '') as {
        id: string;
        start_url: string;
        icons: { src: string; sizes: string; type: string; purpose?: string }[];
        shortcuts: { name: string; url: string }[];
        share_target: { action: string };
      };
      const to = (path: string) => new URL(path, url).pathname;
      expect(to(manifest.start_url)).to.equal('/app/library');
      expect(manifest.id).not.to.equal('');
      for (const { src, sizes, type } of manifest.icons) {
        const response = await page.request.get(new URL(src, url).href);
        expect([
          response.status(),
          response.headers()['content-type']?.split(';')[0],
        ]).to.deep.equal([200, type]);
        if (type !== 'image/png') continue;
        const bytes = await response.body();
        expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).to.equal(sizes);
      }
      const pngs = manifest.icons.filter(({ type }) => type === 'image/png');
      expect(pngs.map(({ sizes }) => sizes)).to.include.members(['192x192', '512x512']);
      expect(pngs.some(({ purpose }) => purpose === 'maskable')).to.equal(true);
      expect(to(manifest.share_target.action)).to.equal('/app/add');
      const titles: string[] = [];
      for (const shortcut of manifest.shortcuts) {
        await page.goto(new URL(shortcut.url, url).href);
        await page.locator('main h1, dialog[open] h2').first().waitFor();
        titles.push(shortcut.name);
      }
      expect(titles).to.have.length(3);
      await page.getByRole('dialog', { name: 'Add' }).waitFor();
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('adds files and text that another app shares', async () => {
      const app = await openInstalledApp(browser, service);
      const { page } = app;
      await app.open('/library');
      await controlled(page);
      const share = () =>
        page.evaluate(() => {
          const form = document.createElement('form');
          Object.assign(form, { method: 'post', enctype: 'multipart/form-data' });
          form.action = '/app/add';
          const field = (type: string, name: string) => {
            const input = document.createElement('input');
            Object.assign(input, { type, name });
            form.append(input);
            return input;
          };
          const files = new DataTransfer();
          files.items.add(new File(['of another app'], 'shared.txt', { type: 'text/plain' }));
          field('file', 'file').files = files.files;
          field('text', 'title').value = 'A page';
          field('text', 'url').value = 'https://example.org/page';
          document.body.append(form);
          form.submit();
        });
      await share();
      await page.waitForURL(/\/app\/add$/);
      await page.getByRole('dialog').getByText('https://example.org/page').waitFor();
      await capture(page, 'shared');
      await expectAccessibleInBothThemes(page, 'shared text');
      await page.getByRole('button', { name: 'As a note' }).click();
      const all = await eventually(
        () => listed(service, app),
        (found) => found.length === 2,
      );
      expect(all.map(({ filename }) => filename)).to.include('shared.txt');
      // It is added once.
      await page.reload();
      await page.getByText('Nothing was shared.').waitFor();
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('queues what is added without a network, and sends it when there is one', async () => {
      const app = await openInstalledApp(browser, service);
      const { page } = app;
      await app.open('/library');
      await controlled(page);
      await page.context().setOffline(true);
      await chooseFiles(page, [textFile('offline.txt', 'written on a train')]);
      await rowOf(page, 'No connection. Continues automatically.', 'waiting').waitFor();
      await page.context().setOffline(false);
      const [added] = await eventually(
        () => listed(service, app),
        (all) => all.length === 1,
        60_000,
      );
      expect(added?.filename).to.equal('offline.txt');
      await app.close();
    });

    it('says if what was shared could not be stored', async () => {
      const app = await openInstalledApp(browser, service);
      await app.open('/add?failed');
      await app.page.getByText('What was shared could not be stored in this browser.').waitFor();
      await app.close();
    });

    it('says that there is a new version, and loads it on request', async () => {
      const app = await openProxied();
      const { page } = app;
      await app.open('/library');
      await controlled(page);
      const notice = page.getByText('A new version is ready.');
      expect(await notice.count()).to.equal(0);
      worker = 'newer';
      // The owner comes back to a tab that was open all the time.
      await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
      await notice.waitFor();
      await capture(page, 'new-version');
      await expectAccessibleInBothThemes(page, 'new version');
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Reload' }).click();
      await loaded;
      await page.getByRole('button', { name: 'Add', exact: true }).first().waitFor();
      expect(await notice.count()).to.equal(0);
      expect(app.complaints).to.deep.equal([]);
      await app.close();
    });

    it('works without its service worker, and reports why there is none', async () => {
      worker = 'broken';
      const app = await openProxied();
      await app.open('/library');
      await app.page.getByRole('button', { name: 'Add', exact: true }).first().waitFor();
      const complaints = await eventually(
        () => Promise.resolve(app.complaints),
        (all) => all.length > 0,
      );
      expect(complaints.join('\n')).to.match(/ServiceWorker/);
      await app.close();
    });

    it('says that it is offline in a bar that covers nothing', async () => {
      for (const viewport of [
        { width: 1_440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        const app = await openInstalledApp(browser, service, { viewport });
        const { page } = app;
        await app.open('/library');
        await page.getByRole('searchbox').first().waitFor();
        await page.context().setOffline(true);
        const bar = page.getByText(/^Offline: showing what was here at/);
        await bar.waitFor();
        const bottomOfBar = await bar.evaluate((node) => node.getBoundingClientRect().bottom);
        const top = await page.locator('.top').evaluate((node) => node.getBoundingClientRect().top);
        expect(top).to.be.at.least(bottomOfBar);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollHeight - document.documentElement.clientHeight,
        );
        expect(overflow).to.equal(0);
        await capture(page, `offline-${viewport.width}`);
        await expectAccessibleInBothThemes(page, 'offline');
        await page.context().setOffline(false);
        await bar.waitFor({ state: 'detached' });
        await app.close();
      }
    });
  });

/** Passes a request on; the script of the service worker gets an end that makes it another one. */
function forward(
  base: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  end: string,
): void {
  const isChanged = incoming.url === WORKER && end !== '';
  const { 'if-none-match': _tag, 'accept-encoding': _coding, ...plain } = incoming.headers;
  const outgoing = request(base + (incoming.url ?? ''), {
    method: incoming.method ?? 'GET',
    headers: isChanged ? plain : incoming.headers,
  });
  outgoing.once('error', () => response.destroy());
  outgoing.once('response', (answer) => {
    const { 'content-length': _length, etag: _etag, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, isChanged ? headers : answer.headers);
    if (!isChanged) return void answer.pipe(response);
    answer.pipe(response, { end: false });
    answer.once('end', () => response.end(end));
  });
  incoming.pipe(outgoing);
}
