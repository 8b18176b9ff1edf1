import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { twoColours } from '../samples/pictures.ts';
import {
  capture,
  expectAccessible,
  expectAccessibleInBothThemes,
  openApp,
  type AppTab,
} from './app-fixture.ts';
import { addFile, sample } from './viewer-fixture.ts';

const HEBREW = 'שכר הדירה הוא 500 ש״ח לחודש.\n\nThe rent is 500 shekels a month.';

/** 720 pixels are a window of 1 440 at 200 %. */
const WIDTHS = [320, 390, 720, 900, 1_440];

// Layout is of the browser alone, so that one profile is enough.
for (const profile of hasBrowser ? firstProfile : [])
  describe('the viewer at each width', function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    /** Each kind of page, and what shows that it is there. */
    const kinds: (readonly [name: string, path: string, shown: string])[] = [];
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
      const add = (name: string, bytes: Uint8Array | string) => addFile(service, tab, name, bytes);
      const pdf = await add('lighthouse.pdf', await sample('lighthouse.pdf'));
      const wide = `${Array.from({ length: 30 }, (_, n) => `column ${n}`).join(',')}\n`;
      kinds.push(
        ['pdf', `/object/${pdf}`, '.textLayer span'],
        ['correct', `/object/${pdf}/edit`, 'textarea'],
        [
          'picture',
          `/object/${await add('sky.png', await twoColours(1_200).png().toBuffer())}`,
          '.picture-frame img',
        ],
        ['table', `/object/${await add('wide.csv', wide.repeat(3))}`, '.table-scroll td'],
        ['text', `/object/${await add('rent.txt', HEBREW)}`, '.text-paper .block'],
        ['none', `/object/${await add('thing.bin', Buffer.from([0, 1, 255]))}`, '.no-view .button'],
        ['mail', `/object/${await add('a.eml', await sample('formats/letter-ru.eml'))}`, '.block'],
      );
      const { json } = await service.call('POST', '/v1/objects/notes', {
        token: tab.token,
        body: { content: `# Plan\n\n- [ ] plums\n\n\`\`\`\n${'word '.repeat(60)}\n\`\`\`` },
      });
      await service.settled(json.id, { token: tab.token });
      kinds.push(['note', `/object/${json.id}`, '.note-text li']);
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const expectNothingSideways = async (place: string): Promise<void> => {
      const excess = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('main, .pane, .bar, .panel')].map(
          (element) => element.scrollWidth - element.clientWidth,
        ),
      );
      expect(Math.max(...excess), place).to.be.at.most(0);
    };

    for (const width of WIDTHS)
      it(`scrolls nothing sideways and has no finding of axe at ${width} pixels`, async () => {
        await page.setViewportSize({ width, height: 844 });
        for (const [name, path, shown] of kinds) {
          await tab.open(path);
          await page.locator(shown).first().waitFor();
          await expectNothingSideways(`${name} at ${width}`);
          await capture(page, `viewer-${name}-${width}`);
          await expectAccessible(page, `${name} at ${width}`);
        }
      });

    it('mirrors in an app that is written from right to left, and pages and words stay as they are', async () => {
      await page.setViewportSize({ width: 1_440, height: 900 });
      for (const [name, path, shown] of kinds) {
        await tab.open(path);
        await page.evaluate(() => void (document.documentElement.dir = 'rtl'));
        await page.locator(shown).first().waitFor();
        await expectNothingSideways(`${name}, from right to left`);
        await capture(page, `viewer-${name}-rtl`);
        if (name === 'pdf') {
          // A word is where it is drawn: within its page.
          const [word, leaf] = await Promise.all([
            page.locator('.textLayer span').first().boundingBox(),
            page.locator('.pdf-page').first().boundingBox(),
          ]);
          if (!word || !leaf) throw new Error('The page is not shown.');
          expect(word.x).to.be.within(leaf.x, leaf.x + leaf.width / 2);
          // A canvas draws letters in the direction of its element.
          const canvas = page.locator('.pdf-page canvas').first();
          const direction = await canvas.evaluate((each) => getComputedStyle(each).direction);
          expect(direction).to.equal('ltr');
        }
      }
      await page.locator('.note-text').waitFor();
      await expectAccessibleInBothThemes(page, 'from right to left');
    });

    it('shows each paragraph of a text in its own direction', async () => {
      await page.setViewportSize({ width: 900, height: 844 });
      const [, path = ''] = kinds.find(([name]) => name === 'text') ?? [];
      await tab.open(path);
      await page.locator('.text-paper .block').first().waitFor();
      const directions = await page
        .locator('.text-paper .block')
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
      expect(directions).to.deep.equal(['rtl', 'ltr']);
    });
  });
