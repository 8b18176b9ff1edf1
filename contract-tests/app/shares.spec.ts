import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, openBrowser, openTab } from '../http/browser.ts';
import { eventually, firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, openApp, type AppTab } from './app-fixture.ts';
import {
  addSharedFolder,
  callAs,
  rowOf,
  scannedText,
  shareOf,
  type SharedFolder,
} from './shares-fixture.ts';
import { addFile } from './viewer-fixture.ts';

const PASSWORD = 'three wet oars';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: links for visitors in the app`, function () {
    this.timeout(180_000);
    let service: Service;
    let browser: Browser;
    let tab: AppTab;
    let folder: SharedFolder;
    before(async () => {
      service = await startService(profile, { TRUST_PROXY: '1' });
      browser = await openBrowser();
      tab = await openApp(browser, service);
      folder = await addSharedFolder(service, tab);
    });
    after(async () => {
      await tab?.close();
      await browser?.close();
      await service?.dispose();
    });
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const call = (method: string, path: string, body?: object) =>
      callAs(service, tab, method, path, body);
    const shares = async () => (await call('GET', '/v1/shares')).items;
    const dialog = () => tab.page.locator('dialog[open]');
    const panel = () => tab.page.locator('aside.panel');
    const button = (name: string) => panel().getByRole('button', { name, exact: true });
    const url = async () => (await panel().locator('.made-address').first().innerText()).trim();

    it('says what to do while there is no link', async () => {
      await tab.open('/shares');
      await tab.page.getByText('Nothing of yours is shared').waitFor();
      await capture(tab.page, `shares-empty-${profile}`);
    });

    it('shows what a visitor will see before a link is made, and makes none until then', async () => {
      const { page } = tab;
      await tab.open(`/folder/${folder.id}`);
      await page.getByRole('row', { name: /minutes/ }).waitFor();
      await page.locator('.folder-head').getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('link', { name: 'Share', exact: true }).click();
      await page.waitForURL(`**/shares/new?folder=${folder.id}`);
      const view = panel().getByRole('group', { name: 'What a visitor sees' });
      await view.getByText('Trustees, minutes.txt').waitFor();
      await view.getByText('2 files').waitFor();
      await view.getByText('Everyone who has the link').waitFor();
      await panel().getByText('1 looks like a bank statement.').waitFor();
      await panel().getByLabel('Name for visitors').fill('For the trustees');
      await view.getByText('For the trustees').waitFor();
      await capture(page, `shares-new-${profile}`);
      expect(await shares()).to.deep.equal([]);
    });

    it('takes a document out of the folder that seldom is for others, and back', async () => {
      const { page } = tab;
      await button('Take out: Trustees, account.txt').click();
      await panel().getByText('1 file', { exact: false }).first().waitFor();
      await panel().getByText('looks like a bank statement').waitFor({ state: 'detached' });
      expect((await call('GET', `/v1/objects/${folder.statement}`)).collection_id).to.equal(null);
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
      await panel().getByText('1 looks like a bank statement.').waitFor();
      expect((await call('GET', `/v1/objects/${folder.statement}`)).collection_id).to.equal(
        folder.id,
      );
    });

    it('refuses a short password beside its field, and makes nothing', async () => {
      await panel().getByLabel('Password', { exact: true }).fill('short');
      await button('Make the link').click();
      await panel().getByText('It needs 8 to 128 characters.').waitFor();
      await tab.page.locator('input[aria-invalid="true"]:focus').waitFor();
      expect(await shares()).to.deep.equal([]);
    });

    it('shows the address once, with a code that a camera reads', async () => {
      await panel()
        .getByRole('radio', { name: /Look and add/ })
        .check();
      await panel().getByLabel('Files at most').fill('3');
      await panel().getByLabel('Password', { exact: true }).fill(PASSWORD);
      await panel().getByText('After the password').waitFor();
      await button('Make the link').click();
      await panel().getByRole('heading', { name: 'The link is made' }).waitFor();
      const [made] = await shares();
      expect(made).to.include({
        kind: 'folder',
        resource_id: folder.id,
        name: 'For the trustees',
        role: 'contributor',
        max_upload_files: 3,
        has_password: true,
      });
      const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
      expect(days).to.be.within(29, 30);
      expect(await url())
        .to.contain('/v1/public/shares/')
        .and.to.contain(made.prefix);
      await tab.page.locator('.qr').waitFor();
      await capture(tab.page, `shares-made-${profile}`);
      expect(await scannedText(tab.page)).to.equal(await url());
      await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await button('Copy the address').click();
      await tab.page.locator('.toast').getByText('Copied', { exact: true }).waitFor();
      expect(await tab.page.evaluate('navigator.clipboard.readText()')).to.equal(await url());
    });

    it('counts visits and shows what came in while it is watched', async () => {
      const { page } = tab;
      const address = await url();
      await button('Done').last().click();
      await page.waitForURL(/\/shares$/);
      expect(await page.content()).not.to.contain(address);
      const row = rowOf(page, 'For the trustees');
      await row.getByText('with a password').waitFor();
      await row.getByText('0 visits').waitFor();
      const visitor = await openTab(browser);
      await visitor.page.goto(address);
      await visitor.page.getByLabel('Password').fill(PASSWORD);
      await visitor.page.getByRole('button', { name: 'Unlock' }).click();
      await visitor.page
        .getByRole('link', { name: 'Trustees, minutes.txt', exact: true })
        .waitFor();
      await row.getByText(/^[1-9]\d* visits?/).waitFor();
      await visitor.page.getByLabel('Files to add').setInputFiles({
        name: 'receipt of the visitor.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('paid'),
      });
      await visitor.page.getByRole('button', { name: 'Upload' }).click();
      await visitor.page.locator('#came-in').waitFor();
      expect(visitor.complaints).to.deep.equal([]);
      await visitor.close();
      await row.getByText('1 file came in').waitFor();
      const lately = page.getByRole('region', { name: 'Lately' });
      await lately.getByRole('link', { name: 'receipt of the visitor.txt' }).waitFor();
      await lately.getByText('was opened for the first time').waitFor();
      await capture(page, `shares-table-${profile}`);
    });

    it('changes a link, and takes the change back', async () => {
      const { page } = tab;
      await rowOf(page, 'For the trustees').getByRole('link', { name: 'For the trustees' }).click();
      await page.waitForURL(/\/shares\/[0-9a-f-]{36}$/);
      const [{ id }] = await shares();
      const current = () => call('GET', `/v1/shares/${id}`);
      await panel().getByText('1 of 3 files').waitFor();
      await capture(page, `shares-link-${profile}`);
      await panel().getByLabel('Name for visitors').fill('For the board');
      await panel()
        .getByRole('radio', { name: /and download/ })
        .check();
      await button('Save').click();
      await rowOf(page, 'For the board').waitFor();
      expect(await current()).to.include({ name: 'For the board', role: 'viewer' });
      await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
      await rowOf(page, 'For the trustees').waitFor();
      expect(await current()).to.include({ name: 'For the trustees', role: 'contributor' });
      // The fields follow.
      await panel()
        .getByRole('radio', { name: /of their own/, checked: true })
        .waitFor();
      expect(await panel().getByLabel('Name for visitors').inputValue()).to.equal(
        'For the trustees',
      );
      await panel().getByRole('checkbox', { name: 'Take the password off' }).check();
      await panel().getByLabel('Ends').selectOption('never');
      await button('Save').click();
      await rowOf(page, 'For the').getByText('no password').waitFor();
      expect(await current()).to.include({ has_password: false, expires_at: null });
    });

    it('tells a resting link apart, says why, and says when it is open again', async () => {
      const { page } = tab;
      const document = await addFile(service, tab, 'Survey.txt', 'The hull is sound.');
      await shareOf(service, tab, { kind: 'file', resource_id: document, name: 'For the insurer' });
      const row = rowOf(page, 'For the insurer');
      await row.getByText('Open', { exact: true }).waitFor();
      await call('DELETE', `/v1/objects/${document}`);
      await row.getByText('Suspended').waitFor();
      await row.getByText('the document is in the trash').waitFor();
      await row.getByRole('link', { name: 'For the insurer' }).click();
      await panel()
        .getByText(/Visitors see nothing/)
        .waitFor();
      await panel().getByRole('link', { name: 'Open the document' }).waitFor();
      await capture(page, `shares-rests-${profile}`);
      await call('POST', `/v1/objects/${document}/restore`);
      await row.getByText('Open', { exact: true }).waitFor();
      await panel().getByRole('group', { name: 'What a visitor sees' }).waitFor();
    });

    it('ends a link after a question, for visitors too', async () => {
      const { page } = tab;
      const made = await shareOf(service, tab, { resource_id: folder.id, name: 'To be ended' });
      const row = rowOf(page, 'To be ended');
      await row.getByRole('button', { name: /^More for/ }).click();
      await row.getByRole('button', { name: 'End the link' }).click();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
      await row.getByRole('button', { name: /^More for/ }).click();
      await row.getByRole('button', { name: 'End the link' }).click();
      await capture(page, `shares-end-${profile}`);
      await dialog().getByRole('button', { name: 'End the link' }).click();
      await row.waitFor({ state: 'detached' });
      expect((await fetch(made.url)).status).to.equal(404);
      const left = await eventually(shares, (items) => items.length === 2);
      expect(left.map(({ name }: { name: string }) => name)).not.to.include('To be ended');
    });
  });
