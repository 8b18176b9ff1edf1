import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { pdfOfPages } from '../samples/scans.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { askIn, NOTICE_QUESTION, TENANCY, writeNote } from './ask-fixture.ts';
import { addFile, citedWords, letters, waitForMark } from './viewer-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: documents in the viewer that change`, function () {
    this.timeout(180_000);
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
    afterEach(async () => {
      expect(tab.complaints).to.deep.equal([]);
      await tab.close();
    });

    const change = async (id: string, content: string, version: number): Promise<void> => {
      const { status } = await service.call('PUT', `/v1/objects/${id}/content`, {
        token: tab.token,
        body: { content, base_version: version },
      });
      expect(status).to.equal(200);
      await service.settled(id, { token: tab.token });
    };
    const showVersion = async (version: number): Promise<void> => {
      const note = page.locator('.page-note', { hasText: `Version ${version} is newer.` });
      await note.waitFor();
      await note.getByRole('button', { name: 'Show' }).click();
      await note.waitFor({ state: 'detached' });
    };
    const openFirstCitation = async (question: string): Promise<void> => {
      await tab.open('/ask');
      await askIn(page, question);
      await page.locator('.prose .cite').first().click();
      await page.locator('.cited').waitFor();
    };

    it('stay as they are read until the owner wants the newer version', async () => {
      const id = await writeNote(service, tab, 'Rent', 'The rent is 500 euros.');
      await tab.open(`/object/${id}`);
      const text = page.locator('.note-text');
      await text.getByText('500 euros').waitFor();
      await change(id, 'The rent is 900 euros.', 1);
      await page.getByText('Version 2 is newer.').waitFor();
      expect(await text.innerText()).to.include('500 euros');
      await capture(page, 'viewer-newer');
      await expectAccessibleInBothThemes(page, 'newer version');
      // What is no part of a version is always that of now.
      await service.call('PATCH', `/v1/objects/${id}`, {
        token: tab.token,
        body: { filename: 'Rent of the flat' },
      });
      await page.getByRole('heading', { level: 1 }).getByText('Rent of the flat').waitFor();
      expect(await text.innerText()).to.include('500 euros');
      await showVersion(2);
      await text.getByText('900 euros').waitFor();
      // A version of one's own is shown at once.
      await page.getByRole('button', { name: 'Restore version 1' }).click();
      await text.getByText('500 euros').waitFor();
      expect(await page.getByText('is newer.').count()).to.equal(0);
    });

    it('say where cited words stand now, or which version has them', async () => {
      const id = await writeNote(service, tab, 'Tenancy', TENANCY);
      await openFirstCitation(NOTICE_QUESTION);
      await waitForMark(page);
      const words = letters(await citedWords(page));
      await change(id, `A new preface.\n\n${TENANCY}`, 1);
      await showVersion(2);
      await page.getByText('This is its current place').waitFor();
      await waitForMark(page);
      expect(letters(await citedWords(page))).to.equal(words);
      await capture(page, 'viewer-moved');
      await change(id, 'Nothing of it is left.', 2);
      await showVersion(3);
      const strip = page.locator('.cited');
      await strip.getByText('no longer in the document. They were in version 1.').waitFor();
      expect(await citedWords(page)).to.equal('');
      await expectAccessibleInBothThemes(page, 'words are gone');
      await strip.getByRole('button', { name: 'Show' }).click();
      await page.getByText('This is version 1').waitFor();
      await waitForMark(page);
      expect(letters(await citedWords(page))).to.equal(words);
      await capture(page, 'viewer-earlier');
      await expectAccessibleInBothThemes(page, 'earlier version');
      await page.getByRole('button', { name: 'Show the newest' }).click();
      await page.locator('.note-text').getByText('Nothing of it is left.').waitFor();
    });

    it('show the page of an earlier PDF from which words are cited', async () => {
      const pages = [
        'The hedge is two metres high.',
        'The keeper counts the ships at dawn.',
        'End.',
      ];
      const pdf = await pdfOfPages(pages.map((line) => ({ line })));
      const id = await addFile(service, tab, 'ships.pdf', pdf);
      await tab.open('/ask');
      await askIn(page, 'Who counts the ships at dawn?');
      await page.locator('.prose .cite').first().waitFor();
      const form = new FormData();
      const other = await pdfOfPages([{ line: 'Another text entirely.' }]);
      form.append('file', new Blob([new Uint8Array(other)]), 'ships.pdf');
      form.append('base_version', '1');
      await service.call('POST', `/v1/objects/${id}/content`, { token: tab.token, raw: form });
      await service.settled(id, { token: tab.token });
      await page.locator('.prose .cite').first().click();
      const strip = page.locator('.cited');
      await strip.getByText('They were in version 1.').waitFor();
      await strip.getByRole('button', { name: 'Show' }).click();
      await waitForMark(page);
      expect(letters(await citedWords(page))).to.include('counts');
      await page.locator('[data-page="2"] .textLayer').getByText('keeper counts').waitFor();
      await capture(page, 'viewer-earlier-pdf');
      await expectAccessibleInBothThemes(page, 'earlier PDF');
    });
  });
