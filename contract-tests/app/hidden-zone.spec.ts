import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes } from './app-fixture.ts';
import { fillWorkspace } from './library-fixture.ts';
import { tracesIn } from './traces.ts';
import {
  HIDDEN_TEXT,
  MARKER,
  SECRET,
  enterPin,
  hideTab,
  openZoneTab,
  type ZoneTab,
} from './zone-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the hidden zone in the app`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: ZoneTab;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openZoneTab(browser, service);
      await fillWorkspace(service, tab);
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const text = () => tab.page.locator('body').innerText();

    it('opens over what is there, refuses a wrong PIN, and goes back on Cancel', async () => {
      const { page, open } = tab;
      await open('/library?order=name');
      await page.getByRole('row', { name: /tides/ }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await enterPin(page, '0000');
      await page.getByText('That was not the PIN.').waitFor();
      await capture(page, 'hidden');
      await expectAccessibleInBothThemes(page, 'unlock dialog');
      await tab.button('Cancel').click();
      await page.waitForURL(/library\?order=name$/);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('shows hidden documents at one address, and opens them in their place', async () => {
      const { page } = tab;
      await tab.unlock();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/hidden');
      expect(await page.title()).to.equal('Owner Workspace');
      await capture(page, 'hidden-open');
      await expectAccessibleInBothThemes(page, 'open zone');
      const entries = await page.evaluate('history.length');
      await page.getByRole('link', { name: new RegExp(MARKER) }).click();
      await page.getByText(HIDDEN_TEXT).first().waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/hidden');
      expect(await page.title()).to.equal('Owner Workspace');
      expect(await page.evaluate('history.length')).to.equal(entries);
      await capture(page, 'hidden-document');
    });

    it('leaves nothing behind when it locks, and is where it was before', async () => {
      const { page } = tab;
      await page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      await page.waitForURL(/library\?order=name$/);
      await page.getByRole('row', { name: /tides/ }).waitFor();
      expect(await text()).to.not.contain(SECRET);
      expect(
        await eventually(
          () => tracesIn(page, SECRET),
          (traces) => traces.length === 0,
        ),
      ).to.deep.equal([]);
      const { json } = await service.call('GET', '/v1/hidden-pin', { token: tab.token });
      expect(json).to.include({ configured: true, unlocked: false });
    });

    it('keeps the selection of the list behind it', async () => {
      const { page } = tab;
      await page.getByLabel('Select tides-2027.csv').check();
      await page.getByText('1 selected').waitFor();
      await tab.unlock();
      await tab.button('Lock now').click();
      await tab.waitUntilLocked();
      await page.getByText('1 selected').waitFor();
      expect(await page.getByLabel('Select tides-2027.csv').isChecked()).to.equal(true);
      await page.keyboard.press('Escape');
    });

    it('locks when the tab is hidden', async () => {
      const { page } = tab;
      await tab.unlock();
      await hideTab(page);
      await tab.waitUntilLocked();
    });

    it('shows and hides documents, with undo', async () => {
      const { page } = tab;
      await tab.unlock();
      await page.getByLabel(new RegExp(`Select ${MARKER}`)).check();
      await page.keyboard.press('Control+K');
      await page.keyboard.type('Show again');
      await page.getByRole('option', { name: 'Show again', exact: true }).click();
      await page.getByText('Nothing is hidden').waitFor();
      await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('row', { name: new RegExp(MARKER) }).waitFor();
      await page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      expect(await page.locator('.toast').count()).to.equal(0);
    });

    it('reports nothing of an undo that was under way when it locked', async () => {
      const { page } = tab;
      await tab.unlock();
      await page.getByLabel(new RegExp(`Select ${MARKER}`)).check();
      await page.keyboard.press('Control+K');
      await page.keyboard.type('Show again');
      await page.getByRole('option', { name: 'Show again', exact: true }).click();
      await page.getByText('Nothing is hidden').waitFor();
      const undo = /\/bulk\/[^/]+\/undo$/;
      // Never answered.
      await page.route(undo, () => undefined);
      const requested = page.waitForRequest(undo);
      await page.locator('.toast').last().getByRole('button', { name: 'Undo' }).click();
      await requested;
      await page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      expect(await page.locator('.toast').count()).to.equal(0);
      await page.unroute(undo);
    });
  });
