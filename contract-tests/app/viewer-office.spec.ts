import { expect } from 'chai';
import type { Browser, Frame, Page } from 'playwright-core';
import { OFFICE_SECRET, openOfficeService, type OfficeService } from '../fake-document-server.ts';
import { hasBrowser, openBrowser } from '../http/browser.ts';
import { eventually, firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { addFile, sample } from './viewer-fixture.ts';

const NAME = 'lighthouse.docx';
const WITHIN_MS = 60_000;

/** The frame whose page is at an address that fits. */
const frameAt = async (page: Page, address: RegExp): Promise<Frame> => {
  const find = () => Promise.resolve(page.frames().find((frame) => address.test(frame.url())));
  const found = await eventually(find, (frame) => frame !== undefined, WITHIN_MS);
  if (!found) throw new Error(`${String(address)} is in no frame.`);
  return found;
};

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: office files in the viewer`, function () {
    this.timeout(180_000);
    let office: OfficeService;
    let service: Service;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    before(async () => {
      office = await openOfficeService();
      service = await startService(profile, {
        OFFICE_URL: office.origin,
        OFFICE_JWT_SECRET: OFFICE_SECRET,
      });
      browser = await openBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
    });
    after(async () => {
      await browser.close();
      await service.dispose();
      await office.close();
    });
    afterEach(() => {
      office.mood.health = 'well';
      expect(tab.complaints).to.deep.equal([]);
    });

    const call = async (method: string, path: string, body?: object) =>
      (await service.call(method, path, { token: tab.token, ...(body && { body }) })).json;
    const openedAfter = (before: number): Promise<number> =>
      eventually(
        () => Promise.resolve(office.opened.length),
        (count) => count > before,
        WITHIN_MS,
      );
    const openEditor = async (id: string): Promise<Frame> => {
      const before = office.opened.length;
      await tab.open(`/object/${id}/edit`);
      await openedAfter(before);
      await page.getByText('Opening the editor').waitFor({ state: 'detached' });
      return frameAt(page, /\/documenteditor\//);
    };
    const edited = async (mark: string): Promise<Buffer> => {
      const document = await sample(NAME);
      const commented = Buffer.concat([document, Buffer.from(mark)]);
      commented.writeUInt16LE(mark.length, document.length - 2);
      return commented;
    };
    /** The document server stores what was edited since it was opened last. */
    const save = async (status: 2 | 6, mark: string): Promise<void> => {
      const config = office.opened.at(-1);
      if (!config) throw new Error('Nothing was opened.');
      const { json } = await office.tells(config, {
        status,
        url: office.saves(await edited(mark)),
      });
      expect(json).to.deep.equal({ error: 0 });
    };

    it('are edited in the editor of the document server, and come back as versions', async () => {
      const bytes = await sample(NAME);
      const id = await addFile(service, tab, NAME, bytes);
      await tab.open(`/object/${id}`);
      await page.locator('.text-paper').waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      const editor = await frameAt(page, /\/documenteditor\//);
      await editor.getByText(`${NAME} (edit): 200, ${bytes.length} bytes`).waitFor();
      await page.getByText('Opening the editor').waitFor({ state: 'detached' });
      await capture(page, 'viewer-office');
      await expectAccessibleInBothThemes(page, 'office editor');
      await editor.getByRole('button', { name: 'Type' }).click();
      await page.getByRole('status').getByText('Sending your changes').waitFor();
      await editor.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('status').getByText('stored as a version').waitFor();
      await save(6, 'while it is edited');
      await page.getByText('Your changes are stored as version 2.').waitFor();
      await editor.getByRole('button', { name: 'Close' }).click();
      const details = page.getByRole('complementary', { name: 'Details' });
      await details.getByText('Saved in the editor').waitFor();
      const { items } = await call('GET', `/v1/objects/${id}/versions`);
      expect(items.map(({ origin }: { origin: string }) => origin)).to.deep.equal([
        'office',
        'upload',
      ]);
    });

    it('are edited without the session in reach of the document server', async () => {
      const id = await addFile(service, tab, NAME, await sample(NAME));
      const editor = await openEditor(id);
      expect(await editor.evaluate(() => location.origin)).to.equal(office.origin);
      const scripts = await frameAt(page, /^data:text\/html/);
      const reach = await scripts.evaluate(() => {
        const tryTo = (read: () => unknown): string => {
          try {
            return String(read());
          } catch (error) {
            return (error as Error).name;
          }
        };
        return [
          globalThis.origin,
          tryTo(() => document.cookie),
          tryTo(() => localStorage.length),
          tryTo(() => parent.document.body),
          tryTo(() => top?.document.body),
        ];
      });
      expect(reach).to.deep.equal([
        'null',
        'SecurityError',
        'SecurityError',
        'SecurityError',
        'SecurityError',
      ]);
      const { headers } = await service.call('GET', '/app/office-frame', { token: null });
      expect(headers.get('content-security-policy')).to.equal(
        `default-src 'none'; script-src 'self' ${office.origin}; frame-src data: ${office.origin}; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`,
      );
      const app = await service.call('GET', '/app', { token: null });
      expect(app.headers.get('content-security-policy')).not.to.include(office.origin);
    });

    it('that changed elsewhere meanwhile are said to have, and opened anew', async () => {
      const id = await addFile(service, tab, NAME, await sample(NAME));
      const editor = await openEditor(id);
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(await edited('elsewhere'))]), NAME);
      form.append('base_version', '1');
      await service.call('POST', `/v1/objects/${id}/content`, { token: tab.token, raw: form });
      await page.getByText('Version 2 was added elsewhere.').waitFor();
      await editor.getByRole('button', { name: 'Outdated' }).click();
      await page.getByRole('alert').getByText('newer version than the one').waitFor();
      await expectAccessibleInBothThemes(page, 'outdated');
      const first = office.opened.at(-1);
      const before = office.opened.length;
      await page.getByRole('button', { name: 'Open the newest' }).click();
      await openedAfter(before);
      expect(office.opened.at(-1)?.document.key).not.to.equal(first?.document.key);
      await page.getByText('Version 2 was added elsewhere.').waitFor({ state: 'detached' });
    });

    it('of formats that are only shown say so, and in the trash nothing is edited', async () => {
      const old = await addFile(
        service,
        tab,
        'lighthouse.doc',
        await sample('formats/lighthouse.doc'),
      );
      const editor = await openEditor(old);
      await editor.getByText('lighthouse.doc (view)').waitFor();
      await page.getByText('The editor only shows files of this format').waitFor();
      await call('DELETE', `/v1/objects/${old}`);
      await page.getByText('It is in the trash, and can only be read.').waitFor();
      await page.locator('.office-frame').waitFor({ state: 'detached' });
    });

    it('say that the editor did not load or reports an error, and try again', async () => {
      const id = await addFile(service, tab, NAME, await sample(NAME));
      const script = '**/api/documents/api.js';
      await page.route(script, (route) => route.fulfill({ status: 404, body: 'Not found' }));
      await tab.open(`/object/${id}/edit`);
      const alert = page.getByRole('alert');
      await alert.getByText('could not be loaded from the document server').waitFor();
      await expectAccessibleInBothThemes(page, 'editor not loaded');
      await page.unroute(script);
      await alert.getByRole('button', { name: 'Try again' }).click();
      const editor = await frameAt(page, /\/documenteditor\//);
      await editor.getByRole('button', { name: 'Fail' }).click();
      await alert.getByText('The editor reports an error').waitFor();
    });

    it('are corrected by their text, also while the document server does not respond', async () => {
      const id = await addFile(service, tab, NAME, await sample(NAME));
      await tab.open(`/object/${id}`);
      await page
        .getByRole('complementary', { name: 'Details' })
        .getByRole('link', { name: 'Correct' })
        .click();
      await page.waitForURL(/\/correct$/);
      await page.getByRole('textbox', { name: 'Text' }).waitFor();
      office.mood.health = 'ill';
      await tab.open(`/object/${id}/edit`);
      await page.getByText('The document server does not respond').waitFor();
      await page.getByRole('textbox', { name: 'Text' }).waitFor();
      await capture(page, 'viewer-office-away');
      await expectAccessibleInBothThemes(page, 'no response');
      office.mood.health = 'well';
      await page.getByRole('button', { name: 'Try again' }).click();
      await (await frameAt(page, /\/documenteditor\//)).getByText('(edit)').waitFor();
    });
  });

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: office files in the viewer without a document server`, function () {
    this.timeout(180_000);
    let service: Service;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await startService(profile);
      browser = await openBrowser();
      tab = await openApp(browser, service);
    });
    after(async () => {
      await browser.close();
      await service.dispose();
    });
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    it('say why they are not edited, and offer what can be edited', async () => {
      const { page, open } = tab;
      const id = await addFile(service, tab, NAME, await sample(NAME));
      await open(`/object/${id}`);
      await page.locator('.text-paper').waitFor();
      await page.keyboard.press('e');
      await page.getByText('No document server is connected').waitFor();
      await page.getByRole('textbox', { name: 'Text' }).waitFor();
      await capture(page, 'viewer-office-off');
      await expectAccessibleInBothThemes(page, 'switched off');
      const table = await addFile(service, tab, 'tides.csv', await sample('tides.csv'));
      await open(`/object/${table}/edit`);
      const field = page.getByRole('textbox', { name: 'Content' });
      await field.fill('day,height\n2026-11-23,4.2');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      const { json } = await service.call('GET', `/v1/objects/${table}`, { token: tab.token });
      expect(json.version).to.equal(2);
      const locked = await addFile(
        service,
        tab,
        'locked.docx',
        await sample('formats/locked.docx'),
      );
      await open(`/object/${locked}/edit`);
      await page.getByText('edit it in another program').waitFor();
      await expectAccessibleInBothThemes(page, 'nothing to edit');
      const { status } = await service.call('GET', '/app/office-frame', { token: null });
      expect(status).to.equal(404);
    });
  });
