import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser, openTab } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';

const SECTIONS = {
  you: 'You and your devices',
  look: 'Language and look',
  filing: 'Names and filing',
  keys: 'Keyboard',
  usage: 'Usage and health',
};

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the settings of the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    it('shows every section, on wide and on narrow windows', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/settings');
      for (const size of ['desktop', 'phone']) {
        if (size === 'phone') await page.setViewportSize({ width: 390, height: 844 });
        for (const [id, name] of Object.entries(SECTIONS)) {
          await page.getByRole('link', { name }).filter({ visible: true }).click();
          await page.getByRole('heading', { level: 1, name }).waitFor();
          await page.locator('.setting').first().waitFor();
          await page.waitForFunction(() => !document.querySelector('main .spin'));
          await capture(page, `settings-${id}-${size}`);
          await expectAccessibleInBothThemes(page, `${id}, ${size}`);
        }
      }
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('applies language, colours, zone and keys at once and after a reload', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/settings/look');
      await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
      await page.getByRole('button', { name: 'Dark' }).click();
      await page.locator('html[data-theme="dark"]').waitFor();
      await page.getByRole('button', { name: 'Close together' }).click();
      await page.locator('html[data-dense]').waitFor();
      await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
      await page.getByRole('heading', { level: 1, name: 'Sprache und Aussehen' }).waitFor();
      await page.getByRole('heading', { name: 'Zeitzone' }).waitFor();
      await capture(page, 'settings-look-dark');
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Sprache und Aussehen' }).waitFor();
      await page.locator('html[lang="de"][data-theme="dark"][data-dense]').waitFor();
      expect(await page.getByRole('combobox', { name: 'Zeitzone' }).inputValue()).to.equal(
        'Asia/Tokyo',
      );
      await open('/settings/keys');
      await page.getByRole('checkbox').click();
      await page.getByRole('checkbox', { checked: false }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Tastatur' }).waitFor();
      expect(await page.getByRole('checkbox').isChecked()).to.equal(false);
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('?');
      expect(await page.locator('dialog[open]').count()).to.equal(0);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('changes keys, refuses one that is used, and brings the usual ones back', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/settings/keys');
      const change = (name: string) =>
        page.getByRole('button', { name: `Change the key: ${name}` }).click();
      const reset = (name: string) =>
        page.getByRole('button', { name: `Back to the usual key: ${name}` });
      await change('Go to Trash');
      await page.getByRole('status').getByText('Press a key').waitFor();
      await page.keyboard.press('g');
      await page.getByRole('status').getByText('g, and now the next key').waitFor();
      await page.keyboard.press('a');
      await page.getByRole('alert').getByText('This key is used: Go to Ask').waitFor();
      for (const [key, user] of [
        ['v', 'Move to a folder (Library)'],
        ['t', 'Page or text (In a document)'],
        ['h', 'Mirror left and right (Edit the picture)'],
        [']', 'Next citation (In a document)'],
        ['w', 'Show the week (Calendar)'],
        ['m', 'Show the month (Calendar)'],
      ] as const) {
        await change('Go to Trash');
        await page.keyboard.press(key);
        await page
          .getByRole('alert')
          .getByText(`This key is used: ${user}`, { exact: true })
          .waitFor();
      }
      await change('Go to Trash');
      await page.keyboard.press('Escape');
      await change('Go to Trash');
      await page.keyboard.press('g');
      await page.keyboard.press('x');
      await reset('Go to Trash').waitFor();
      await page.reload();
      await reset('Go to Trash').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('x');
      await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.getByText('g x', { exact: true }).waitFor();
      await capture(page, 'help-own-keys');
      await expectAccessibleInBothThemes(page, 'help with own keys');
      await reset('Go to Trash').click();
      await help.getByText('g t', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('stores how documents are named', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      await open('/settings/filing');
      await page.getByRole('button', { name: 'Leave mine' }).click();
      await page.getByRole('button', { name: 'Leave mine', pressed: true }).waitFor();
      const { json } = await service.call('GET', '/v1/settings', { token });
      expect(json.auto_rename_mode).to.equal('dont_rename');
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('shows a new token once and revokes it', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/settings/you');
      await page.getByRole('button', { name: 'Create a token' }).click();
      await page.getByLabel('What it is for').fill('the scanner');
      await capture(page, 'settings-token');
      await page.keyboard.press('Enter');
      const secret = (await page.locator('.secret').textContent()) ?? '';
      const asked = await service.call('GET', '/v1/me', { token: secret });
      expect(asked.status).to.equal(200);
      await expectAccessibleInBothThemes(page, 'a new token');
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('the scanner').waitFor();
      expect(await page.content()).not.to.include(secret);
      await page.getByRole('button', { name: 'Revoke: the scanner' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page
        .getByRole('button', { name: 'Revoke: the scanner' })
        .waitFor({ state: 'detached' });
      expect((await service.call('GET', '/v1/me', { token: secret })).status).to.equal(401);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('adds, renames and removes a passkey, and sets a password', async () => {
      const { page, complaints, close } = await openTab(browser);
      const base = service.base.replace('127.0.0.1', 'localhost');
      const protocol = await page.context().newCDPSession(page);
      await protocol.send('WebAuthn.enable');
      await protocol.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const { id } = await service.newOwner();
      await page.goto(`${base}/app/sign-in#${await service.signInCode(id)}`);
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await page.goto(`${base}/app/settings/you`);
      await page.getByLabel('Name of the passkey').fill('laptop');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('button', { name: 'Rename: laptop' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('old laptop');
      await page.keyboard.press('Enter');
      await page.getByLabel('New password').fill('a long password of words');
      await page.keyboard.press('Enter');
      await page.getByText('The password is set.').waitFor();
      await page.getByRole('button', { name: 'Remove the password' }).click();
      await page.getByText('There is no password any more.').waitFor();
      const stored = page.waitForResponse(
        (response) => response.url().endsWith('/v1/me/password') && response.ok(),
      );
      await page.getByLabel('New password').fill('another password of words');
      await page.keyboard.press('Enter');
      await stored;
      await page.getByRole('button', { name: 'Remove: old laptop' }).click();
      await page.getByText('There is none yet.').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('ends a session elsewhere, which signs that browser out', async () => {
      const owner = await service.newOwner();
      const here = await openApp(browser, service, { owner });
      const there = await openApp(browser, service, { owner });
      await there.open('/library');
      await there.page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await here.open('/settings/you');
      const end = here.page.getByRole('button', { name: /^Sign out there/ });
      await end.waitFor();
      expect(await end.count()).to.equal(1);
      await end.click();
      await end.waitFor({ state: 'detached' });
      await there.page.getByLabel('One-time link or code').waitFor();
      await here.page.getByText('This browser').waitFor();

      const third = await openApp(browser, service, { owner });
      await third.open('/library');
      await third.page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await here.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
      await here.page.getByText('1 session ended.').waitFor();
      await third.page.getByLabel('One-time link or code').waitFor();
      for (const tab of [here, there, third]) {
        expect(tab.complaints).to.deep.equal([]);
        await tab.close();
      }
    });

    it('sets, changes and removes the password', async () => {
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/settings/you');
      const save = async (current: string, next: string) => {
        await page.getByLabel('Current password, if you have one').fill(current);
        await page.getByLabel('New password').fill(next);
        await page.getByRole('button', { name: 'Set the password' }).click();
      };
      const done = page.getByText('The password is set.');
      await save('', 'a long password of words');
      await done.waitFor();
      expect(await page.getByLabel('New password').inputValue()).to.equal('');
      await save('not the one that was set', 'another password of words');
      await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
      expect(await page.getByLabel('New password').inputValue()).to.equal(
        'another password of words',
      );
      await expectAccessibleInBothThemes(page, 'a password that was refused');
      await save('a long password of words', 'another password of words');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      // It is the only way in that lasts.
      await page.getByRole('button', { name: 'Remove the password' }).click();
      await page.getByRole('alert').getByText('This is the last way to sign in.').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('shows what another browser has changed, and says when a change could not be saved', async () => {
      const owner = await service.newOwner();
      const { page, open, complaints, close } = await openApp(browser, service, { owner });
      const followed = page.waitForResponse(
        (response) => response.url().endsWith('/v1/changes') && response.ok(),
      );
      await open('/settings/you');
      await followed;
      const body = { name: 'from the terminal', access: 'read' };
      await service.call('POST', '/v1/tokens', { token: owner.token, body });
      await page.getByText('from the terminal').waitFor();
      await open('/settings/look');
      await page.route('**/v1/settings', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 500, json: { detail: 'No.', code: 'internal' } })
          : route.fallback(),
      );
      await page.getByRole('button', { name: 'Dark' }).click();
      await page.getByRole('alert').getByText('The service failed.').waitFor();
      expect(await page.locator('html[data-theme]').count()).to.equal(0);
      await page.unroute('**/v1/settings');
      await page.getByRole('button', { name: 'Dark' }).click();
      await page.locator('html[data-theme="dark"]').waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('leads to a fresh sign-in and back where one is needed', async () => {
      const { page, open, complaints, close, ownerId } = await openApp(browser, service);
      await open('/settings/you');
      await page.route('**/v1/me/password', (route) =>
        route.fulfill({ status: 403, json: { detail: 'Again.', code: 'sign_in_again' } }),
      );
      await page.getByRole('button', { name: 'Remove the password' }).click();
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByLabel('One-time link or code').fill(await service.signInCode(ownerId));
      await page.getByRole('button', { name: 'Use the link' }).click();
      await page.getByRole('heading', { level: 1, name: 'You and your devices' }).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
