import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { onePage, pdfOf, streamOf } from '../samples/hostile/pdf.ts';
import { twoColours } from '../samples/pictures.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { addFile, sample } from './viewer-fixture.ts';

/** A second of silence, as a WAVE file. */
function silence(seconds: number): Buffer {
  const rate = 8_000;
  const samples = Buffer.alloc(rate * seconds, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const ATTACK = 'document.title="attacked";alert(1);fetch("https://elsewhere.example/")';

/** A page with a script, an action on opening, a launch action and a link that runs a script. */
const attackingPdf = (): Buffer => {
  const [catalog = '', pages = '', page = '', font = ''] = onePage();
  return pdfOf([
    catalog.replace(
      '/Pages',
      '/OpenAction 6 0 R /Names << /JavaScript << /Names [(a) 6 0 R] >> >> /Pages',
    ),
    pages,
    page.replace('/Contents', '/Annots [7 0 R 8 0 R 9 0 R] /AA << /O 6 0 R >> /Contents'),
    font,
    streamOf('', 'BT /F 18 Tf 72 700 Td (This page is quite harmless.) Tj ET'),
    `<< /S /JavaScript /JS (app.alert\\(1\\); ${ATTACK.replace(/[()]/g, '\\$&')}) >>`,
    '<< /Type /Annot /Subtype /Link /Rect [70 600 300 640] /A << /S /Launch /F (calc.exe) >> >>',
    '<< /Type /Annot /Subtype /Link /Rect [70 500 300 540] /A << /S /URI /URI (javascript:alert\\(1\\)) >> >>',
    '<< /Type /Annot /Subtype /Link /Rect [70 400 300 440] /A << /S /URI /URI (https://example.org/terms) >> >>',
  ]);
};

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: documents in the viewer`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    const elsewhere: string[] = [];
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service, { reducedMotion: 'reduce' });
      ({ page } = tab);
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(service.base) && !url.startsWith('blob:') && !url.startsWith('data:'))
          elsewhere.push(url);
      });
    });
    after(() => tab.close());
    afterEach(() => {
      expect(tab.complaints).to.deep.equal([]);
      expect(elsewhere).to.deep.equal([]);
    });

    const call = async (method: string, path: string, body?: object) =>
      (await service.call(method, path, { token: tab.token, ...(body && { body }) })).json;
    const note = async (content: string): Promise<string> => {
      const { id } = await call('POST', '/v1/objects/notes', { content });
      await service.settled(id, { token: tab.token });
      return id;
    };

    it('that attack are shown and do nothing', async () => {
      const pdf = await addFile(service, tab, 'attack.pdf', attackingPdf());
      await tab.open(`/object/${pdf}`);
      await page.locator('.textLayer').getByText('This page is quite harmless.').waitFor();
      const links = page.locator('.pdf-link a');
      await links.first().waitFor();
      const targets = await links.evaluateAll((all) =>
        all.map((link) => `${link.getAttribute('href')} ${link.getAttribute('rel')}`),
      );
      expect(targets).to.deep.equal(['https://example.org/terms noopener noreferrer nofollow']);

      const html = `<html><body onload='${ATTACK}'><script>${ATTACK}</script><img src=x onerror='${ATTACK}'><p>Plain words of the page.</p><iframe src="https://elsewhere.example/"></iframe></body></html>`;
      const web = await addFile(service, tab, 'attack.html', html);
      await tab.open(`/object/${web}`);
      await page.locator('.text-paper').getByText('Plain words of the page.').waitFor();

      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><script>${ATTACK}</script><image href="https://elsewhere.example/x.png"/><rect width="80" height="80" fill="red" onload='${ATTACK}'/></svg>`;
      const picture = await addFile(service, tab, 'attack.svg', svg);
      await tab.open(`/object/${picture}`);
      await page.locator('.pane .desk').waitFor();

      const text = `# Heading <img src=x onerror='${ATTACK}'>\n\n[press](javascript:alert(1)) ![tracked](https://elsewhere.example/pixel.png) <script>${ATTACK}</script>\n\n[web](https://example.org/a)`;
      await tab.open(`/object/${await note(text)}`);
      await page.locator('.note-text').waitFor();
      expect(await page.locator('.note-text img, .note-text script').count()).to.equal(0);
      const places = await page
        .locator('.note-text a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
      expect(places).to.include('https://example.org/a');
      expect(places.filter((place) => !place.startsWith('https://'))).to.deep.equal([]);
      await capture(page, 'viewer-note');
      expect(await page.title()).not.to.equal('attacked');
    });

    it('of which pages are damaged or locked are shown by their text, or say why not', async () => {
      const locked = await addFile(
        service,
        tab,
        'locked.pdf',
        await sample('hostile/encrypted.pdf'),
      );
      await tab.open(`/object/${locked}`);
      await page.getByText('The file asks for a password').waitFor();
      await page.getByRole('button', { name: 'Read again' }).waitFor();
      await page.getByText(/The file is protected by a password/).waitFor();
      await capture(page, 'viewer-locked');
      await expectAccessibleInBothThemes(page, 'locked');
      const broken = await addFile(service, tab, 'broken.pdf', '%PDF-1.7\nthis is no page at all');
      await tab.open(`/object/${broken}`);
      await page.getByText('The file is damaged, so').waitFor();
      await page.locator('.no-view').getByRole('button', { name: 'Download' }).waitFor();
      const other = await addFile(service, tab, 'thing.bin', Buffer.from([0, 1, 2, 3, 255]));
      await tab.open(`/object/${other}`);
      await page.getByText('can not be shown here').waitFor();
      await expectAccessibleInBothThemes(page, 'no view');
    });

    it('of which no text could be read say so in the list, and not that they have none', async () => {
      const locked = await sample('formats/locked.docx');
      await tab.open(`/object/${await addFile(service, tab, 'locked.docx', locked)}`);
      const details = page.getByRole('complementary', { name: 'Details' });
      await details.getByText('Could not be read.').waitFor();
      await page.locator('.no-view').getByText('pages cannot be shown').waitFor();
      await addFile(service, tab, 'blank.txt', '\n');
      const code = await addFile(service, tab, 'tides.py', await sample('tides.py'));
      await tab.open(`/object/${code}`);
      await page.locator('.text-paper', { hasText: 'mean_heights' }).waitFor();
      await details.getByText('No summary.').waitFor();
      await tab.open('/library?order=newest');
      await page.getByRole('row', { name: /locked\.docx.*Could not be read/ }).waitFor();
      await page.getByText('Could not be read: The file is protected').first().waitFor();
      const blank = await page.getByRole('row', { name: /blank\.txt/ }).innerText();
      expect(blank).not.to.include('Could not be read');
    });

    it('that are pictures and sound are shown, and played by ranges', async () => {
      const picture = await addFile(
        service,
        tab,
        'sky.png',
        await twoColours(600).png().toBuffer(),
      );
      await tab.open(`/object/${picture}`);
      const image = page.locator('.picture-frame img');
      await page.waitForFunction(
        () =>
          (document.querySelector<HTMLImageElement>('.picture-frame img')?.naturalWidth ?? 0) > 0,
      );
      const fitted = (await image.boundingBox())?.width ?? 0;
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      await page.waitForFunction(
        (width) => (document.querySelector('.picture-frame img')?.clientWidth ?? 0) > width,
        fitted,
      );
      await expectAccessibleInBothThemes(page, 'picture');

      const sound = await addFile(service, tab, 'silence.wav', silence(120));
      const ranges: string[] = [];
      page.on('request', (request) => {
        const range = request.headers()['range'];
        if (range && request.url().includes(sound)) ranges.push(range);
      });
      await tab.open(`/object/${sound}`);
      await page.waitForFunction(() => (document.querySelector('audio')?.duration ?? 0) > 100);
      await page.evaluate(() => {
        const player = document.querySelector('audio');
        if (player) player.currentTime = 110;
      });
      await page.waitForFunction(() => {
        const player = document.querySelector('audio');
        return player !== null && !player.seeking && player.currentTime >= 110;
      });
      expect(ranges.length).to.be.above(0);
      await expectAccessibleInBothThemes(page, 'sound');
    });

    it('are restored to an earlier version, compared, and given another one', async () => {
      const id = await note('First line of the note\n\nThe rent is 500 euros.');
      await call('PUT', `/v1/objects/${id}/content`, {
        content: 'First line of the note\n\nThe rent is 900 euros.',
        base_version: 1,
      });
      await tab.open(`/object/${id}`);
      const details = page.getByRole('complementary', { name: 'Details' });
      await details.getByRole('button', { name: 'Compare' }).click();
      const diff = page.getByRole('dialog', { name: 'Version 1 and version 2' });
      await diff.locator('del', { hasText: '500' }).waitFor();
      await diff.locator('ins', { hasText: '900' }).waitFor();
      await capture(page, 'viewer-compare');
      await expectAccessibleInBothThemes(page, 'compare');
      await page.keyboard.press('Escape');
      await details.getByRole('button', { name: 'Restore version 1' }).click();
      await page.locator('.note-text').getByText('The rent is 500 euros.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator('.note-text').getByText('The rent is 900 euros.').waitFor();
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        details.getByRole('button', { name: 'Add one' }).click(),
      ]);
      await chooser.setFiles({
        name: 'again.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('The rent is 1 000 euros.'),
      });
      await page.locator('.note-text').getByText('The rent is 1 000 euros.').waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        details.getByRole('button', { name: 'Download version 1' }).click(),
      ]);
      expect(saved.suggestedFilename()).to.match(/\.md$/);
    });

    it('that are text are edited, and a conflict shows both texts', async () => {
      const id = await note('# Shopping\n\n- plums');
      await tab.open(`/object/${id}`);
      await page.locator('.note-text').waitFor();
      await page.keyboard.press('e');
      const field = page.getByRole('textbox', { name: 'Content' });
      await field.waitFor();
      await field.fill('# Shopping\n\n- plums\n- flour');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('.note-text li', { hasText: 'flour' }).waitFor();
      await capture(page, 'viewer-edit');
      await expectAccessibleInBothThemes(page, 'edit');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      const { version } = await call('GET', `/v1/objects/${id}`);
      await call('PUT', `/v1/objects/${id}/content`, {
        content: '# Shopping\n\n- salt',
        base_version: version,
      });
      await field.fill('# Shopping\n\n- sugar');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('alert').getByText('changed somewhere else').waitFor();
      await page.getByRole('region', { name: 'Yours' }).getByText('sugar').waitFor();
      await page.getByRole('region', { name: 'Saved in the meantime' }).getByText('salt').waitFor();
      await capture(page, 'viewer-conflict');
      await expectAccessibleInBothThemes(page, 'conflict');
      await page.getByRole('button', { name: 'Save yours over it' }).click();
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      await page.getByRole('link', { name: /^Back to/ }).click();
      await page.locator('.note-text li', { hasText: 'sugar' }).waitFor();
    });

    it('of which the reading is wrong are corrected beside their page', async () => {
      const id = await addFile(service, tab, 'letter.pdf', await sample('letter.pdf'));
      await tab.open(`/object/${id}/edit`);
      const field = page.getByRole('textbox', { name: 'Text' });
      await field.fill('What the letter says in truth.');
      await page.locator('.pdf-page canvas').first().waitFor();
      await capture(page, 'viewer-correct');
      await expectAccessibleInBothThemes(page, 'correct');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      expect((await call('GET', `/v1/objects/${id}/text`)).text).to.equal(
        'What the letter says in truth.',
      );
      await page.getByRole('button', { name: 'Drop the correction' }).click();
      await page.waitForFunction(
        () => document.querySelector('textarea')?.value.includes('in truth') === false,
      );
    });

    it('are renamed, labelled, moved, and put into the trash, all with undo', async () => {
      const folder = await call('POST', '/v1/collections', { name: 'Flat' });
      const id = await note('A note about the flat');
      await tab.open(`/object/${id}`);
      await page.locator('.note-text').waitFor();
      const heading = page.getByRole('heading', { level: 1 });
      await page.keyboard.press('r');
      await page.getByRole('textbox', { name: 'Name' }).fill('Keys <b>of the flat');
      await page.keyboard.press('Enter');
      await heading.getByText('Keys <b>of the flat').waitFor();
      await page.keyboard.press('l');
      await page.getByRole('textbox', { name: 'Labels' }).fill('flat, keep');
      await page.keyboard.press('Enter');
      const details = page.getByRole('complementary', { name: 'Details' });
      await details.getByRole('button', { name: 'Remove the label keep' }).click();
      await details.getByText('keep', { exact: true }).waitFor({ state: 'detached' });
      await page.keyboard.press('v');
      await page.getByRole('dialog').getByText('Flat', { exact: true }).click();
      await capture(page, 'viewer-move');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Back to Flat' }).waitFor();
      expect((await call('GET', `/v1/objects/${id}`)).collection_id).to.equal(folder.id);
      await page.keyboard.press('Control+z');
      await page.getByRole('link', { name: 'Back to Library' }).waitFor();
      await page.keyboard.press('#');
      await page.getByText('It is in the trash, and can only be read.').waitFor();
      expect(await details.getByRole('button', { name: 'Move', exact: true }).count()).to.equal(0);
      await expectAccessibleInBothThemes(page, 'in the trash');
      await page.locator('.page-note').getByRole('button', { name: 'Restore' }).click();
      await details.getByRole('button', { name: 'Move', exact: true }).waitFor();
    });

    it('are written as notes, saved while typing, and added as links', async () => {
      await tab.open('/new/note');
      const field = page.getByRole('textbox', { name: 'Content' });
      await field.fill('Plums\n\nTwo kilos.');
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
      await field.fill('Plums\n\nThree kilos.');
      await expectAccessibleInBothThemes(page, 'new note');
      await capture(page, 'viewer-new-note');
      await page.keyboard.press('Control+Enter');
      await page.locator('.note-text').getByText('Three kilos.').waitFor();
      const { total } = await call('GET', '/v1/search?q=kilos');
      expect(total).to.equal(1);
      await tab.open('/new/link');
      await page.getByRole('textbox', { name: 'Address of the page' }).fill('http://127.0.0.1:1/');
      await expectAccessibleInBothThemes(page, 'new link');
      await page.getByRole('button', { name: 'Add the link' }).click();
      await page.waitForURL(/\/app\/object\//);
      await page.locator('.page-note').getByText('Could not be read.').waitFor();
    });

    it('are searched, page by page and in their text', async () => {
      const id = await addFile(service, tab, 'lighthouse.pdf', await sample('lighthouse.pdf'));
      await tab.open(`/object/${id}`);
      await page.locator('.textLayer span').first().waitFor();
      await page.keyboard.press('Control+f');
      await page.getByRole('textbox', { name: 'Find in the document' }).fill('Cistern');
      const count = page.getByRole('search', { name: 'Find in the document' }).getByRole('status');
      await count.getByText(/^1 of [2-9]/).waitFor();
      await page.waitForFunction(() => (CSS.highlights.get('current')?.size ?? 0) === 1);
      const current = () =>
        page.evaluate(() =>
          [...(CSS.highlights.get('current') ?? [])]
            .map((range) => (range as Range).toString())
            .join('')
            .toLowerCase(),
        );
      expect(await current()).to.equal('cistern');
      await page.keyboard.press('Enter');
      await count.getByText(/^2 of/).waitFor();
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !CSS.highlights.has('current'));
      await page.keyboard.press('t');
      await page.locator('.text-paper').waitFor();
      await page.keyboard.press('Control+f');
      await page.getByRole('textbox', { name: 'Find in the document' }).fill('cistern');
      await page.locator('mark.hit.current').waitFor();
      await expectAccessibleInBothThemes(page, 'find');
      await page.keyboard.press('Escape');
    });
  });
