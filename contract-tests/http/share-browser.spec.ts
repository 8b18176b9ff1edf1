import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { filesOf } from '../core/transfer-fixture.ts';
import { twoColours } from '../samples/pictures.ts';
import { hasBrowser, openBrowser, openTab, type Tab } from './browser.ts';
import { profiles, startService, type Answer, type Service } from './harness.ts';

const SECRET = 'correct horse';
const HOSTILE = '<img src=x onerror=alert(1)>.txt';
const ATTACK = 'alert(1);document.title="pwned";fetch("/pwned")';
const SCHEMES = ['light', 'dark'] as const;
/** A folder for the screenshots, for work on the pages. */
const SCREENSHOT_DIR = process.env['SCREENSHOT_DIR'];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** One profile is enough: the responses are the same on both, and tested there. */
for (const profile of hasBrowser ? profiles.slice(0, 1) : [])
  describe(`${profile}: the page of a share, in a browser`, function () {
    this.timeout(240_000);
    let service: Service;
    let browser: Browser;
    const tabs: Tab[] = [];
    before(async () => {
      service = await startService(profile, { TRUST_PROXY: '1', MAX_UPLOAD_BYTES: '2000000' });
      browser = await openBrowser();
      if (SCREENSHOT_DIR !== undefined) mkdirSync(SCREENSHOT_DIR, { recursive: true });
    });
    afterEach(async () => {
      for (const tab of tabs.splice(0)) await tab.close();
    });
    after(async () => {
      await browser?.close();
      await service?.dispose();
    });

    const tab = async (options: Parameters<typeof openTab>[1] = {}): Promise<Tab> => {
      const opened = await openTab(browser, options);
      tabs.push(opened);
      return opened;
    };
    let folders = 0;
    const folder = async (name: string): Promise<string> =>
      (await service.call('POST', '/v1/collections', { body: { name: `${name} ${++folders}` } }))
        .json.id;
    const file = async (
      name: string,
      bytes: string | Uint8Array,
      collection_id: string,
    ): Promise<string> =>
      (await service.uploadAll([[name, bytes]], { collection_id })).json.items[0].id;
    const share = async (body: object): Promise<Answer['json']> =>
      (await service.call('POST', '/v1/shares', { body: { kind: 'folder', ...body } })).json;
    const filled = async (name: string): Promise<string> => {
      const collection = await folder(name);
      const letter = await readFile(new URL('../samples/letter.pdf', import.meta.url));
      const ids = [
        await file('A letter about the hedge.pdf', letter, collection),
        await file('two colours.png', await twoColours(600).png().toBuffer(), collection),
        await file(HOSTILE, 'Nothing of this is run.', collection),
        await file(`${'a very long name '.repeat(9)}.txt`, `${'x'.repeat(300)}\n`, collection),
        await file('report.docx', 'PK', collection),
      ];
      for (const id of ids) await service.settled(id);
      return collection;
    };
    const names = (page: Page) => page.locator('.files bdi').allTextContents();
    const shot = async (page: Page, name: string): Promise<void> => {
      if (SCREENSHOT_DIR === undefined) return;
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(SCREENSHOT_DIR, `${name}.png`), fullPage: true });
    };
    const saved = async (page: Page, click: () => Promise<void>): Promise<Buffer> => {
      const [download] = await Promise.all([page.waitForEvent('download'), click()]);
      const path = await download.path();
      return readFile(path);
    };

    for (const javaScriptEnabled of [true, false])
      describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
        it('shows its contents, links to files and back, and downloads one file or all', async () => {
          const { url } = await share({ resource_id: await filled('Summer'), name: 'For you' });
          const { page, complaints } = await tab({ javaScriptEnabled });
          await page.goto(url);
          expect(await names(page)).to.include.members([HOSTILE, 'two colours.png']);
          await page
            .getByRole('link', { name: 'A letter about the hedge.pdf', exact: true })
            .click();
          expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(
            'A letter about the hedge.pdf',
          );
          const picture = page.getByRole('img', { name: 'The first page' });
          await page.waitForLoadState();
          expect((await picture.boundingBox())?.height).to.be.greaterThan(300);
          expect(await page.locator('pre').textContent()).to.include('Dear Mr Halloran');
          const bytes = await saved(page, () =>
            page.getByRole('link', { name: 'Download A letter' }).click(),
          );
          expect(bytes.subarray(0, 5).toString()).to.equal('%PDF-');
          await page.getByRole('link', { name: 'All that is shared' }).click();
          const zip = await saved(page, () =>
            page.getByRole('link', { name: 'Download all' }).click(),
          );
          expect((await filesOf(zip)).size).to.equal(5);
          expect(complaints).to.deep.equal([]);
        });

        it('requests the password until it is correct, and remembers it', async () => {
          const resource_id = await folder('Locked');
          const id = await file('inside.txt', 'inside', resource_id);
          const { url, id: shareId } = await share({ resource_id, password: SECRET });
          const { page, complaints } = await tab({ javaScriptEnabled });
          await page.goto(`${url}/objects/${id}`);
          const password = page.getByLabel('Password');
          await password.fill('wrong');
          await page.getByRole('button', { name: 'Unlock' }).click();
          await page.getByRole('alert').waitFor();
          expect(await page.getByRole('alert').textContent()).to.equal('That is not the password.');
          // The focus after an error, without a pointer.
          await page.keyboard.type(SECRET);
          await page.keyboard.press('Enter');
          await page.getByRole('link', { name: 'inside.txt', exact: true }).click();
          expect(page.url()).to.equal(`${url}/objects/${id}?at=0`);
          const bytes = await saved(page, () =>
            page.getByRole('link', { name: 'Download inside.txt' }).click(),
          );
          expect(bytes.toString()).to.equal('inside');
          if (javaScriptEnabled) expect(await page.evaluate('document.cookie')).to.equal('');
          await service.call('DELETE', `/v1/shares/${shareId}`);
          expect((await page.reload())?.status()).to.equal(404);
          expect(complaints).to.deep.equal([]);
        });

        it('uploads several files, and confirms it', async () => {
          const { url } = await share({ resource_id: await folder('In'), role: 'contributor' });
          const { page, complaints } = await tab({ javaScriptEnabled });
          await page.goto(url);
          await page.getByLabel('Files to add').setInputFiles([
            { name: HOSTILE, mimeType: 'text/plain', buffer: Buffer.from('1') },
            { name: 'größe 税.txt', mimeType: 'text/plain', buffer: Buffer.from('2') },
          ]);
          await page.getByRole('button', { name: 'Upload' }).click();
          await page.waitForURL(/uploaded=2#came-in$/);
          expect(await page.locator('#came-in').textContent()).to.equal(
            'Your 2 files came in. Thank you.',
          );
          expect(await names(page)).to.have.members([HOSTILE, 'größe 税.txt']);
          if (javaScriptEnabled)
            expect(await page.evaluate('document.activeElement.id')).to.equal('came-in');
          expect(complaints).to.deep.equal([]);
        });
      });

    it('shows upload progress and errors, and sends nothing twice', async () => {
      const { url, id } = await share({ resource_id: await folder('Slow'), role: 'contributor' });
      const { page, complaints } = await tab();
      await page.goto(url);
      const keys: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
      });
      const input = page.getByLabel('Files to add');
      const button = page.getByRole('button', { name: 'Upload' });
      const state = page.locator('#upload-state');
      const choose = (name: string, bytes: number) =>
        input.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'x') });

      await choose('large.bin', 2_000_001);
      await button.click();
      await state.getByText('larger than what is taken in here').waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Upload');
      expect(await page.locator('progress').count()).to.equal(0);

      await choose('slow.txt', 400_000);
      expect(await state.textContent()).to.equal('');
      await page.context().setOffline(true);
      await button.click();
      await state.getByText('The connection broke').waitFor();
      await shot(page, 'broken');
      await page.context().setOffline(false);
      const network = await page.context().newCDPSession(page);
      await network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: 200_000,
      });
      await button.click();
      await state.getByText(/^[1-9]\d? % sent$/).waitFor();
      const progress = page.getByRole('progressbar', { name: 'Upload' });
      expect(Number(await progress.getAttribute('value'))).to.be.within(1, 99);
      await shot(page, 'uploading');
      await page.waitForURL(/uploaded=1/);
      expect(await names(page)).to.deep.equal(['slow.txt']);
      expect((await service.call('GET', `/v1/shares/${id}`)).json.upload_count).to.equal(1);
      const [refused, broken, again] = keys;
      expect(broken)
        .to.match(/^[0-9a-f]{32}$/)
        .and.to.equal(again);
      expect(refused).not.to.equal(broken);
      expect(complaints.filter((it) => !it.includes('ERR_INTERNET_DISCONNECTED'))).to.deep.equal(
        [],
      );
    });

    it('can be used by keyboard alone, in reading order, with visible focus', async () => {
      const resource_id = await folder('Keys');
      await file('one.txt', '1', resource_id);
      await file('two.txt', '2', resource_id);
      const { url } = await share({ resource_id, role: 'contributor' });
      const { page } = await tab();
      await page.goto(url);
      const focused = async () => {
        await page.keyboard.press('Tab');
        return page.evaluate(() => {
          const it = (globalThis as unknown as { document: { activeElement: Focused } }).document
            .activeElement;
          const { outlineStyle, outlineWidth } = (
            globalThis as unknown as { getComputedStyle(of: Focused): Record<string, string> }
          ).getComputedStyle(it);
          return [it.textContent?.trim() || it.id, `${outlineStyle} ${outlineWidth}`];
        });
      };
      for (const text of [
        'Download all as one ZIP file',
        'two.txt',
        'Download two.txt',
        'one.txt',
        'Download one.txt',
        'upload-files',
        'Upload',
      ])
        expect(await focused()).to.deep.equal([text, 'solid 3px']);
      await page.goto(url);
      for (let i = 0; i < 2; i++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/objects\//);
      expect(await page.title()).to.equal('two.txt');
    });

    it('fits a phone of 320 pixels, and violates no accessibility rule, in light and dark mode', async () => {
      const resource_id = await filled('Kraków');
      const open = await share({ resource_id, role: 'contributor', expires_in_days: 9 });
      const locked = await share({ resource_id, name: 'Locked', password: SECRET });
      const empty = await share({ resource_id: await folder('Empty') });
      const { items } = (await service.call('GET', `/v1/shares/${open.id}/contents`)).json;
      const one = await share({ kind: 'file', resource_id: items[3].id });
      const places: Record<string, string> = {
        folder: `${open.url}?uploaded=3`,
        paged: `${open.url}?limit=2&offset=2`,
        locked: locked.url,
        empty: empty.url,
        picture: one.url,
        nothing: `${open.url}x`,
        ...Object.fromEntries(
          items.map(({ id }: { id: string }, i: number) => [
            `file ${i}`,
            `${open.url}/objects/${id}?at=${i}`,
          ]),
        ),
      };
      for (const colorScheme of SCHEMES)
        for (const width of [320, 1_000]) {
          const { page, complaints } = await tab({ colorScheme, viewport: { width, height: 800 } });
          for (const [name, url] of Object.entries(places)) {
            await page.goto(url);
            await judge(page, name, colorScheme, width);
          }
          await page.goto(locked.url);
          await page.getByLabel('Password').fill('wrong');
          await page.keyboard.press('Enter');
          await page.getByRole('alert').waitFor();
          await judge(page, 'wrong password', colorScheme, width);
          expect(complaints).to.deep.equal([]);
        }

      async function judge(
        page: Page,
        place: string,
        colorScheme: string,
        width: number,
      ): Promise<void> {
        const name = `${place}-${colorScheme}-${width}`;
        await shot(page, name);
        const { innerWidth, scrollWidth } = await page.evaluate<Record<string, number>>(
          '({innerWidth, scrollWidth: document.documentElement.scrollWidth})',
        );
        expect(scrollWidth, name).to.equal(innerWidth);
        // Each rule in each scheme; not all of them again for each width.
        if ((colorScheme === 'light') === (width === 320)) await obey(page, name);
      }

      async function obey(page: Page, name: string): Promise<void> {
        await page.evaluate(axe);
        const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
        expect(
          violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          name,
        ).to.deep.equal([]);
        expect(passes.map(({ id }) => id)).to.include('color-contrast');
      }
    });

    it('executes nothing from a file or its name, on the page or in a separate tab', async () => {
      const resource_id = await folder(`<script>${ATTACK}</script>`);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload='${ATTACK}'><script>${ATTACK}</script></svg>`;
      const html = `<!doctype html><body onload='${ATTACK}'><script>${ATTACK}</script>`;
      const files: Record<string, string> = {
        'page.html': html,
        'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${ATTACK}</script></html>`,
        'page.mhtml': `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--\r\n`,
        'drawing.svg': svg,
        'drawing.png': svg,
        'page.txt': html,
        'code.js': ATTACK,
        'style.xml': `<?xml version="1.0"?><?xml-stylesheet href="data:text/xsl,x"?>${svg}`,
        [`<svg onload='${ATTACK}'>.md`]: `<script>${ATTACK}</script>`,
        [`"onmouseover="${ATTACK}".csv`]: `=cmd|'/c calc'!A1`,
      };
      const ids: string[] = [];
      for (const [name, text] of Object.entries(files))
        ids.push(await file(name, text, resource_id));
      for (const id of ids) await service.settled(id);
      const { url } = await share({ resource_id, name: `</title><script>${ATTACK}</script>` });
      const { page, complaints } = await tab();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(url);
      for (const row of await page.locator('.files li').all()) await row.hover();
      expect(await names(page)).to.have.length(ids.length);
      for (const id of ids) {
        await page.goto(`${url}/objects/${id}`);
        expect(await page.title()).not.to.equal('pwned');
      }
      expect(complaints).to.deep.equal([]);
      for (const id of ids) {
        // Either it is saved, which ends the going there, or shown as text under a policy that lets nothing run.
        await page
          .goto(`${url}/objects/${id}/content?disposition=inline`)
          .catch((error: unknown) =>
            expect(String(error)).to.match(/Download is starting|ABORTED/),
          );
        await page.waitForTimeout(50);
        expect(await page.title()).not.to.equal('pwned');
      }
      expect(complaints.filter((it) => it.startsWith('dialog'))).to.deep.equal([]);
      expect(requested.filter((it) => it.includes('pwned'))).to.deep.equal([]);
    });
  });

interface Focused {
  readonly id: string;
  readonly textContent: string | null;
}
interface AxeResults {
  readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[];
  readonly passes: readonly { id: string }[];
}
const axe = await readFile(AXE, 'utf8');
