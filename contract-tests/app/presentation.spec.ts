import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessible, openApp, type AppTab } from './app-fixture.ts';
import { NOTICE_QUESTION, TENANCY, askIn, writeNote } from './ask-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';

const LAST_WORDS = 'The last words of a long note.';
/** Longer than a window. */
const LONG = [...Array.from({ length: 80 }, (_, n) => `Paragraph ${n + 1}.`), LAST_WORDS].join(
  '\n\n',
);

/** By how many pixels the page is wider than the window. */
const excessOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** WCAG 2.2, 1.4.12. Inline styles are forbidden by the policy of the app. */
const spaceText = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' +
        'p { margin-block-end: 2em !important }',
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });

/** Buttons whose words are cut off, and not on purpose. */
const cutButtons = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a.button, .tab')]
      .filter((each) => each.checkVisibility() && !each.closest('.vh, .cut'))
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );

// What is judged is a matter of the browser alone, so that one profile is enough.
for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the app as its reader presents it`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let long: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      await fillWorkspace(service, tab);
      await writeNote(service, tab, 'Tenancy agreement', TENANCY);
      long = await writeNote(service, tab, 'A long note', LONG);
    });
    after(() => tab.close());
    afterEach(async () => {
      await tab.page.emulateMedia({ media: null, forcedColors: null });
      expect(tab.complaints).to.deep.equal([]);
    });

    const openLibrary = async () => {
      await tab.open('/library');
      await tab.page.getByRole('row', { name: /tides/ }).waitFor();
    };
    const openAnswer = async () => {
      await tab.open('/ask');
      await askIn(tab.page, NOTICE_QUESTION);
      await tab.page.locator('.prose .cite').first().waitFor();
      await tab.page.getByText('Built in, on this server').waitFor();
    };
    const openNote = async () => {
      await tab.open(`/object/${long}`);
      await tab.page.locator('.note-text').waitFor();
    };
    const SCREENS = [
      ['library', openLibrary],
      ['answer', openAnswer],
      ['note', openNote],
    ] as const;

    for (const [name, reach] of SCREENS) {
      it(`${name}: is mirrored for languages that are written from right to left`, async () => {
        const { page } = tab;
        await reach();
        const startsAt = () =>
          page.locator('main').evaluate((main) => {
            const { left, right } = main.getBoundingClientRect();
            return [left, innerWidth - right];
          });
        const [left] = await startsAt();
        await page.evaluate(() => void (document.documentElement.dir = 'rtl'));
        const [, right] = await startsAt();
        expect(right).to.be.closeTo(left ?? -1, 1);
        expect(await excessOf(page)).to.be.at.most(0);
        await capture(page, `rtl-${name}`);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await excessOf(page)).to.be.at.most(0);
        await capture(page, `rtl-${name}-phone`);
        await page.setViewportSize({ width: 1_440, height: 900 });
      });

      it(`${name}: loses nothing when the text is spaced out`, async () => {
        const { page } = tab;
        await reach();
        await spaceText(page);
        for (const width of [1_440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await capture(page, `spaced-${name}-${width}`);
          expect(await excessOf(page), `${width} pixels`).to.be.at.most(0);
          expect(await cutButtons(page), `${width} pixels`).to.deep.equal([]);
        }
        await page.setViewportSize({ width: 1_440, height: 900 });
      });

      it(`${name}: can be used in forced colours`, async () => {
        const { page } = tab;
        await reach();
        await page.emulateMedia({ forcedColors: 'active' });
        await capture(page, `forced-${name}`);
        await expectAccessible(page, `${name}, forced colours`);
      });
    }

    it('shows cited words and the chosen row by system colours', async () => {
      const { page } = tab;
      await openAnswer();
      await page.emulateMedia({ forcedColors: 'active' });
      const system = await page.evaluate(() => {
        const probe = document.createElement('mark');
        document.body.append(probe);
        const { backgroundColor } = getComputedStyle(probe);
        probe.remove();
        return backgroundColor;
      });
      const marked = page.locator('.passage mark').first();
      expect(await marked.evaluate((mark) => getComputedStyle(mark).backgroundColor)).to.equal(
        system,
      );
      expect(system).not.to.equal(
        await page.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor),
      );
    });

    it('prints an answer with its sources, and nothing around it', async () => {
      const { page } = tab;
      await openAnswer();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.getByRole('heading', { level: 2, name: NOTICE_QUESTION }).waitFor();
      await page.getByRole('complementary', { name: 'Sources' }).locator('mark').first().waitFor();
      for (const part of ['.top', '.rail', '.composer', '.tool', '.source .act'])
        expect(await page.locator(part).filter({ visible: true }).count(), part).to.equal(0);
      const paper = await page.evaluate(() => getComputedStyle(document.body).colorScheme);
      expect(paper).to.equal('light');
      await capture(page, 'print-answer');
      await page.emulateMedia({ media: null, colorScheme: 'light' });
    });

    it('prints the whole of a document, not only what the window shows', async () => {
      const { page } = tab;
      await openNote();
      await page.emulateMedia({ media: 'print' });
      const end = page.locator('.note-text').getByText(LAST_WORDS);
      await end.waitFor();
      // Nothing scrolls on paper: the end of the text is within every box around it.
      const clipped = await end.evaluate((element) => {
        const { bottom } = element.getBoundingClientRect();
        const found: string[] = [];
        for (let box = element.parentElement; box; box = box.parentElement)
          if (
            getComputedStyle(box).overflowY !== 'visible' &&
            box.getBoundingClientRect().bottom < bottom
          )
            found.push(box.className);
        return found;
      });
      expect(clipped).to.deep.equal([]);
      for (const part of ['.top', '.rail', '.details', '.tool'])
        expect(await page.locator(part).filter({ visible: true }).count(), part).to.equal(0);
      await capture(page, 'print-document');
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(pdf.match(/\/Type \/Page\b/g)?.length ?? 0).to.be.above(1);
    });
  });
