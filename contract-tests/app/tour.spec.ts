import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser, openTab, type Tab } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessible, openApp, type AppTab } from './app-fixture.ts';
import { setScene, type Scene } from './tour-scene.ts';
import type { TourScreen } from './tour-screen.ts';
import { TOUR } from './tour-screens.ts';

/** The height is that of a usual device of this width. */
const SIZES = [
  { width: 1_440, height: 900, device: 'desktop' },
  { width: 900, height: 1_100, device: undefined },
  { width: 390, height: 844, device: 'phone' },
  // Also what is left of 640 pixels at 200 %.
  { width: 320, height: 640, device: undefined },
] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Pictures are made of all; else the dark colours, which no width changes, are judged on the first device. */
const schemesOf = (isFirst: boolean) =>
  isFirst || process.env['SCREENSHOT_DIR'] ? SCHEMES : (['light'] as const);

/** By how many pixels the page is wider than the window. */
const sidewaysOf = (tab: Tab) =>
  tab.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );

// What is judged is a matter of the browser alone, so that one profile is enough.
for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: every screen of the app, in every state`, function () {
    this.timeout(60_000);
    let service: Service;
    let browser: Browser;
    let scene: Scene;
    const owners = new Map<TourScreen['owner'], { id: string; token: string }>();
    before(async () => {
      service = await startService(profile, { OCR_LANGS: 'eng' });
      browser = await sharedBrowser();
      for (const kind of [undefined, 'empty'] as const) owners.set(kind, await service.newOwner());
      scene = await setScene(service, owners.get(undefined) ?? { token: '' });
    });
    after(async () => {
      await service.dispose();
    });

    const openScreen = async ({ owner, path }: TourScreen): Promise<Tab> => {
      const given = owners.get(owner);
      const address = typeof path === 'string' ? path : path(scene);
      if (given) {
        const app: AppTab = await openApp(browser, service, { owner: given });
        await app.open(address);
        return app;
      }
      const tab = await openTab(browser, { reducedMotion: 'reduce' });
      await tab.page.goto(`${service.base}/app${address}`);
      return tab;
    };

    for (const screen of TOUR)
      it(`${screen.name} has no finding of axe, and scrolls nothing sideways`, async () => {
        const sizes = SIZES.filter(({ width }) => screen.widths?.includes(width) ?? true);
        const tab = await openScreen(screen);
        const { page } = tab;
        await page.setViewportSize(sizes[0] ?? SIZES[0]);
        await screen.reach(page);
        for (const { width, height, device } of sizes) {
          await page.setViewportSize({ width, height });
          // Between the devices only the layout differs.
          const isFirst = device === sizes.find((each) => each.device)?.device;
          for (const colorScheme of device ? schemesOf(isFirst) : []) {
            await page.emulateMedia({ colorScheme });
            const place = `${screen.name}, ${width} pixels, ${colorScheme}`;
            if (device) await capture(page, `${screen.name}-${device}-${colorScheme}`);
            await expectAccessible(page, place, colorScheme === 'light' ? 'all' : 'colours');
          }
          expect(await sidewaysOf(tab), `${screen.name}, ${width} pixels`).to.be.at.most(0);
        }
        await tab.close();
      });
  });
