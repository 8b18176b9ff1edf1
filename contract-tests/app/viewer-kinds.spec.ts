import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { pdfOf, streamOf } from '../samples/hostile/pdf.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { recordFilm } from './film.ts';
import { addFile, citedWords, placeOf, waitForMark } from './viewer-fixture.ts';

const pageOf = (content: string, resources: string): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} /Resources ${resources} >>`;
const lineOf = (line: string): Buffer => streamOf('', `BT /F 18 Tf 72 700 Td (${line}) Tj ET`);

/** A PDF of three pages. The dictionary of a damaged one does not end. */
const pdfWith = (second: 'whole' | 'damaged'): Buffer => {
  const page = pageOf('7 0 R', '<< /Font << /F 3 0 R >> >>');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R 6 0 R 8 0 R] /Count 3 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    pageOf('5 0 R', '<< /Font << /F 3 0 R >> >>'),
    lineOf('The first page is as it should be.'),
    second === 'whole' ? page : page.replace(/ >>$/, ''),
    lineOf('The deposit is returned within six months.'),
    pageOf('9 0 R', '<< /Font << /F 3 0 R >> >>'),
    lineOf('The third page is as it should be.'),
  ]);
};

/** The first box of a HEIC picture, without a picture. */
const heic = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1'),
]);

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: kinds of files in the viewer`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const toPage = async (number: number): Promise<Locator> => {
      await page.getByRole('textbox', { name: 'Page' }).fill(String(number));
      await page.keyboard.press('Enter');
      return page.locator(`[data-page="${number}"]`);
    };

    it('a damaged page of a PDF is shown by its text, also where words of it are cited', async () => {
      const id = await addFile(service, tab, 'deposit.pdf', pdfWith('whole'));
      // The file was read before it was damaged.
      const content = `**/${id}/content?*`;
      await page.route(content, (route) => route.fulfill({ body: pdfWith('damaged') }));
      await tab.open(`/object/${id}`);
      const damaged = await toPage(2);
      await damaged.getByText('This page is damaged. This is its text:').waitFor();
      await damaged.getByText('The deposit is returned within six months.').waitFor();
      await capture(page, 'viewer-damaged-page');
      await expectAccessibleInBothThemes(page, 'damaged page');
      const { hash, words } = await placeOf(service, tab, id, /returned within six months/);
      await tab.open(`/object/${id}${hash}`);
      await waitForMark(page);
      expect(await citedWords(page)).to.equal(words);
      await capture(page, 'viewer-damaged-cited');
      await page.getByText('Here is the text, with the place marked').waitFor();
      expect(await page.locator('.word-box').count()).to.equal(0);
      await page.unroute(content);
    });

    it('a damaged page of which nothing was read says so, and the page before it is shown', async () => {
      const id = await addFile(service, tab, 'damaged.pdf', pdfWith('damaged'));
      await tab.open(`/object/${id}`);
      const damaged = await toPage(2);
      await damaged.getByText('This page is damaged, and no text was read of it.').waitFor();
      const first = await toPage(1);
      await first.locator('.textLayer').getByText('The first page').waitFor();
    });

    it('a film is played, and read by ranges', async () => {
      const id = await addFile(service, tab, 'film.webm', await recordFilm(browser));
      const ranges: number[] = [];
      page.on('response', (response) => {
        const isRange = response.request().headers()['range'] !== undefined;
        if (isRange && response.url().includes(id)) ranges.push(response.status());
      });
      await tab.open(`/object/${id}`);
      await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0);
      await page.evaluate(() => {
        const film = document.querySelector('video');
        if (!film) throw new Error('There is no film.');
        film.muted = true;
        return film.play();
      });
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);
      expect(ranges[0]).to.equal(206);
      await capture(page, 'viewer-film');
      await expectAccessibleInBothThemes(page, 'film');
    });

    it('a damaged film, a picture that browsers do not show, and unknown bytes are named and offered', async () => {
      for (const [name, bytes, kind, mime] of [
        [
          'cut.mp4',
          Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'),
          'Video',
          'video/mp4',
        ],
        ['photo.heic', heic, 'Picture', 'image/heic'],
        ['thing.bin', Buffer.from([0, 1, 2, 3, 255]), 'File', 'application/octet-stream'],
      ] as const) {
        const id = await addFile(service, tab, name, bytes);
        await tab.open(`/object/${id}`);
        const region = page.locator('.no-view');
        await region.getByText('can not be shown here').waitFor();
        await region.locator('svg').first().waitFor();
        expect(await region.innerText(), name).to.include(
          `${kind} · ${bytes.length} bytes · ${mime}`,
        );
        const [saved] = await Promise.all([
          page.waitForEvent('download'),
          region.getByRole('button', { name: 'Download' }).click(),
        ]);
        expect(saved.suggestedFilename()).to.equal(name);
        await capture(page, `viewer-none-${name}`);
        await expectAccessibleInBothThemes(page, name);
      }
    });
  });
