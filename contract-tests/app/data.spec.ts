import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { writeAsOwner } from '../http/bound-token.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { anImportRun } from '../samples.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { hideDocument, zoneTab } from './zone-fixture.ts';

const zip = (buffer: Buffer) => ({ name: 'e.zip', mimeType: 'application/zip', buffer });

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the data in the settings`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    /** The names of the files in an archive are not compressed. */
    const namesIn = (archive: Buffer): string => archive.toString('latin1');
    const addFile = async ({ token }: Pick<AppTab, 'token'>, name: string): Promise<string> => {
      const { json } = await service.uploadAll([[name, `${name}, low at noon`]], {}, { token });
      await service.settled(json.items[0].id, { token });
      return json.items[0].id;
    };
    const exportOf = async ({ token }: Pick<AppTab, 'token'>): Promise<Buffer> => {
      const response = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).to.equal(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const total = async ({ token }: AppTab): Promise<number> =>
      (await service.call('GET', '/v1/objects?limit=1', { token })).json.total;
    const downloaded = async (page: Page): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the export' }).click(),
      ]);
      expect(download.suggestedFilename()).to.match(/^owner-workspace-[\d-]+\.zip$/);
      return readFile(await download.path());
    };

    it('takes everything out as a file, with what is hidden only while the zone is open', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await addFile(tab, 'tides.txt');
      const hidden = await hideDocument(service, tab);
      const zone = zoneTab(tab, hidden);
      await open('/settings/data');
      await page.getByText('The hidden zone is locked').waitFor();
      await capture(page, 'data');
      const locked = await downloaded(page);
      await page.getByText('The download has begun.').waitFor();
      expect(namesIn(locked)).to.include('tides.txt').and.include('manifest.json');
      expect(namesIn(locked)).not.to.include('Quellnymphe');
      await zone.unlock();
      await page.locator('.rail').getByRole('link', { name: 'Settings' }).click();
      await page.locator('.rail').getByRole('link', { name: 'Your data' }).click();
      await page.getByText('what is hidden goes into the file').waitFor();
      expect(namesIn(await downloaded(page))).to.include('Quellnymphe');
      await page.getByText('The export is saved.').waitFor();
      await page.keyboard.press('Shift+Escape');
      await zone.waitUntilLocked();
      await page.getByText('The hidden zone is locked').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('says that an export needs a fresh sign-in, and saves no file', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await page.route('**/v1/export', (route) => route.fulfill({ status: 403 }));
      await open('/settings/data');
      await page.getByRole('button', { name: 'Download the export' }).click();
      await page.getByRole('alert').getByRole('button', { name: 'Sign in again' }).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('brings an archive in with a report, and changes nothing with a file that is none', async () => {
      const from = await service.newOwner();
      await addFile(from, 'tides.txt');
      const archive = await exportOf(from);
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await open('/settings/data');
      const field = page.locator('main input[type=file]');
      await field.setInputFiles([zip(Buffer.from('no archive'))]);
      await page
        .getByRole('alert')
        .getByText('This is not a complete export of a workspace. Nothing was changed.')
        .waitFor();
      expect(await total(tab)).to.equal(0);
      await field.setInputFiles([zip(archive)]);
      await page.getByText('Done. 1 document was brought in.').waitFor();
      const documents = page.getByRole('row', { name: /^Documents/ });
      expect(await documents.getByRole('cell').allInnerTexts()).to.deep.equal(['1', '0', '0']);
      expect(await total(tab)).to.equal(1);
      await capture(page, 'data-report');
      await expectAccessibleInBothThemes(page, 'the report of an import');
      // The report stays while other sections are shown.
      await page.locator('.rail').getByRole('link', { name: 'Keyboard' }).click();
      await page.getByRole('heading', { level: 1, name: 'Keyboard' }).waitFor();
      await page.locator('.rail').getByRole('link', { name: 'Your data' }).click();
      await documents.waitFor();
      await field.setInputFiles([zip(archive)]);
      await page.getByText('Everything in the archive is here already.').waitFor();
      expect(await documents.getByRole('cell').allInnerTexts()).to.deep.equal(['0', '0', '1']);
      await page.reload();
      await page.getByText('Everything in the archive is here already.').waitFor();
      await page.getByText('e.zip').waitFor();
      expect(await total(tab)).to.equal(1);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    /** Half of a request that the service receives, as if the app had sent it. */
    const sendHalf = ({ token }: Pick<AppTab, 'token'>, key: string, archive: Buffer) => {
      const rest = Promise.withResolvers<void>();
      const half = archive.length >> 1;
      const body = new ReadableStream<Uint8Array>({
        start: async (controller) => {
          controller.enqueue(archive.subarray(0, half));
          await rest.promise;
          controller.enqueue(archive.subarray(half));
          controller.close();
        },
      });
      const response = fetch(`${service.base}/v1/import`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/zip',
          'idempotency-key': key,
        },
        body,
        duplex: 'half',
      } as RequestInit);
      return { response, rest };
    };
    /** The browser asks, where the page has been used already. */
    const acceptDialogs = (page: Page) =>
      page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());

    it('shows the progress of an import after a reload and in another tab, and then its report', async () => {
      const from = await service.newOwner();
      await addFile(from, 'tides.txt');
      const archive = await exportOf(from);
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await open('/settings/data');
      const key = Promise.withResolvers<string>();
      await page.route('**/v1/import', (route) =>
        key.resolve(route.request().headers()['idempotency-key'] ?? ''),
      );
      await page.locator('main input[type=file]').setInputFiles([zip(archive)]);
      const { response, rest } = sendHalf(tab, await key.promise, archive);
      acceptDialogs(page);
      await page.reload();
      await page.getByText(/^[\d.]+ \S+ received$/).waitFor();
      const other = await tab.page.context().newPage();
      await other.goto(page.url());
      await other.getByText(/^[\d.]+ \S+ received$/).waitFor();
      await capture(page, 'data-import-running');
      rest.resolve();
      expect((await response).status).to.equal(200);
      for (const each of [page, other])
        await each.getByText('Done. 1 document was brought in.').waitFor();
      await expectAccessibleInBothThemes(page, 'the report of an earlier import');
      await page.reload();
      await page.getByText('Done. 1 document was brought in.').waitFor();
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      // In the other tab as well.
      for (const each of [page, other])
        await each.getByText('Done. 1 document was brought in.').waitFor({ state: 'detached' });
      await other.close();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('says that nothing came in of a file that a reload has cut off, and how much of one that the service has', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await open('/settings/data');
      await page.route('**/v1/import', () => undefined);
      await page.locator('main input[type=file]').setInputFiles([zip(Buffer.from('x'))]);
      await page.locator('main .spin').waitFor();
      acceptDialogs(page);
      await page.reload();
      const nothing = page.getByText('The import was interrupted. Nothing was changed.');
      await nothing.waitFor();
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      await nothing.waitFor({ state: 'detached' });
      const run = anImportRun({ createdAt: Date.now(), leaseUntil: 0, done: 12, total: 312 });
      await writeAsOwner(service, tab.token, ({ importRuns }) => importRuns.save(run));
      await page.reload();
      await page.getByText('12 of 312 documents were brought in. Choose the same file').waitFor();
      expect(await nothing.count()).to.equal(0);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('erases the trash, revokes all tokens and signs out everywhere, each after asking', async () => {
      const owner = await service.newOwner();
      const tab = await openApp(browser, service, { owner });
      const other = await openApp(browser, service, { owner });
      const { page, open, complaints, close } = tab;
      const id = await addFile(owner, 'old list.txt');
      await service.call('DELETE', `/v1/objects/${id}`, { token: owner.token });
      await open('/settings/data');
      const confirm = async (name: string, answer: string) => {
        await page.getByRole('main').getByRole('button', { name }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: answer, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      const trashed = async () =>
        (await service.call('GET', '/v1/objects?trashed=true', { token: owner.token })).json.total;
      await confirm('Empty the trash', 'Cancel');
      expect(await trashed()).to.equal(1);
      await confirm('Empty the trash', 'Empty the trash');
      await page.getByText('The trash is empty.').waitFor();
      expect(await trashed()).to.equal(0);
      await confirm('Revoke all tokens', 'Revoke all tokens');
      await page.getByText('1 token revoked.').waitFor();
      const { status } = await service.call('GET', '/v1/me', { token: owner.token });
      expect(status).to.equal(401);
      await other.open('/library');
      await confirm('Sign out everywhere', 'Sign out everywhere');
      for (const { page: each } of [tab, other])
        await each.getByLabel('One-time link or code').waitFor();
      for (const each of [complaints, other.complaints]) expect(each).to.deep.equal([]);
      await close();
      await other.close();
    });
  });
