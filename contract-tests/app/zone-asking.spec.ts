import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes } from './app-fixture.ts';
import { NOTICE_QUESTION, TENANCY, askIn, writeNote } from './ask-fixture.ts';
import { tracesIn } from './traces.ts';
import { MARKER, PIN, SECRET, openZoneTab, zoneTab, type ZoneTab } from './zone-fixture.ts';

const QUESTION = 'Where is the spring?';
const NOTE = 'This conversation is deleted when the zone closes.';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: questions while the hidden zone is open`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: ZoneTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openZoneTab(browser, service);
      await writeNote(service, tab, 'Tenancy', TENANCY);
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    /** Conversations by a program of the owner, with an unlock token of its own or without. */
    const chats = async (isUnlocked: boolean) => {
      const { token } = tab;
      const unlocked =
        isUnlocked &&
        (await service.call('POST', '/v1/hidden-pin/unlock', { token, body: { pin: PIN } }));
      const headers: Record<string, string> = unlocked
        ? { 'x-hidden-token': unlocked.json.token as string }
        : {};
      const { json } = await service.call('GET', '/v1/chats', { token, headers });
      return (json.items as { title: string }[]).map(({ title }) => title);
    };
    const askInside = async ({ page, unlock, button }: ZoneTab) => {
      await unlock();
      await button('Ask these').click();
      await page.getByText(NOTE).waitFor();
      await askIn(page, QUESTION);
      await page.locator('.prose .cite').first().waitFor();
    };

    it('are of a conversation of its own inside the zone, which is deleted when it locks', async () => {
      const { page } = tab;
      await tab.open('/library');
      await page.getByRole('row', { name: /Tenancy/ }).waitFor();
      await askInside(tab);
      expect(new URL(page.url()).pathname).to.equal('/app/hidden');
      expect(await page.title()).to.equal('Owner Workspace');
      await capture(page, 'hidden-ask');
      await expectAccessibleInBothThemes(page, 'a conversation in the zone');
      expect(await chats(false)).to.deep.equal([]);
      await page.locator('.prose .cite').first().click();
      await page.locator('.cited-words, .cited').first().waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/hidden');
      await page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      await page.getByRole('row', { name: /Tenancy/ }).waitFor();
      for (const text of [SECRET, QUESTION])
        expect(
          await eventually(
            () => tracesIn(page, text),
            (traces) => traces.length === 0,
          ),
        ).to.deep.equal([]);
      expect(
        await eventually(
          () => chats(true),
          (titles) => titles.length === 0,
        ),
      ).to.deep.equal([]);
      const { json } = await service.call('GET', '/v1/recent-queries', { token: tab.token });
      expect(json.total).to.equal(0);
    });

    it('of a tab that died are hidden, and are deleted when the zone is opened next, but not those of an open tab', async () => {
      const lost = await tab.page.context().newPage();
      const died = zoneTab({ ...tab, page: lost }, tab.hiddenId);
      await lost.goto(`${service.base}/app/library`);
      await lost.getByRole('row', { name: /Tenancy/ }).waitFor();
      await askInside(died);
      const crashed = lost.waitForEvent('crash');
      const protocol = await tab.page.context().newCDPSession(lost);
      void protocol.send('Page.crash').catch(() => undefined);
      await crashed;
      await lost.close();
      expect(await chats(true)).to.have.length(1);
      const alive = zoneTab({ ...tab, page: await tab.page.context().newPage() }, tab.hiddenId);
      // It can delete nothing itself, and says so: that is what the next unlock is for.
      await alive.page.route('**/v1/chats?hidden_only=true*', (route) => route.abort());
      await alive.page.goto(`${service.base}/app/library`);
      await alive.page.getByRole('row', { name: /Tenancy/ }).waitFor();
      const said = alive.page.getByText(/^A conversation of an earlier visit could not/).waitFor();
      await askInside(alive);
      await said;
      expect(await chats(true)).to.have.length(2);
      await tab.open('/ask');
      await tab.page.getByRole('textbox', { name: 'Ask about your documents' }).waitFor();
      expect(await chats(false)).to.deep.equal([]);
      expect(await tab.page.locator('body').innerText()).to.not.contain(QUESTION);
      await tab.page.locator('h1').focus();
      await tab.unlock();
      const remain = (count: number) =>
        eventually(
          () => chats(true),
          (titles) => titles.length === count,
        );
      // That of the open tab is the newer one: the service lists it first.
      expect(await remain(1)).to.have.length(1);
      await alive.page.locator('.prose .cite').first().waitFor();
      await alive.page.keyboard.press('Shift+Escape');
      await alive.waitUntilLocked();
      await tab.page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      expect(await remain(0)).to.deep.equal([]);
      await alive.page.close();
    });

    it('outside it see nothing hidden, and stay', async () => {
      const { page } = tab;
      await tab.open('/library');
      await page.getByRole('row', { name: /Tenancy/ }).waitFor();
      await tab.unlock();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      await page.locator('.rail').getByRole('link', { name: 'Ask' }).click();
      await page.waitForURL(/\/ask$/);
      expect(await page.getByText(NOTE).count()).to.equal(0);
      await askIn(page, QUESTION);
      await page.locator('.turn:not([aria-busy=true]) .under').waitFor();
      expect(await page.locator('.turn').innerText()).to.not.contain(SECRET);
      await askIn(page, NOTICE_QUESTION);
      await page.locator('.turn:last-child .prose .cite').first().waitFor();
      await page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      await eventually(
        () => page.locator('.below').innerText(),
        (text) => text.includes(QUESTION),
      );
      expect(await chats(false)).to.deep.equal([QUESTION]);
    });
  });
