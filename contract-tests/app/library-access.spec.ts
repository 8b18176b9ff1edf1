import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessible, openApp, type AppTab } from './app-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';

const PARTS = ['.name', 'time', '.offer .cut', '.where'];

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: accessibility of the library`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      await fillWorkspace(service, tab);
    });
    after(() => tab.close());

    it('gives each row a name of document, type, folder, date and state', async () => {
      const { page, open } = tab;
      await page.setViewportSize({ width: 1_440, height: 900 });
      await open('/library');
      await page
        .getByRole('row', {
          name: /^Kontoauszug 2026-09.pdf, PDF, In no folder, \d\d:\d\d, .*, Could not be read$/,
        })
        .waitFor();
    });

    it('shows folder, type and date of a suggestion on a phone, each in its own place', async () => {
      const { page, open } = tab;
      await page.setViewportSize({ width: 390, height: 844 });
      await open('/library?has_suggestion=true');
      const row = page.locator('.row.offers').first();
      await row.waitFor();
      const cut = (text: string | null) => text?.trim() ?? '';
      expect(cut(await row.locator('.where').textContent())).to.match(/^In no folder\s+\S/);
      expect(cut(await row.locator('time').textContent())).to.match(/^\d\d:\d\d$/);
      // All in one step: rows may move between two.
      const [outer, ...boxes] = await row.evaluate((element, selectors) => {
        const acts = [...element.querySelectorAll('.act')];
        const found = selectors.map((selector) => element.querySelector(selector)!);
        return [element, ...found, acts[0]!, acts[1]!].map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect();
          return { x, y, width, height };
        });
      }, PARTS);
      const parts = boxes.map((box, n) => ({ part: PARTS[n] ?? `.act ${n}`, box }));
      for (const { part, box } of parts) {
        expect(box.width, part).to.be.above(20);
        expect(box.y, part).to.be.at.least(outer!.y);
        expect(box.y + box.height, part).to.be.at.most(outer!.y + outer!.height);
        for (const { part: name, box: other } of parts)
          if (name !== part) expect(doOverlap(box, other), `${part} ${name}`).to.equal(false);
      }
      await capture(page, 'library-suggestions-phone');
      await expectAccessible(page, 'suggestions on a phone');
    });
  });

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const doOverlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
