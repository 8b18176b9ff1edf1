import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { MessengerPerson } from '../../ports/messenger.ts';
import { openMessengerService, type MessengerService } from '../fake-bot-api.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';

const person = (userId: bigint, displayName: string): MessengerPerson => ({
  userId,
  displayName,
  username: `u${userId}`,
  isBot: false,
});
const TOKEN = `7000000001:AAF-${'x'.repeat(24)}`;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: bots in the settings`, function () {
    this.timeout(180_000);
    let service: Service;
    let platform: MessengerService;
    let browser: Browser;
    let tab: AppTab;
    before(async () => {
      platform = await openMessengerService();
      service = await startService(profile, { MESSENGER_API_URL: platform.origin });
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      await tab.open('/settings/bots');
    });
    after(async () => {
      await tab.close();
      await service.dispose();
      await platform.close();
    });
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const read = async (path: string) =>
      (await service.call('GET', `/v1${path}`, { token: tab.token })).json;
    const bot = async () => (await read('/bots')).items[0];
    const group = async () => (await read(`/bots/${(await bot()).id}/chats`)).items[0];
    const hasConsent = (expected: boolean) =>
      eventually(
        async () => (await group()).proactive_allowed as boolean,
        (each) => each === expected,
      );
    const toast = (text: string) => tab.page.locator('.toast').filter({ hasText: text }).last();

    it('says next to the field that a token is wrong, and connects nothing', async () => {
      const { page } = tab;
      await page.getByText('No bot is connected yet.').waitFor();
      await page.getByLabel('Token of the bot').fill('123456:wrong');
      await page.getByRole('button', { name: 'Connect a bot' }).click();
      await page.getByRole('alert').getByText('Telegram does not accept this token.').waitFor();
      expect((await read('/bots')).total).to.equal(0);
      await expectAccessibleInBothThemes(page, 'a token that was refused');
    });

    it('connects a bot, and says how it reaches the owner, until it does', async () => {
      const { page } = tab;
      platform.account(TOKEN, { username: 'harbour_bot', name: 'Harbour' });
      await page.getByLabel('Token of the bot').fill(TOKEN);
      await page.getByRole('button', { name: 'Connect a bot' }).click();
      await toast('Harbour is connected.').waitFor();
      await page.getByText('Does not reach you yet').waitFor();
      const { link_code: code } = await bot();
      const chat = page.getByRole('link', { name: 'Open the chat in Telegram' });
      expect(await chat.getAttribute('href')).to.equal(
        `https://t.me/harbour_bot?start=${code as string}`,
      );
      await page.getByText(`/start ${code as string}`).waitFor();
      await capture(page, 'bots-link');
      expect(await page.content()).not.to.include(TOKEN);
      platform.writes(TOKEN, person(801n, 'Me'), `/start ${code as string}`);
      // The page follows the change.
      await page.getByText('Sends your reminders to your chat with it').waitFor();
      expect(await chat.count()).to.equal(0);
    });

    it('lists groups as they appear, with the members that are known', async () => {
      const { page } = tab;
      platform.group(-61n, 'Harbour watch', {
        description: 'Ships and lights',
        others: 40,
        members: [[person(9n, 'Dee'), 'creator']],
      });
      platform.placesBot(TOKEN, -61n, 'administrator');
      platform.says(-61n, person(1n, 'Ada'));
      await page.getByText('Harbour watch').first().waitFor();
      await page.getByRole('button', { name: 'Update: Harbour watch' }).click();
      await page.getByText(/ of \d+ members known/).waitFor();
      await page.getByRole('button', { name: 'Members: Harbour watch' }).click();
      const members = page.getByRole('list', { name: 'Members: Harbour watch' });
      await members.getByText('Dee').waitFor();
      await members.getByText('created the group').waitFor();
      await page.getByText('Ships and lights').waitFor();
      await capture(page, 'bots-groups');
      await expectAccessibleInBothThemes(page, 'bots with a group');
    });

    it('gives and takes back the consent to write first, by the keyboard alone', async () => {
      const { page } = tab;
      await page.getByRole('checkbox', { name: 'May write first' }).focus();
      await page.keyboard.press('Space');
      await toast('The bot may write first in Harbour watch.').waitFor();
      expect(await hasConsent(true)).to.equal(true);
      await page.keyboard.press('Control+z');
      expect(await hasConsent(false)).to.equal(false);
      await page.getByRole('checkbox', { name: 'May write first', checked: false }).waitFor();
      await page.keyboard.press('Space');
      expect(await hasConsent(true)).to.equal(true);
      await page.getByRole('checkbox', { name: 'May write first', checked: true }).waitFor();
    });

    it('says what is wrong with a group, in words', async () => {
      const { page } = tab;
      platform.revoke(TOKEN);
      await page.getByRole('button', { name: 'Update: Harbour watch' }).click();
      await page
        .getByRole('alert')
        .getByText('Telegram no longer accepts the token of this bot.')
        .waitFor();
    });

    it('fits on a phone in German', async () => {
      const phone = await openApp(browser, service, {
        owner: { id: tab.ownerId, token: tab.token },
        locale: 'de-DE',
        viewport: { width: 390, height: 844 },
      });
      await phone.open('/settings/bots');
      await phone.page.getByText('Harbour watch').first().waitFor();
      await phone.page.getByRole('checkbox', { name: 'Darf zuerst schreiben' }).waitFor();
      expect(
        await phone.page.evaluate('document.documentElement.scrollWidth - innerWidth'),
      ).to.be.at.most(0);
      await capture(phone.page, 'bots-phone-de');
      expect(phone.complaints).to.deep.equal([]);
      await phone.close();
    });

    it('removes a bot after asking', async () => {
      const { page } = tab;
      await page.getByRole('button', { name: 'Remove: Harbour' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect((await read('/bots')).total).to.equal(1);
      await page.getByRole('button', { name: 'Remove: Harbour' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the bot' }).click();
      await page.getByText('No bot is connected yet.').waitFor();
      expect((await read('/bots')).total).to.equal(0);
    });
  });
