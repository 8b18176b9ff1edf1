import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openInstalledApp, type AppTab } from './app-fixture.ts';
import { askIn } from './ask-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';
import { PIN, openZoneTab, type ZoneTab } from './zone-fixture.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const SCREENS = [
  '/library',
  '/library?order=name&kind=text',
  '/library?q=spring',
  '/library?q=tenancy',
  '/library?q=house+stays+between',
  '/ask',
  '/trash',
  '/tidy',
  '/shares',
  '/shares/new',
  '/new/note',
  '/settings/you',
  '/settings/look',
  '/settings/filing',
  '/settings/keys',
  '/settings/usage',
  '/nowhere',
] as const;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: a workspace whose hidden zone is locked`, function () {
    this.timeout(240_000);
    let service: Served;
    let browser: Browser;
    /** Has hidden documents, and has used them. */
    let used: ZoneTab;
    let plain: AppTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      used = await openZoneTab(browser, service);
      plain = await openInstalledApp(browser, service);
      await fillWorkspace(service, used);
      await fillWorkspace(service, plain);
      for (const { token } of [used, plain])
        await service.call('POST', '/v1/ask', {
          token,
          body: { question: 'What does the policy number say?' },
        });
      await used.open('/library');
      await used.page.getByRole('row', { name: /tides/ }).waitFor();
      await used.unlock();
      await used.button('Ask these').click();
      await askIn(used.page, 'Where is the spring?');
      await used.page.locator('.prose .cite').first().waitFor();
      await used.page.keyboard.press('Shift+Escape');
      await used.waitUntilLocked();
    });
    after(async () => {
      await used.close();
      await plain.close();
    });
    afterEach(() => expect([...used.complaints, ...plain.complaints]).to.deep.equal([]));

    /** Without what differs between two owners: their names, ids, sessions and times. */
    const shown = async ({ page }: AppTab) => {
      const strip = (text: string) =>
        text
          .replaceAll(UUID, 'ID')
          .replaceAll(/tenant-[\d-]+/g, 'TENANT')
          .replaceAll(/first [\w-]{8}…/g, 'TOKEN')
          .replaceAll(/\b\d\d:\d\d\b/g, 'TIME')
          .replaceAll(/Your code: \w+/g, 'CODE')
          .replaceAll(/owner-?\w*/gi, 'OWNER')
          .replaceAll(/^[A-Z]{1,2}$/gm, '')
          .replaceAll(/"[A-Z]{1,2}"/g, '""');
      const body = page.locator('body');
      return {
        title: await page.title(),
        text: strip(await body.innerText()),
        tree: strip(await body.ariaSnapshot()),
      };
    };
    const settled = async (tab: AppTab, path: string) => {
      const { page } = tab;
      await tab.open(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page
        .locator('main .spin, main .skeleton, main .grey')
        .first()
        .waitFor({ state: 'detached' });
    };

    /** What both tabs show once both have settled: numbers in the rail come after the screen. */
    const expectSame = async (look: (tab: AppTab) => Promise<unknown>) => {
      const same = async () =>
        JSON.stringify(await look(used)) === JSON.stringify(await look(plain));
      if (await eventually(same, (isSame) => isSame)) return;
      expect(await look(used)).to.deep.equal(await look(plain));
    };

    for (const path of SCREENS)
      it(`shows ${path} as one without a zone`, async () => {
        await settled(used, path);
        await settled(plain, path);
        await expectSame(shown);
      });

    const both = async (act: (tab: AppTab) => Promise<unknown>) => {
      await act(used);
      await act(plain);
    };

    for (const name of ['Insurance', 'Recipes'])
      it(`shows the folder or theme ${name} as one without a zone`, async () => {
        await both(async (tab) => {
          const { page } = tab;
          await settled(tab, '/library?order=name');
          await page.locator('.rail').getByRole('link', { name }).click();
          await page.getByRole('heading', { level: 1, name: new RegExp(name) }).waitFor();
          await page.getByRole('row').nth(1).waitFor();
        });
        await expectSame(shown);
      });

    it('shows a document as one without a zone', async () => {
      await both(async (tab) => {
        await settled(tab, '/library?order=name');
        await tab.page.getByRole('link', { name: /Boat insurance/ }).click();
        await tab.page.waitForURL(/\/object\//);
        await tab.page.getByRole('complementary', { name: 'Details' }).waitFor();
        await tab.page.locator('main').getByText('Hull and third party').first().waitFor();
      });
      await expectSame(async (tab) => (await shown(tab)).text);
    });

    it('shows a conversation and the palette as one without a zone', async () => {
      await both(async (tab) => {
        const { page } = tab;
        await settled(tab, '/ask');
        await page
          .locator('.below')
          .getByRole('link', { name: /policy number/ })
          .click();
        await page.locator('.prose').waitFor();
        await page.locator('.source-list').waitFor();
      });
      await expectSame(async (tab) => (await shown(tab)).text);
      await both(async ({ page }) => {
        await page.keyboard.press('Control+K');
        await page.getByRole('combobox', { name: 'Palette' }).waitFor();
        await page.keyboard.type('spring');
        await page
          .getByRole('option', { name: /spring/ })
          .first()
          .waitFor();
      });
      await expectSame(({ page }) => page.getByRole('listbox').innerText());
      await both(({ page }) => page.keyboard.press('Escape'));
    });

    it('has the same keys, the same way in, and the same settings once a PIN is set', async () => {
      const { token } = plain;
      const visit = async (tab: AppTab) => {
        const { page } = tab;
        await settled(tab, '/library?order=name');
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        const help = await page.getByRole('dialog').innerText();
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: /account/ }).click();
        const menu = await page
          .locator('.menu:popover-open a, .menu:popover-open button')
          .allInnerTexts();
        await page.keyboard.press('Escape');
        return { help, menu };
      };
      expect(await visit(used)).to.deep.equal(await visit(plain));
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: PIN } });
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      await settled(used, '/settings/hidden');
      await settled(plain, '/settings/hidden');
      await expectSame(shown);
    });
  });
