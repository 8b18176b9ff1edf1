import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { KEEP_TRASH } from '../../bench/data-sample.ts';
import { fill } from '../../bench/data.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, openApp, type AppTab } from './app-fixture.ts';

const COUNT = 100_000;
const MAX_ROWS = 60;
const PLACES = 12;

interface Shown {
  readonly index: number;
  readonly name: string;
}

/** The documents in the page, by their index in the list. */
const shownRows = (page: Page): Promise<readonly Shown[]> =>
  page.locator('.documents [data-index]').evaluateAll((rows) =>
    rows.map((row) => ({
      index: Number(row.getAttribute('aria-rowindex')) - 1,
      name: row.querySelector('.name')?.textContent ?? '',
    })),
  );

/** Documents and grey rows in the page. */
const countPlaced = (page: Page): Promise<number> =>
  page.locator('.documents .placed:not(.month)').count();

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: a list of ${COUNT} documents`, function () {
    this.timeout(240_000);
    let service: Service;
    let browser: Browser;
    let tab: AppTab;
    let total = 0;
    before(async () => {
      service = await startService(profile, KEEP_TRASH);
      const { ownerId, bearer } = await fill(service.dataDir, COUNT);
      browser = await sharedBrowser();
      tab = await openApp(browser, service, { owner: { id: ownerId, token: bearer } });
      ({ total } = await list('limit=1'));
      await tab.open('/library');
      await tab.page.locator('.documents [data-index="0"]').waitFor();
    });
    after(async () => {
      await tab.close();
      await service.dispose();
    });

    const list = async (query: string) => {
      const { json } = await service.call('GET', `/v1/objects?${query}`, { token: tab.token });
      return json as { total: number; items: { display_name: string }[] };
    };
    /** Scrolls so far that the row is in view, as told by the height of the list. */
    const scrollTo = async (index: number): Promise<void> => {
      await tab.page.locator('.documents').evaluate(
        (element, share) => {
          element.scrollTop = share * (element.scrollHeight - element.clientHeight);
        },
        index / (total - 1),
      );
      // Until a document or a heading stands in the middle of the list, and no grey row.
      await tab.page.waitForFunction(() => {
        const edges = document.querySelector('.documents')?.getBoundingClientRect();
        if (!edges) return false;
        const { left, top, height } = edges;
        const there = document.elementFromPoint(left + 200, top + height / 2);
        return Boolean(there?.closest('[data-index], .month'));
      });
    };

    it('has the height of all rows, and few rows in the page', async () => {
      const grid = tab.page.locator('.documents');
      expect(await grid.getAttribute('aria-rowcount')).to.equal(String(total));
      const height = await grid.evaluate(({ scrollHeight }) => scrollHeight);
      expect(height).to.be.at.least(total * 60);
      expect(await countPlaced(tab.page)).to.be.at.most(MAX_ROWS);
      await capture(tab.page, 'long-list');
    });

    it('shows at any place the documents that the interface has there', async () => {
      const places = Array.from({ length: PLACES }, (_, n) => Math.floor((total * n) / PLACES));
      for (const place of [...places.toReversed(), total - 1, 0]) {
        await scrollTo(place);
        expect(await countPlaced(tab.page), `${place}`).to.be.at.most(MAX_ROWS);
        const rows = await shownRows(tab.page);
        const first = Math.min(...rows.map(({ index }) => index));
        expect(Math.abs(first - place), 'the place of the scroll bar').to.be.at.most(60);
        const { items } = await list(`limit=100&offset=${first}`);
        for (const { index, name } of rows)
          expect(name, `row ${index}`).to.equal(items[index - first]?.display_name);
      }
    });

    it('goes through pages one after the other by the keys, without a row left out', async () => {
      const { page } = tab;
      await scrollTo(0);
      await page.keyboard.press('Home');
      for (let index = 10; index <= 250; index += 10) {
        await page.keyboard.press('PageDown');
        await page.locator(`.documents [data-index="${index}"]:focus`).waitFor();
      }
      const rows = await shownRows(page);
      const { items } = await list('limit=100&offset=200');
      for (const { index, name } of rows)
        if (index >= 200 && index < 300) expect(name).to.equal(items[index - 200]?.display_name);
      await page.keyboard.press('End');
      await page.locator(`.documents [data-index="${total - 1}"]:focus`).waitFor();
      const [last] = (await list(`limit=1&offset=${total - 1}`)).items;
      expect(await page.locator('.documents :focus .name').textContent()).to.equal(
        last?.display_name,
      );
      await page.keyboard.press('Home');
      await page.locator('.documents [data-index="0"]:focus').waitFor();
    });

    it('keeps few rows in memory and in the page while it is scrolled from end to end', async () => {
      const { page } = tab;
      const most = await page.locator('.documents').evaluate(async (element) => {
        let seen = 0;
        for (let top = 0; top < element.scrollHeight; top += 40_000) {
          element.scrollTop = top;
          await new Promise<void>((resolve) => {
            setTimeout(resolve);
          });
          seen = Math.max(seen, element.querySelectorAll('.placed:not(.month)').length);
        }
        return seen;
      });
      expect(most).to.be.at.most(MAX_ROWS);
      expect(await page.locator('.documents *').count()).to.be.below(2_000);
      expect(tab.complaints).to.deep.equal([]);
    });
  });
