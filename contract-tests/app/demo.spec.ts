import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { loadDemo } from '../../scripts/demo/load.ts';
import { readDemoWorkspace, visibleDocuments } from '../../scripts/demo/workspace.ts';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessible, openApp } from './app-fixture.ts';
import { askIn } from './ask-fixture.ts';
import { DEMO_SCREENS, type DemoScene } from './demo-screens.ts';
import { waitForMark } from './viewer-fixture.ts';

const SCHEMES = ['light', 'dark'] as const;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the app with the demo workspace`, function () {
    this.timeout(240_000);
    let service: Service;
    let browser: Browser;
    let model: ModelService;
    let owner: { id: string; token: string };
    let scene: DemoScene;
    before(async () => {
      model = await openModelService();
      service = await startService(profile, {
        OCR_LANGS: 'eng',
        OUTBOUND_ALLOW: `127.0.0.1:${model.port}`,
      });
      browser = await sharedBrowser();
      const workspace = await readDemoWorkspace();
      owner = await service.newOwner(undefined, undefined, workspace.owner);
      const { token } = owner;
      scene = { service, token, model, workspace };
      await loadDemo({ base: service.base, token }, scene.workspace);
    });
    after(async () => {
      await service.dispose();
      await model.close();
    });

    it('lists every document', async () => {
      const { page, open, complaints, close } = await openApp(browser, service, { owner });
      await open('/library');
      const { length } = visibleDocuments(scene.workspace);
      await page.getByText(`${length} documents`).first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('fits a phone in German', async () => {
      const { page, open, complaints, close } = await openApp(browser, service, {
        owner,
        locale: 'de-DE',
        viewport: { width: 390, height: 844 },
      });
      for (const path of ['/library', '/tidy', '/ask']) {
        await open(path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(sideways, path).to.be.at.most(0);
      }
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('answers in Russian, and opens the citation at its words', async () => {
      const { page, open, complaints, close } = await openApp(browser, service, { owner });
      await open('/ask');
      await askIn(page, 'Когда бабушка переехала в Заречье?');
      await page.locator('a[href*="/object/"][href*="#t="]').first().click();
      await waitForMark(page);
      await page
        .getByText(/переехала в Заречье в мае 1961/)
        .first()
        .waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    // The pictures of the README, at the end: the agent needs a model, which answers questions from then on. The tour looks
    // at these screens with another workspace.
    for (const screen of process.env['SCREENSHOT_DIR'] ? DEMO_SCREENS : [])
      it(`shows ${screen.name} in light and dark`, async () => {
        const { page, open, complaints, close } = await openApp(browser, service, { owner });
        await open(await screen.path(scene));
        await screen.reach(page, scene);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          await expectAccessible(
            page,
            `${screen.name}, ${colorScheme}`,
            colorScheme === 'light' ? 'all' : 'colours',
          );
          await capture(page, `demo-${screen.name}-${colorScheme}`);
        }
        expect(complaints).to.deep.equal([]);
        await close();
      });
  });
