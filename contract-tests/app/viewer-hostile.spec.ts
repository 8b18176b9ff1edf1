import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { onePage, pdfOf, streamOf } from '../samples/hostile/pdf.ts';
import { openApp, type AppTab } from './app-fixture.ts';
import { addFile } from './viewer-fixture.ts';

const ATTACK = 'document.title="attacked";alert(1);fetch("https://elsewhere.example/")';
const script = ATTACK.replace(/[()]/g, '\\$&');

/** A form that calculates, and an attached program that is opened and exported by a script. */
const attackingPdf = (): Buffer => {
  const [catalog = '', pages = '', page = '', font = ''] = onePage();
  return pdfOf([
    catalog.replace(
      '/Pages',
      '/OpenAction 6 0 R /AcroForm << /Fields [7 0 R] /XFA 10 0 R /CO [7 0 R] >> /Names << /EmbeddedFiles << /Names [(run.exe) 8 0 R] >> /JavaScript << /Names [(a) 6 0 R] >> >> /Pages',
    ),
    pages,
    page.replace('/Contents', '/Annots [7 0 R 11 0 R] /AA << /O 6 0 R /C 6 0 R >> /Contents'),
    font,
    streamOf('', 'BT /F 18 Tf 72 700 Td (A form with an attachment.) Tj ET'),
    `<< /S /JavaScript /JS (this.exportDataObject\\({cName: "run.exe", nLaunch: 2}\\); ${script}) >>`,
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (sum) /V (42) /Rect [70 600 300 640] /AA << /C 6 0 R /K 6 0 R /Fo 6 0 R >> >>',
    '<< /Type /Filespec /F (run.exe) /EF << /F 9 0 R >> >>',
    streamOf('/Type /EmbeddedFile', 'MZ'),
    streamOf('', `<xdp><script>${ATTACK}</script></xdp>`),
    '<< /Type /Annot /Subtype /FileAttachment /FS 8 0 R /Rect [70 500 100 530] >>',
  ]);
};

const MAIL = [
  'From: "<img src=x onerror=alert(1)>" <a@example.org>',
  'To: b@example.org',
  'Subject: <script>alert(1)</script> Your order',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<html><body onload='${ATTACK}'><p>Plain words of the mail.</p><script>${ATTACK}</script>`,
  '<img src="https://elsewhere.example/pixel.png"><link rel="stylesheet" href="https://elsewhere.example/a.css">',
  '<form action="https://elsewhere.example/"><input name="pin" autofocus></form></body></html>',
].join('\r\n');

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="60"><script>${ATTACK}</script><style>@import url(https://elsewhere.example/a.css);</style><image xlink:href="https://elsewhere.example/x.png" width="9" height="9"/><foreignObject width="80" height="60"><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://elsewhere.example/"></iframe></foreignObject><rect width="80" height="60" fill="red" onload='${ATTACK}'><set attributeName="onmouseover" to="alert(1)"/></rect></svg>`;

const LONG = `${'ы'.repeat(120)}.txt`;
/** Names as they are sent, and how a document is named then. */
const NAMES = [
  ['invoice\u202efdp.exe.txt', /^invoice.fdp\.exe\.txt$/],
  ['first\nsecond.txt', /^first.second\.txt$/],
  [`<img src=x onerror=alert(1)>.txt`, /^<img src=x onerror=alert\(1\)>\.txt$/],
  ['"><script>alert(1)<!--.txt', /^"><script>alert\(1\)<!--\.txt$/],
  [`${'w'.repeat(251)}.txt`, /^w{251}\.txt$/],
  [LONG, new RegExp(`^${LONG}$`)],
  ['עברית (1).txt', /^עברית \(1\)\.txt$/],
] as const;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: hostile files in the viewer`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    const elsewhere: string[] = [];
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
      page.on('request', (request) => {
        if (!request.url().startsWith(service.base) && !/^(blob|data):/.test(request.url()))
          elsewhere.push(request.url());
      });
      page.on('download', (download) => elsewhere.push(download.suggestedFilename()));
    });
    after(() => tab.close());
    /** Nothing ran, nothing was requested, and no policy had to refuse anything. */
    afterEach(async () => {
      expect(tab.complaints).to.deep.equal([]);
      expect(elsewhere).to.deep.equal([]);
      expect(await page.title()).not.to.equal('attacked');
    });

    it('a PDF with scripts, a form and an attached program shows its page', async () => {
      const id = await addFile(service, tab, 'form.pdf', attackingPdf());
      await tab.open(`/object/${id}`);
      await page.locator('.textLayer').getByText('A form with an attachment.').waitFor();
      const shown = page.locator('.pdf-page');
      expect(await shown.locator('input, form, a, iframe, object, embed').count()).to.equal(0);
    });

    it('a mail of markup shows its words', async () => {
      const id = await addFile(service, tab, 'order.eml', MAIL);
      await tab.open(`/object/${id}`);
      const paper = page.locator('.text-paper');
      await paper.getByText('Plain words of the mail.').waitFor();
      const markup = paper.locator('img, script, form, input, link, iframe, style');
      expect(await markup.count()).to.equal(0);
    });

    it('an SVG is a picture', async () => {
      const id = await addFile(service, tab, 'picture.svg', SVG);
      await tab.open(`/object/${id}`);
      await page.waitForFunction(
        () => document.querySelector<HTMLImageElement>('.picture-frame img')?.naturalWidth === 80,
      );
      expect(await page.locator('.picture-frame svg').count()).to.equal(0);
    });

    it('names of any characters are text, and widen nothing', async () => {
      await page.setViewportSize({ width: 320, height: 700 });
      for (const [sent, shown] of NAMES) {
        const id = await addFile(service, tab, sent, `Words of ${sent.length} characters.`);
        await tab.open(`/object/${id}`);
        const heading = page.getByRole('heading', { level: 1 });
        await heading.locator('bdi').waitFor();
        expect(await heading.textContent()).to.match(shown);
        await page.locator('.text-paper').getByText('Words of').waitFor();
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(excess, sent).to.be.at.most(0);
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
    });
  });
