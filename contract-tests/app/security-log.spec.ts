import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, openBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { hideDocument, zoneTab } from './zone-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the log of security events`, function () {
    this.timeout(180_000);
    let service: Service;
    let browser: Browser;
    before(async () => {
      service = await startService(profile);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await service.dispose();
    });

    const entries = ({ page }: AppTab) =>
      page.getByRole('list', { name: 'Security events' }).getByRole('listitem');
    const issue = async (token: string, name: string): Promise<string> =>
      (await service.call('POST', '/v1/tokens', { token, body: { name } })).json.id;

    it('tells what happened in words, newest first, by kind and page by page', async () => {
      const tab = await openApp(browser, service);
      const { page, open, token, complaints, close } = tab;
      const names = Array.from({ length: 29 }, (_, n) => `scanner ${n + 1}`);
      const ids = await Promise.all(names.map((name) => issue(token, name)));
      const revoke = (id: string) => service.call('DELETE', `/v1/tokens/${id}`, { token });
      await Promise.all(ids.map(revoke));
      await revoke(await issue(token, 'scanner 30'));
      await open('/settings/security');
      await entries(tab).first().getByText('Token revoked').waitFor();
      await entries(tab).first().getByText('scanner 30').waitFor();
      await entries(tab).first().getByText('token “first”').waitFor();
      expect(await entries(tab).count()).to.equal(50);
      await capture(page, 'security');
      await expectAccessibleInBothThemes(page, 'the log of security events');
      await page.getByRole('button', { name: 'Show earlier ones' }).click();
      await entries(tab).nth(50).waitFor();
      await page.getByRole('button', { name: 'Show earlier ones' }).waitFor({ state: 'detached' });
      // 30 tokens, their revocations, the first token and the sign-in of this browser.
      expect(await entries(tab).count()).to.equal(62);
      await page.getByRole('combobox', { name: 'Show' }).selectOption('signed_in');
      await page.getByText('Token revoked', { exact: true }).first().waitFor({ state: 'hidden' });
      await entries(tab).first().getByText('Signed in').waitFor();
      expect(await entries(tab).count()).to.equal(1);
      await page.getByRole('combobox', { name: 'Show' }).selectOption('exported');
      await page.getByText('Nothing of this kind is recorded.').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('shows a new event by itself', async () => {
      const tab = await openApp(browser, service);
      await tab.open('/settings/security');
      await entries(tab).first().waitFor();
      await issue(tab.token, 'the plotter');
      await entries(tab).first().getByText('the plotter').waitFor();
      expect(tab.complaints).to.deep.equal([]);
      await tab.close();
    });

    it('lists what concerns a hidden document only while the zone is open', async () => {
      const tab = await openApp(browser, service);
      const { page, open, token, complaints, close } = tab;
      const hidden = await hideDocument(service, tab);
      const { json } = await service.call('GET', '/v1/security-events', { token });
      expect(json.items.length).to.be.above(0);
      const pin = { 'x-hidden-token': '' };
      const unlocked = await service.call('POST', '/v1/hidden-pin/unlock', {
        token,
        body: { pin: '48151623' },
      });
      pin['x-hidden-token'] = unlocked.json.token;
      await service.call('POST', '/v1/objects/bulk', {
        token,
        headers: pin,
        body: { action: 'unhide', ids: [hidden] },
      });
      const share = { kind: 'file', resource_id: hidden, name: 'For Jonas' };
      await service.call('POST', '/v1/shares', { token, body: share });
      await service.call('POST', '/v1/objects/bulk', {
        token,
        headers: pin,
        body: { action: 'hide', ids: [hidden] },
      });
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      const zone = zoneTab(tab, hidden);
      await open('/settings/security');
      await entries(tab).first().waitFor();
      await page.getByRole('combobox', { name: 'Show' }).selectOption('share_created');
      await page.getByText('Nothing of this kind is recorded.').waitFor();
      await zone.unlock();
      await page.locator('.rail').getByRole('link', { name: 'Settings' }).click();
      await page.locator('.rail').getByRole('link', { name: 'Security' }).click();
      await page.getByRole('combobox', { name: 'Show' }).selectOption('share_created');
      await entries(tab).first().getByText('For Jonas').waitFor();
      expect(await entries(tab).count()).to.equal(1);
      await page.keyboard.press('Shift+Escape');
      await zone.waitUntilLocked();
      await page.getByText('For Jonas').waitFor({ state: 'detached' });
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the log of security events in other languages`, function () {
    this.timeout(120_000);
    let service: Service;
    let browser: Browser;
    before(async () => {
      service = await startService(profile);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await service.dispose();
    });

    for (const [locale, title, word] of [
      ['de-DE', 'Sicherheitsereignisse', 'Angemeldet'],
      ['zh-CN', '安全事件', '已登录'],
    ] as const)
      it(`fits on a phone in ${locale}, without an English word`, async () => {
        const { page, open, complaints, close } = await openApp(browser, service, {
          locale,
          viewport: { width: 390, height: 844 },
        });
        await open('/settings/security');
        const list = page.getByRole('list', { name: title });
        await list.getByText(word).first().waitFor();
        expect(await list.innerText()).not.to.match(/Signed in|network|Token "/);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ).to.be.at.most(0);
        await capture(page, `security-${locale}`);
        expect(complaints).to.deep.equal([]);
        await close();
      });
  });
