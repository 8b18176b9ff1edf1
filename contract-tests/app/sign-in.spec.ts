import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser, openTab } from '../http/browser.ts';
import { profiles, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';

const PASSWORD = 'a long password of words';

for (const profile of hasBrowser ? profiles : [])
  describe(`${profile}: signing in to the app`, function () {
    this.timeout(120_000);
    let service: Service;
    let browser: Browser;
    before(async () => {
      service = await startService(profile);
      browser = await sharedBrowser();
    });
    after(async () => {
      await service.dispose();
    });

    it('signs in by a link once, and leaves no code in address or history', async () => {
      const { id } = await service.newOwner();
      const code = await service.signInCode(id);
      const { page, complaints, close } = await openTab(browser);
      const gate = Promise.withResolvers<void>();
      await page.route('**/v1/sign-in/link', async (route) => {
        await gate.promise;
        await route.continue();
      });
      await page.goto(`${service.base}/app/sign-in#${code}`);
      await page.getByRole('status').getByText('Loading').waitFor();
      expect(await page.locator('form').count(), 'forms while the link is used').to.equal(0);
      gate.resolve();
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      expect(page.url()).to.equal(`${service.base}/app/welcome`);
      await page.goBack().catch(() => undefined);
      expect(page.url()).not.to.include(code);

      const other = await openTab(browser);
      await other.page.goto(`${service.base}/app/sign-in#${code}`);
      await other.page.getByRole('alert').getByText('used up or expired').waitFor();
      await capture(other.page, `sign-in-used-up`);
      expect([...complaints, ...other.complaints]).to.deep.equal([]);
      await close();
      await other.close();
    });

    it('returns to the requested page after a code was typed', async () => {
      const { id } = await service.newOwner();
      const { page, complaints, close } = await openTab(browser);
      await page.goto(`${service.base}/app/trash`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await expectAccessibleInBothThemes(page, 'signing in');
      await page.getByLabel('One-time link or code').fill('nonsense');
      await page.getByRole('button', { name: 'Use the link' }).click();
      await page.getByText('That is not a complete link or code.').waitFor();
      const code = await service.signInCode(id);
      await page.getByLabel('One-time link or code').fill(`${service.base}/app/sign-in#${code}`);
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      expect(page.url()).to.equal(`${service.base}/app/trash`);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('signs in by name and password, and out again', async () => {
      const owner = await service.newOwner();
      const me = await service.call('GET', '/v1/me', { token: owner.token });
      const name: string = me.json.owner.name;
      const signedIn = await openApp(browser, service, { owner });
      const set = await signedIn.page.request.put(`${service.base}/v1/me/password`, {
        data: { password: PASSWORD },
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      expect(set.status(), await set.text()).to.equal(200);
      await signedIn.close();

      const { page, complaints, close } = await openTab(browser);
      await page.goto(`${service.base}/app/`);
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').getByText('what you entered is wrong').waitFor();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `${name}: account` }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('signs in with a passkey', async () => {
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
      const status = await page.evaluate(async () => {
        const send = async (path: string, body?: unknown) => {
          const response = await fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          return { status: response.status, json: (await response.json()) as never };
        };
        const browserApi = globalThis as unknown as {
          PublicKeyCredential: { parseCreationOptionsFromJSON(json: never): unknown };
          navigator: { credentials: { create(options: unknown): Promise<{ toJSON(): unknown }> } };
        };
        const { json } = await send('/v1/me/passkeys/options');
        const publicKey = browserApi.PublicKeyCredential.parseCreationOptionsFromJSON(json);
        const made = await browserApi.navigator.credentials.create({ publicKey });
        return (await send('/v1/me/passkeys', { name: 'laptop', response: made.toJSON() })).status;
      });
      expect(status).to.equal(200);
      await page.context().clearCookies();
      await page.goto(`${base}/app/`);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
