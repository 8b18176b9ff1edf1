import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { twoColours } from '../samples/pictures.ts';
import { openInstalledApp } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';
import { heapTraces } from './heap.ts';
import { tracesIn } from './traces.ts';
import { addFile } from './viewer-fixture.ts';
import { MARKER, PIN, SECRET, zoneTab, type ZoneTab } from './zone-fixture.ts';

/** On one profile: this is about the browser. The service's part has specs of its own. */
for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: a hidden picture, its editor and its notifications`, function () {
    this.timeout(180_000);
    let service: Served;
    let browser: Browser;
    let tab: ZoneTab;
    let id: string;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      const app = await openInstalledApp(browser, service);
      const { token } = app;
      await writeNote(service, app, 'Tide tables', 'Tides.');
      await service.call('POST', '/v1/notifications/read', { token, body: {} });
      const picture = await twoColours(200).png().toBuffer();
      id = await addFile(service, app, `${MARKER} ${SECRET}.png`, picture);
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: PIN } });
      await service.call('POST', '/v1/objects/bulk', {
        token,
        body: { action: 'hide', ids: [id] },
      });
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      tab = zoneTab(app, id);
      await tab.open('/library');
      await tab.page.getByRole('row', { name: /Tide tables/ }).waitFor();
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const bell = (name: string | RegExp) =>
      tab.page.getByRole('banner').getByRole('button', { name });
    const lock = async () => {
      await tab.page.keyboard.press('Shift+Escape');
      await tab.waitUntilLocked();
      await bell(/^Notifications$/).waitFor();
    };
    const expectNoTrace = async () => {
      const none = (traces: readonly string[]) => traces.length === 0;
      expect(await eventually(() => tracesIn(tab.page, SECRET), none)).to.deep.equal([]);
      const found = await eventually(() => heapTraces(tab.page, SECRET), none, 20_000);
      expect(found.join('\n'), 'memory').to.equal('');
    };
    const path = () => new URL(tab.page.url()).pathname;

    it('is in no notification and in no number while the zone is locked', async () => {
      await tab.open('/notifications');
      await tab.page.locator('.notice', { hasText: 'Tide tables' }).waitFor();
      expect(await tab.page.locator('.notice').count()).to.equal(1);
      await bell(/^Notifications$/).waitFor();
      expect(await tracesIn(tab.page, id)).to.deep.equal([]);
    });

    it('is at the bell while the zone is open, and opens inside the zone', async () => {
      const { page } = tab;
      await tab.open('/library');
      await page.getByRole('row', { name: /Tide tables/ }).waitFor();
      await tab.unlock();
      await bell('Notifications: 1 unread').click();
      await page.getByRole('dialog', { name: 'Notifications' }).getByText(MARKER).click();
      await page.getByRole('heading', { level: 1, name: new RegExp(MARKER) }).waitFor();
      expect(path()).to.equal('/app/hidden');
      await lock();
      await expectNoTrace();
    });

    it('is edited without a trace of it', async () => {
      const { page } = tab;
      await tab.unlock();
      await page.getByRole('link', { name: new RegExp(MARKER) }).click();
      await page.locator('.picture-frame img').waitFor();
      await page.keyboard.press('Shift+E');
      await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
      expect(path()).to.equal('/app/hidden');
      expect(await page.title()).to.equal('Owner Workspace');
      await page.getByRole('button', { name: 'Turn right' }).click();
      await page.getByText('100 × 200 pixels').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.toast', { hasText: 'Edited the picture' }).waitFor();
      await page.getByText('100 × 200 pixels').waitFor();
      expect(path()).to.equal('/app/hidden');
      expect(page.url()).to.not.include('tasks');
      const headers = { 'x-hidden-token': [...tab.tokens].at(-1) ?? '' };
      const { json } = await service.call('GET', `/v1/objects/${id}`, {
        token: tab.token,
        headers,
      });
      expect(json.version).to.equal(2);
      await lock();
      expect(await page.locator('.toast').count()).to.equal(0);
      await expectNoTrace();
    });
  });
