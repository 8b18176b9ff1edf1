import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { scanOf, pdfOfPages } from '../samples/scans.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { askIn } from './ask-fixture.ts';
import { addFile, citedWords, letters, placeOf, sample, waitForMark } from './viewer-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: cited words in the viewer`, function () {
    this.timeout(180_000);
    let service: Service;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await startService(profile, { OCR_LANGS: 'eng' });
      browser = await sharedBrowser();
      tab = await openApp(browser, service, { reducedMotion: 'reduce' });
    });
    after(async () => {
      await tab.close();
      await service.dispose();
    });
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const KINDS = [
      ['lighthouse.pdf', /second of the two[^.]{10,120}|[A-Z][^.]{60,160}generator[^.]*/],
      ['protocol-ru.pdf', /[А-Я][^.]{40,140}/],
      ['letter.pdf', /[A-Z][^.]{60,140}/],
      ['lighthouse.docx', /automation of 1987[^.\n]{10,60}generator/],
      ['orchard.html', /known by a number on[^,]{5,60}/],
      ['protocol-ru.cp1251.txt', /[А-Я][^.\n]{30,120}/],
      ['formats/letter-ru.eml', /[А-Я][^.\n]{20,120}/],
      ['lighthouse.md', /[^.\n#]{20,100}generator/],
      ['tides.csv', /\d\d\d\d-\d\d-\d\d/],
    ] as const;

    for (const [name, pattern] of KINDS)
      it(`marks them in ${name}`, async () => {
        const { page, open } = tab;
        const file = name.split('/').at(-1) ?? name;
        const id = await addFile(service, tab, file, await sample(name));
        const { hash, words } = await placeOf(service, tab, id, pattern);
        await open(`/object/${id}${hash}`);
        await waitForMark(page);
        expect(letters(await citedWords(page)), name).to.equal(letters(words));
        await capture(page, `viewer-${file}`);
        const isFocused = async (): Promise<boolean> => {
          const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
          return (
            letters(words).startsWith(letters(focused).slice(0, 5)) ||
            letters(focused).includes(letters(words).slice(0, 5))
          );
        };
        // The focus follows the mark.
        for (let tries = 0; tries < 100 && !(await isFocused()); tries++)
          await page.waitForTimeout(50);
        expect(await isFocused(), 'the focus is at the mark').to.equal(true);
        expect(await page.getByRole('status').allTextContents()).to.satisfy((all: string[]) =>
          all.some((text) => letters(text).includes(letters(words))),
        );
      });

    it('marks them on a later page of a PDF, in view', async () => {
      const { page, open } = tab;
      const lines = Array.from({ length: 12 }, (_, index) => ({
        line: `The keeper of lamp number ${index + 1} counts the ships at dawn.`,
      }));
      const id = await addFile(service, tab, 'lamps.pdf', await pdfOfPages(lines));
      const { hash, words } = await placeOf(service, tab, id, /lamp number 11 counts the ships/);
      await open(`/object/${id}${hash}`);
      await waitForMark(page);
      expect(letters(await citedWords(page))).to.equal(letters(words));
      const isInView = await page.evaluate(() => {
        const [range] = [...(CSS.highlights.get('cited') ?? [])];
        const { top = 0, bottom = 0 } = (range as Range | undefined)?.getBoundingClientRect() ?? {};
        return top > 100 && bottom < innerHeight;
      });
      expect(isInView).to.equal(true);
      await page.locator('.pager input').waitFor();
      expect(await page.locator('.pager input').inputValue()).to.equal('11');
      await capture(page, 'viewer-later-page');
      await expectAccessibleInBothThemes(page, 'viewer');
    });

    it('marks them on a scan and on a picture', async () => {
      const { page, open } = tab;
      const scan = await (await scanOf('letter.pdf', 2, 150)).jpeg({ quality: 80 }).toBuffer();
      const pdf = await pdfOfPages([{ line: 'The hedge is two metres high.' }, { jpg: scan }]);
      for (const [name, bytes] of [
        ['scan.pdf', pdf],
        ['photo.jpg', scan],
      ] as const) {
        const id = await addFile(service, tab, name, bytes);
        const { hash } = await placeOf(service, tab, id, /wants a deposit four weeks/);
        await open(`/object/${id}${hash}`);
        const box = page.locator('.word-box').first();
        await box.waitFor();
        const [mark, whole] = await Promise.all([
          box.boundingBox(),
          page
            .locator(name === 'scan.pdf' ? '[data-page="2"]' : '.picture-frame img')
            .boundingBox(),
        ]);
        if (!mark || !whole) throw new Error('The mark is not shown.');
        expect(mark.x).to.be.at.least(whole.x);
        expect(mark.x + mark.width).to.be.at.most(whole.x + whole.width + 1);
        // The line is where the service says, drawn on the page as it is shown.
        const [start, end] = hash.slice(3).split('-');
        const { json } = await service.call(
          'GET',
          `/v1/objects/${id}/text/places?char_start=${start}&char_end=${end}`,
          { token: tab.token },
        );
        const [x, y] = json.boxes[0];
        expect((mark.x - whole.x) / whole.width).to.be.closeTo(x, 0.01);
        expect((mark.y - whole.y) / whole.height).to.be.closeTo(y, 0.01);
        await capture(page, `viewer-${name}`);
        await expectAccessibleInBothThemes(page, name);
      }
    });

    it('shows the text beside a page on which the words can not be located', async () => {
      const { page, open } = tab;
      const scan = await (await scanOf('letter.pdf', 2, 100)).jpeg({ quality: 80 }).toBuffer();
      const id = await addFile(service, tab, 'corrected.jpg', scan);
      const text = 'A reading that the owner has corrected by hand.';
      await service.call('PUT', `/v1/objects/${id}/text`, {
        token: tab.token,
        body: { text, base_version: 1 },
      });
      await open(`/object/${id}#t=15-37`);
      await waitForMark(page);
      expect(await citedWords(page)).to.equal([...text].slice(15, 37).join(''));
      await page.getByText('Here is the text, with the place marked').waitFor();
      expect(await page.locator('.picture-frame img').isVisible()).to.equal(true);
      await capture(page, 'viewer-beside');
      await expectAccessibleInBothThemes(page, 'beside');
    });

    it('leads from an answer to each of its citations and back', async () => {
      const { page, open } = tab;
      await open('/ask');
      await askIn(page, 'Who counts the ships at dawn?');
      await page.locator('.prose .cite').first().click();
      await page.locator('.cited').waitFor();
      await waitForMark(page);
      expect(letters(await citedWords(page))).to.include('counts');
      await capture(page, 'viewer-cited');
      await expectAccessibleInBothThemes(page, 'cited');
      const before = page.url();
      await page.keyboard.press(']');
      const number = page.locator('.cited > .cite');
      await number.filter({ hasText: /^2$/ }).waitFor();
      await waitForMark(page);
      await page.keyboard.press('[');
      await page.waitForFunction((url) => location.href === url, before);
      await waitForMark(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await capture(page, 'viewer-phone');
      await expectAccessibleInBothThemes(page, 'cited, phone');
      await page.getByRole('button', { name: /Details, summary/ }).click();
      await page.getByRole('complementary', { name: 'Details' }).waitFor();
      await capture(page, 'viewer-phone-details');
      await expectAccessibleInBothThemes(page, 'details, phone');
      await page.getByRole('button', { name: /Close the details/ }).click();
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.getByRole('link', { name: 'Back to the answer' }).click();
      await page.waitForFunction(() => location.pathname.includes('/ask'));
    });
  });
