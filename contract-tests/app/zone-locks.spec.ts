import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { openInstalledApp } from './app-fixture.ts';
import {
  HIDDEN_TEXT,
  MARKER,
  PIN,
  enterPin,
  leaveWindow,
  openZoneTab,
  returnToWindow,
  zoneTab,
  type ZoneTab,
} from './zone-fixture.ts';

/** On one profile: this is about the browser. The service's part has specs of its own. */
for (const profile of hasBrowser ? firstProfile : [])
  describe('how the hidden zone opens and locks', function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: ZoneTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });
    beforeEach(async () => {
      tab = await openZoneTab(browser, service);
    });
    afterEach(async () => {
      expect(tab.complaints).to.deep.equal([]);
      await tab.close();
    });

    const veil = () => tab.page.locator('.zone-veil');
    const timer = () => tab.bar.getByRole('timer');
    /** The tokens that the page has used, and whether the service still knows them. */
    const openTokens = async () => {
      const found: string[] = [];
      for (const token of tab.tokens) {
        const headers = { 'x-hidden-token': token };
        const { json } = await service.call('GET', '/v1/hidden-pin', { token: tab.token, headers });
        if (json.unlocked === true) found.push(token);
      }
      return found;
    };
    const expectLockedAtService = async () => {
      expect(tab.tokens.size).to.be.above(0);
      expect(await eventually(openTokens, (found) => found.length === 0)).to.deep.equal([]);
    };
    const openAt = async (path: string) => {
      await tab.open(path);
      await tab.page.getByRole('heading', { level: 1 }).waitFor();
    };
    const openDocument = async () => {
      await tab.page.getByRole('link', { name: new RegExp(MARKER) }).click();
      await tab.page.getByRole('heading', { level: 1, name: new RegExp(MARKER) }).waitFor();
      await tab.page.getByText(HIDDEN_TEXT).first().waitFor();
    };

    it('locks when another device has locked it, and opens again', async () => {
      await openAt('/library');
      for (const lock of [
        () => service.call('POST', '/v1/hidden-pin/lock', { token: tab.token }),
        () =>
          service.call('POST', '/v1/hidden-pin', {
            token: tab.token,
            body: { pin: `${PIN}1`, old_pin: PIN },
          }),
      ]) {
        await tab.unlock();
        await openDocument();
        expect((await lock()).status).to.equal(200);
        await tab.waitUntilLocked();
        await tab.page.waitForURL(/\/library$/);
        expect(await tab.page.content()).not.to.include(MARKER);
      }
      expect(await openTokens()).to.deep.equal([]);
    });

    it('offers to set a first PIN where there is none', async () => {
      const other = await openInstalledApp(browser, service);
      const { page, bar } = zoneTab(other, '');
      await other.open('/library');
      await page.getByText('Nothing here yet').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByRole('heading', { name: 'Set a PIN for the hidden zone' }).waitFor();
      await enterPin(page, PIN, 'Set and open');
      await bar.waitFor();
      await page.getByText('Nothing is hidden').waitFor();
      await page.keyboard.press('Shift+Escape');
      await page.waitForURL(/\/library$/);
      const { json } = await service.call('GET', '/v1/hidden-pin', { token: other.token });
      expect(json).to.deep.equal({ configured: true, unlocked: false, locked_until: null });
      expect(other.complaints).to.deep.equal([]);
      await other.close();
    });

    it('takes a PIN that is typed before the dialog and the state of the zone are loaded', async () => {
      const { page } = tab;
      let letDialog!: () => void;
      let letState!: () => void;
      const dialog = new Promise<void>((resolve) => (letDialog = resolve));
      const state = new Promise<void>((resolve) => (letState = resolve));
      await openAt('/library');
      await page.getByText('Nothing here yet').waitFor();
      await page.route(/pin-dialog/, (route) => dialog.then(() => route.continue()));
      await page.route('**/v1/hidden-pin', (route) => state.then(() => route.continue()));
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.waitForURL(/\/hidden$/);
      await page.keyboard.type(`${PIN.slice(0, 4)}x`);
      await page.keyboard.press('Backspace');
      letDialog();
      await page.getByLabel(/^PIN/).waitFor();
      await page.keyboard.type(PIN.slice(4));
      await page.keyboard.press('Enter');
      expect(await page.getByLabel(/^PIN/).inputValue()).to.equal(PIN);
      expect(await tab.bar.count()).to.equal(0);
      letState();
      await tab.bar.waitFor();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
    });

    it('does not set a first PIN before it says so', async () => {
      const other = await openInstalledApp(browser, service);
      const { page, bar, button } = zoneTab(other, '');
      let letState!: () => void;
      const state = new Promise<void>((resolve) => (letState = resolve));
      await other.open('/library');
      await page.getByText('Nothing here yet').waitFor();
      await page.route('**/v1/hidden-pin', (route) => state.then(() => route.continue()));
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.keyboard.type(PIN);
      await page.keyboard.press('Enter');
      await page.getByLabel(/^PIN/).waitFor();
      letState();
      await button('Set and open').waitFor();
      expect(await page.getByLabel(/^PIN/).inputValue()).to.equal(PIN);
      await page.keyboard.press('Enter');
      await bar.waitFor();
      expect(other.complaints).to.deep.equal([]);
      await other.close();
    });

    it('counts down after five wrong PINs, and tries none before', async () => {
      const { page } = tab;
      await openAt('/library');
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      for (let nth = 0; nth < 5; nth++) {
        await enterPin(page, `000${nth}`);
        await page.getByText(nth < 4 ? 'That was not the PIN.' : 'Too many wrong PINs.').waitFor();
        // The field is emptied for the next one.
        await eventually(
          () => page.getByLabel(/^PIN/).inputValue(),
          (value) => value === '',
        );
      }
      const dialog = page.getByRole('dialog');
      const shown = await dialog.getByRole('timer').textContent();
      expect(shown).to.match(/^1[45]:\d\d$/);
      expect(await dialog.getByRole('button', { name: 'Open' }).isDisabled()).to.equal(true);
      await eventually(
        () => dialog.getByRole('timer').textContent(),
        (later) => later !== shown,
      );
      expect(await dialog.getByRole('timer').textContent()).to.not.equal(shown);
      await page.getByLabel(/^PIN/).fill(PIN);
      await page.keyboard.press('Enter');
      await tab.button('Cancel').click();
      expect(await tab.bar.count()).to.equal(0);
    });

    it('warns a minute before its time is up, stays open with the PIN, and locks when it is up', async () => {
      const { page } = tab;
      await page.clock.install();
      await openAt('/library');
      await tab.unlock();
      expect(await timer().textContent()).to.match(/^1[45]:\d\d$/);
      expect(await tab.button('Stay open').count()).to.equal(0);
      await page.clock.fastForward('14:10');
      await tab.button('Stay open').click();
      await tab.bar.getByRole('alert').filter({ hasText: 'less than a minute' }).waitFor();
      await page.getByRole('heading', { name: 'Stay in the hidden zone' }).waitFor();
      await enterPin(page, PIN, 'Stay open');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await timer().textContent()).to.match(/^1[45]:\d\d$/);
      expect(await tab.button('Stay open').count()).to.equal(0);
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      await page.clock.fastForward('15:01');
      await tab.waitUntilLocked();
      await page.waitForURL(/\/library$/);
      await expectLockedAtService();
    });

    it('locks on Shift Escape in a dialog and in its field', async () => {
      const { page } = tab;
      await openAt('/library');
      await tab.unlock();
      await openDocument();
      await page.keyboard.press('r');
      await page.getByRole('dialog').getByRole('textbox').focus();
      await page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await page.waitForURL(/\/library$/);
      await expectLockedAtService();
    });

    it('is covered when the window loses the focus, dialogs too, and locks ten seconds later', async () => {
      const { page } = tab;
      await page.clock.install();
      await openAt('/library');
      await tab.unlock();
      await openDocument();
      await page.keyboard.press('r');
      await page.getByRole('dialog').waitFor();
      await leaveWindow(page);
      await veil().waitFor();
      // What a modal dialog makes inert can not be pointed at, so the picture is judged: it has one colour.
      const size = page.viewportSize()!;
      const middle = { x: size.width / 2 - 4, y: size.height / 2 - 4, width: 8, height: 8 };
      const corner = { x: 4, y: size.height - 12, width: 8, height: 8 };
      const [one, other] = [
        await page.screenshot({ clip: middle }),
        await page.screenshot({ clip: corner }),
      ];
      expect(one.equals(other), 'the veil covers the dialog').to.equal(true);
      await page.clock.fastForward('00:09');
      await returnToWindow(page);
      await veil().waitFor({ state: 'detached' });
      await page.clock.fastForward('00:30');
      expect(await tab.bar.count()).to.equal(1);
      await leaveWindow(page);
      await veil().waitFor();
      await page.clock.fastForward('00:11');
      await tab.waitUntilLocked();
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await expectLockedAtService();
    });

    it("stays open for the app's own chooser of files and its PIN prompt", async () => {
      const { page } = tab;
      await page.clock.install();
      await openAt('/library');
      await tab.unlock();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      const opened = page.waitForEvent('filechooser');
      await tab.button('Add').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Files' }).click();
      const chooser = await opened;
      await leaveWindow(page);
      await page.clock.fastForward('00:30');
      expect(await veil().count()).to.equal(0);
      expect(await tab.bar.count()).to.equal(1);
      await chooser.setFiles({
        name: 'well.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('w'),
      });
      await page.getByRole('row', { name: /well/ }).waitFor();
      // The chooser is closed: the next time counts.
      await leaveWindow(page);
      await veil().waitFor();
      await returnToWindow(page);
      await page.clock.fastForward('13:50');
      await tab.button('Stay open').click();
      await page.getByRole('heading', { name: 'Stay in the hidden zone' }).waitFor();
      await leaveWindow(page);
      expect(await veil().count()).to.equal(0);
      await page.clock.fastForward('00:12');
      expect(await tab.bar.count()).to.equal(1);
    });

    it('locks at the service when its tab is left', async () => {
      const { page } = tab;
      await openAt('/library');
      await tab.unlock();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      expect(await openTokens()).to.have.length(1);
      await page.goto('about:blank');
      await expectLockedAtService();
    });

    it('locks on signing out, before the session ends', async () => {
      const { page } = tab;
      await openAt('/library');
      await tab.unlock();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      await page.getByRole('button', { name: /account/ }).click();
      await tab.button('Sign out').click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await openTokens()).to.deep.equal([]);
    });

    it('gives the focus back, to the row that had it, in the place to which the list was scrolled', async () => {
      const { page } = tab;
      const body = (nth: number) => ({ title: `Page ${nth}`, content: `Number ${nth}` });
      for (let nth = 10; nth < 50; nth++) {
        const { token } = tab;
        const { json } = await service.call('POST', '/v1/objects/notes', {
          token,
          body: body(nth),
        });
        // The name of a row says whether it is being read.
        await service.settled(json.id, { token });
      }
      await openAt('/library?order=name');
      await page.getByRole('row', { name: /Page 10/ }).waitFor();
      for (let nth = 0; nth < 31; nth++) await page.keyboard.press('j');
      await page.keyboard.press('x');
      const focused = () =>
        page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""');
      const scrolled = () =>
        page.evaluate<number>('document.querySelector(".documents").scrollTop');
      await eventually(focused, (label) => label.startsWith('Page 40'));
      // The list scrolls a frame after the focus has moved.
      let last = -1;
      const isStill = async () => last === (last = await scrolled());
      await eventually(isStill, (still) => still);
      const before = [await focused(), await scrolled()];
      expect(before[1]).to.be.above(0);
      for (const lock of ['Shift+Escape', 'button'] as const) {
        await tab.unlock();
        await openDocument();
        if (lock === 'button') await tab.button('Lock now').click();
        else await page.keyboard.press(lock);
        await tab.waitUntilLocked();
        await eventually(focused, (label) => label === before[0]);
        expect([await focused(), await scrolled()]).to.deep.equal(before);
        await page.getByText('1 selected').waitFor();
      }
    });

    it('gives the focus to the heading where a menu led to the zone', async () => {
      const { page } = tab;
      await openAt('/library');
      await page.getByRole('button', { name: /account/ }).click();
      await page.getByRole('link', { name: 'Hidden zone' }).click();
      await enterPin(page);
      await tab.bar.waitFor();
      await page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      const name = () => page.evaluate<string>('document.activeElement.tagName');
      expect(await eventually(name, (tag) => tag !== 'BODY')).to.be.oneOf(['H1', 'BUTTON']);
    });

    it('is one of a tab: another tab of the same browser shows nothing', async () => {
      const { page } = tab;
      await openAt('/library');
      await tab.unlock();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      const second = await page.context().newPage();
      await second.goto(page.url());
      await second.getByRole('heading', { name: 'Open the hidden zone' }).waitFor();
      expect(await second.locator('body').innerText()).to.not.contain(MARKER);
      await second.close();
    });
  });
