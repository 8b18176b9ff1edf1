import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  openOidcProvider,
  type FakeOidcProvider,
} from '../fake-oidc-provider.ts';
import { hasBrowser, sharedBrowser, openTab } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: tokens, the identity provider and the invitation`, function () {
    this.timeout(180_000);
    let issuer: FakeOidcProvider;
    let service: Service;
    let browser: Browser;
    before(async () => {
      issuer = await openOidcProvider();
      service = await startService(profile, {
        OIDC_ISSUER: issuer.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
      });
      browser = await sharedBrowser();
    });
    after(async () => {
      await service.dispose();
      await issuer.close();
    });

    it('limit a token to scopes, folders and days', async () => {
      const { page, open, token, complaints, close } = await openApp(browser, service);
      const call = (method: string, path: string, body?: object, of = token) =>
        service.call(method, `/v1${path}`, { token: of, ...(body && { body }) });
      for (const name of ['Tax', 'Cellar']) await call('POST', '/collections', { name });
      await call('POST', '/objects/notes', { title: 'In no folder', content: 'x' });
      await open('/settings/you');
      await page.getByRole('button', { name: 'Create a token' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('What it is for').fill('the bookkeeper');
      await dialog.getByRole('combobox', { name: 'It may' }).selectOption('own');
      await dialog.getByRole('checkbox', { name: /^Change/ }).check();
      await dialog.getByRole('combobox', { name: 'It sees' }).selectOption('folders');
      const create = dialog.getByRole('button', { name: 'Create a token' });
      // Without a folder it would see nothing.
      expect(await create.isDisabled()).to.equal(true);
      await dialog.getByRole('radio', { name: 'Tax' }).check();
      await dialog.getByRole('button', { name: 'Add this folder' }).click();
      await dialog.getByRole('button', { name: 'Remove the folder Tax' }).waitFor();
      expect(await dialog.getByRole('radio', { name: 'Tax' }).count()).to.equal(0);
      await dialog.getByRole('combobox', { name: 'It expires' }).selectOption('own');
      await dialog.getByLabel('Days until it expires').fill('5');
      await capture(page, 'token-dialog');
      await expectAccessibleInBothThemes(page, 'creating a token');
      await create.click();
      const secret = (await page.locator('.secret').textContent()) ?? '';
      await page.getByRole('button', { name: 'Done' }).click();
      const entry = page.getByRole('listitem').filter({ hasText: 'the bookkeeper' });
      await entry.getByText(/Read and Change · only in Tax · until .* · never used/).waitFor();
      const { items } = (await call('GET', '/tokens')).json;
      const [card] = items;
      expect(card.scopes).to.deep.equal(['read', 'write']);
      expect(card.collection_ids).to.have.length(1);
      const days = (Date.parse(card.expires_at) - Date.parse(card.created_at)) / 86_400_000;
      expect(days).to.equal(5);
      expect((await call('GET', '/objects', undefined, secret)).json.total).to.equal(0);
      expect((await call('GET', '/calendar/events', undefined, secret)).status).to.equal(403);
      await page.reload();
      await entry.getByText(/network 127\.0\.0\.0\/24/).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('link the account of the identity provider, and unlink it after asking', async () => {
      // The provider is another site, so that the service needs a name.
      const base = service.base.replace('127.0.0.1', 'localhost');
      const { page, complaints, close } = await openTab(browser, {
        extraHTTPHeaders: { 'x-test-subject': `ada of ${profile}` },
        locale: 'en-GB',
      });
      const owner = await service.newOwner();
      await page.goto(`${base}/app/sign-in#${await service.signInCode(owner.id)}`);
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await page.goto(`${base}/app/settings/you`);
      await page.getByText('Not linked.').waitFor();
      await page.getByRole('button', { name: 'Link an account' }).click();
      await page.waitForURL(`${base}/app`);
      const linked = await service.call('GET', '/v1/me/oidc', { token: owner.token });
      expect(linked.json.linked).to.include({ issuer: issuer.issuer });
      await page.goto(`${base}/app/settings/you`);
      await page.getByText(`Linked with ${issuer.issuer}`).waitFor();
      await page.getByRole('button', { name: 'Unlink the account' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Unlink the account' }).click();
      // It is the only way in that lasts.
      await dialog.getByRole('alert').getByText('This is the last way to sign in.').waitFor();
      await service.call('PUT', '/v1/me/password', {
        token: owner.token,
        body: { password: 'a long password of words' },
      });
      await page.goto(`${base}/app/sign-in#${await service.signInCode(owner.id)}`);
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      await page.goto(`${base}/app/settings/you`);
      await page.getByRole('button', { name: 'Unlink the account' }).click();
      await dialog.getByRole('button', { name: 'Unlink the account' }).click();
      await page.getByText('Not linked.').waitFor();
      const { json } = await service.call('GET', '/v1/me/oidc', { token: owner.token });
      expect(json.linked).to.equal(null);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('use an invitation code once, and say when it is none, by the keyboard alone', async () => {
      const friend = await service.newOwner();
      const { code } = (await service.call('GET', '/v1/referral', { token: friend.token })).json;
      const { page, open, complaints, close } = await openApp(browser, service);
      await open('/settings/usage');
      const field = page.getByLabel('Code that you were given');
      await field.focus();
      await page.keyboard.type('nonsense');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('This code does not work').waitFor();
      await field.press('Control+a');
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
      await page.getByText('You have used a code.').waitFor();
      expect(await field.count()).to.equal(0);
      const { json } = await service.call('GET', '/v1/referral', { token: friend.token });
      expect(json.invited).to.equal(1);
      await capture(page, 'usage');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
