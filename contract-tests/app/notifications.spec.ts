import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';
import { cutOff } from './cut-off.ts';
import { everyKind } from './tour/shell.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: notifications in the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    const notes: string[] = [];
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
      for (const name of ['Tide tables', 'Lamp oil', 'Fog signal'])
        notes.push(await writeNote(service, tab, name, `About ${name}.`));
      await tab.open('/library');
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const listed = async (query = '') =>
      (await service.call('GET', `/v1/notifications${query}`, { token: tab.token })).json;
    const unread = async (): Promise<number> => (await listed()).unread;
    const settles = async (expected: number) =>
      expect(await eventually(unread, (each) => each === expected)).to.equal(expected);
    const bell = (count: number) =>
      page.getByRole('banner').getByRole('button', {
        name: count > 0 ? `Notifications: ${count} unread` : /^Notifications$/,
      });
    const item = (name: string | RegExp) => page.locator('.notice', { hasText: name });
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    it('counts what is unread at the bell, and counts again when something happens', async () => {
      await bell(3).waitFor();
      notes.push(await writeNote(service, tab, 'Rope list', 'Ropes.'));
      await bell(4).waitFor();
    });

    it('shows the latest at the bell, each of which leads to its place and is read then', async () => {
      await bell(4).click();
      const latest = page.getByRole('dialog', { name: 'Notifications' });
      await latest.getByRole('link', { name: /Rope list.* is ready/ }).waitFor();
      await capture(page, 'notifications-bell');
      await latest.getByRole('link', { name: /Lamp oil.* is ready/ }).click();
      await page.getByRole('heading', { level: 1, name: /Lamp oil/ }).waitFor();
      expect(new URL(page.url()).pathname).to.equal(`/app/object/${notes[1]}`);
      await latest.waitFor({ state: 'hidden' });
      await bell(3).waitFor();
      await settles(3);
    });

    it('lists them by day, with those that are unread alone if wanted', async () => {
      await bell(3).click();
      await page.getByRole('link', { name: 'All notifications' }).click();
      await page.getByRole('heading', { level: 1, name: /^Notifications\s*3 unread$/ }).waitFor();
      await page
        .getByRole('heading', { level: 2, name: /^(Today|Yesterday)$/ })
        .first()
        .waitFor();
      await item(/Lamp oil/).waitFor();
      await capture(page, 'notifications');
      await page.getByRole('button', { name: 'Unread', exact: true }).click();
      await item(/Lamp oil/).waitFor({ state: 'detached' });
      expect(await page.locator('.notice').count()).to.equal(3);
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await item(/Lamp oil/).waitFor();
    });

    it('marks one as read, and removes one, at the service as well', async () => {
      await page.getByRole('button', { name: /^Mark as read: .*Fog signal/ }).click();
      await bell(2).waitFor();
      await settles(2);
      await page.getByRole('button', { name: /^Remove: .*Fog signal/ }).click();
      await item(/Fog signal/).waitFor({ state: 'detached' });
      await eventually(listed, ({ total }) => total === 3);
      expect((await listed()).total).to.equal(3);
    });

    it('does everything by the keyboard alone', async () => {
      await tab.open('/library');
      await press('g', 'n');
      await page.getByRole('heading', { level: 1, name: /^Notifications/ }).waitFor();
      await item(/Rope list/).waitFor();
      await press('j');
      await page.locator('.notice-title:focus', { hasText: 'Rope list' }).waitFor();
      await press('m');
      await bell(1).waitFor();
      await press('j', '#');
      await item(/Lamp oil/).waitFor({ state: 'detached' });
      await page.locator('.notice-title:focus', { hasText: 'Tide tables' }).waitFor();
      await eventually(listed, ({ total }) => total === 2);
      await press('Shift+M');
      await bell(0).waitFor();
      await settles(0);
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: /Tide tables/ }).waitFor();
    });

    it('says why a change is refused, and takes it back', async () => {
      await tab.open('/notifications');
      await item(/Rope list/).waitFor();
      await page.route('**/v1/notifications/*', (route) =>
        route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'Busy.' } }),
      );
      await page.clock.install();
      await page.getByRole('button', { name: /^Remove: .*Rope list/ }).click();
      await item(/Rope list/).waitFor({ state: 'detached' });
      // What is refused as busy is tried again a few times.
      for (let attempt = 0; attempt < 4; attempt++) await page.clock.runFor(3_000);
      await page.getByRole('alert').filter({ hasText: 'The service is busy.' }).waitFor();
      await item(/Rope list/).waitFor();
      await page.unroute('**/v1/notifications/*');
      await page.clock.resume();
      expect((await listed()).total).to.equal(2);
    });

    it('says every kind in the words of the app, with the way to what it is about', async () => {
      await page.route('**/v1/notifications?**', (route) => route.fulfill({ json: everyKind }));
      await tab.open('/notifications');
      await item(/boat.jpg.* was turned/).waitFor();
      const links = await page
        .locator('a.notice-title')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
      expect(links).to.deep.equal(
        [
          '/object/1',
          '/object/1',
          '/object/1',
          '/tidy/2',
          '/settings/connections',
          '/calendar?d=2026-11-20',
          '/shares/4',
          '/object/1',
          '/settings/usage',
          '/settings/connections',
          '/settings/bots',
          '/settings/bots',
          '/settings/security',
        ].map((path) => `/app${path}`),
      );
      for (const text of [
        'The file is damaged, or does not match its name.',
        'There is no such bucket. 4 files moved, 2 could not be.',
        'The server has failed. Status: 503.',
        /Firefox on Linux · network 192\.0\.2\.0\/24 · 20 Nov 2026, 09:15\./,
        '9 documents put into folders',
        /Begins 20 Nov 2026, 09:15/,
        /The link to .Wedding. was opened for the first time/,
        /cake.jpg. was uploaded to .Wedding. through a link/,
        /Ann Lee. has used your invitation code/,
        'Your model no longer responds as it should',
        'Register it again with its token.',
        /Another program .*@skerry/,
        'There was a sign-in from a new place',
      ])
        await item(text).first().waitFor();
      await page.unroute('**/v1/notifications?**');
    });

    it('polls rarely in the background, and only for what has changed', async () => {
      const other = await openApp(browser, service, {
        owner: { id: tab.ownerId, token: tab.token },
      });
      await other.page.clock.install();
      const polls: Record<string, string>[] = [];
      other.page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/v1/notifications' && searchParams.get('limit') === '20')
          polls.push(request.headers());
      });
      await other.open('/library');
      await other.page.getByRole('row').nth(1).waitFor();
      await other.page.evaluate(`(() => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));
      })()`);
      /** After how many half minutes there are so many requests. */
      const halfMinutesUntil = async (count: number) => {
        let steps = 0;
        const forward = async () => {
          steps++;
          await other.page.clock.fastForward(30_000);
          return polls.length;
        };
        await eventually(forward, (length) => length >= count);
        expect(polls).to.have.length(count);
        return steps;
      };
      expect(await halfMinutesUntil(1)).to.be.at.least(4);
      expect(await halfMinutesUntil(2)).to.be.at.least(4);
      expect(polls[1]).to.have.property('if-none-match');
      expect(other.complaints).to.deep.equal([]);
      await other.close();
    });

    it("has the rest of the places, and the number, behind the dock's More", async () => {
      await writeNote(service, tab, 'Wick order', 'Wicks.');
      await page.setViewportSize({ width: 390, height: 844 });
      await tab.open('/library');
      const dock = page.locator('.dock');
      expect(await dock.getByRole('link').allInnerTexts()).to.deep.equal([
        'Library',
        'Ask',
        'Calendar',
      ]);
      const more = dock.getByRole('button', { name: /^More/ });
      await dock.getByRole('button', { name: 'More Notifications: 1 unread' }).waitFor();
      const goTo = async (place: string | RegExp, path: string) => {
        await more.click();
        await dock.getByRole('link', { name: place }).click();
        await page.waitForURL(`**/app${path}`);
        await page.locator('.dock [aria-current="true"]').waitFor();
      };
      await more.click();
      await dock.getByRole('link', { name: 'Trash' }).waitFor();
      await capture(page, 'notifications-more');
      await expectAccessibleInBothThemes(page, 'More');
      await press('Escape');
      await goTo('Trash', '/trash');
      await goTo('Settings', '/settings');
      await goTo('Agent', '/agent');
      await goTo('Shares', '/shares');
      await goTo('Notifications: 1 unread', '/notifications');
      await item(/Wick order/).waitFor();
      await page.setViewportSize({ width: 1_440, height: 900 });
    });

    for (const [locale, title] of [
      ['de', 'Mitteilungen'],
      ['zh', '通知'],
    ] as const)
      it(`fits a phone in the language ${locale}`, async () => {
        const other = await openApp(browser, service, {
          owner: { id: tab.ownerId, token: tab.token },
          locale,
          viewport: { width: 390, height: 844 },
        });
        await other.open('/notifications');
        await other.page.getByRole('heading', { level: 1, name: title }).waitFor();
        await other.page.locator('.notice').first().waitFor();
        await capture(other.page, `notifications-${locale}`);
        expect(await cutOff(other.page)).to.deep.equal([]);
        expect(other.complaints).to.deep.equal([]);
        await other.close();
      });
  });
