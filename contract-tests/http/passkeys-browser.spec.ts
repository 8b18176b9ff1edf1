import { fileURLToPath } from 'node:url';
import type * as ClientLibrary from '@simplewebauthn/browser';
import { expect } from 'chai';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { hasBrowser, openBrowser, openTab, type Tab } from './browser.ts';
import { profiles, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const CLIENT_LIBRARY = fileURLToPath(
  new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser')),
);

/** What the scripts of the page use of the browser (Web Authentication level 3, §5.1). */
declare const document: { readonly cookie: string; readonly body: { innerHTML: string } };
declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON(options: object): object;
  parseRequestOptionsFromJSON(options: object): object;
};
declare const navigator: {
  readonly credentials: {
    create(options: { publicKey: object }): Promise<{ toJSON(): object }>;
    get(options: { publicKey: object }): Promise<{ toJSON(): object }>;
  };
};

/** A browser on a device with an authenticator: Chromium's own implementation of WebAuthn and CTAP 2.1. */
interface Device {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

interface Outcome {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- black box: the shape is what the spec judges
  readonly json: any;
  /** The name of the exception of the browser, if it did not answer. */
  readonly error?: string;
}

/** One profile is enough: the responses are the same on both, and tested there. */
for (const profile of hasBrowser ? profiles.slice(0, 1) : [])
  describe(`${profile}: passkeys, in a browser`, function () {
    this.timeout(60_000);
    let service: Served;
    let browser: Browser;
    let localhost: string;
    const tabs: Tab[] = [];
    before(async () => {
      service = await sharedService(profile);
      // Without PUBLIC_URL, passkeys belong to localhost: an IP address cannot have them.
      localhost = service.base.replace('127.0.0.1', 'localhost');
      browser = await openBrowser();
    });
    afterEach(async () => {
      for (const tab of tabs.splice(0)) await tab.close();
    });
    after(async () => {
      await browser?.close();
    });

    /** A new browser with an authenticator, on an empty page of the service. */
    const openDevice = async (
      options: Readonly<Record<string, unknown>> = {},
      base = localhost,
    ): Promise<Device> => {
      const tab = await openTab(browser);
      tabs.push(tab);
      const { page } = tab;
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('WebAuthn.enable', { enableUI: false });
      const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
          ...options,
        },
      });
      await page.route('**/empty', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>empty</title>' }),
      );
      await page.goto(`${base}/empty`);
      return { page, cdp, authenticatorId };
    };

    /** What a script of the app does. Without a token the request has the session cookie, if there is one. */
    const register = ({ page }: Device, name: string, token?: string): Promise<Outcome> =>
      page.evaluate(
        async ([passkeyName, bearer]) => {
          const headers = {
            'content-type': 'application/json',
            ...(bearer && { authorization: `Bearer ${bearer}` }),
          };
          const begun = await fetch('/v1/me/passkeys/options', { method: 'POST', headers });
          const options = (await begun.json()) as object;
          try {
            const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
            const made = await navigator.credentials.create({ publicKey });
            const body = JSON.stringify({ name: passkeyName, response: made.toJSON() });
            const added = await fetch('/v1/me/passkeys', { method: 'POST', headers, body });
            return { status: added.status, json: await added.json() };
          } catch (error) {
            return { status: 0, json: null, error: (error as Error).name };
          }
        },
        [name, token] as const,
      );
    const signIn = ({ page }: Device): Promise<Outcome> =>
      page.evaluate(async () => {
        const headers = { 'content-type': 'application/json' };
        const begun = await fetch('/v1/sign-in/passkey/options', { method: 'POST', headers });
        const options = (await begun.json()) as object;
        try {
          const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
          const got = await navigator.credentials.get({ publicKey });
          const body = JSON.stringify({ response: got.toJSON() });
          const answer = await fetch('/v1/sign-in/passkey', { method: 'POST', headers, body });
          return { status: answer.status, json: await answer.json() };
        } catch (error) {
          return { status: 0, json: null, error: (error as Error).name };
        }
      });
    const call = ({ page }: Device, method: string, path: string): Promise<Outcome> =>
      page.evaluate(
        async ([verb, target]) => {
          const answer = await fetch(target, { method: verb });
          return { status: answer.status, json: await answer.json() };
        },
        [method, path] as const,
      );

    it('register and sign in over http on localhost; the cookie is out of reach of scripts', async () => {
      const { token } = await service.newOwner();
      const device = await openDevice();
      const added = await register(device, 'This computer', token);
      expect(added, JSON.stringify(added)).to.deep.include({ status: 200 });
      expect(added.json).to.deep.include({ name: 'This computer', transports: ['internal'] });
      expect((await call(device, 'GET', '/v1/me')).status, 'not signed in').to.equal(401);
      const signedIn = await signIn(device);
      expect(signedIn, JSON.stringify(signedIn)).to.deep.include({ status: 200 });
      const [cookie] = await device.page.context().cookies();
      expect(cookie).to.deep.include({
        name: 'session',
        domain: 'localhost',
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
      });
      expect(await device.page.evaluate(() => document.cookie)).to.equal('');
      const me = await call(device, 'GET', '/v1/me');
      expect(me.status).to.equal(200);
      expect(me.json.owner.id).to.equal(signedIn.json.owner.id);
      expect(me.json.token).to.equal(null);
      expect((await signIn(device)).json.session.id).to.equal(signedIn.json.session.id);
    });

    it('are discoverable: the authenticator stores the user handle and offers the passkey without a name', async () => {
      const { token } = await service.newOwner();
      const device = await openDevice();
      await register(device, 'This computer', token);
      const { cdp, authenticatorId } = device;
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      expect(credentials).to.have.length(1);
      expect(credentials[0]).to.deep.include({ isResidentCredential: true, rpId: 'localhost' });
      expect(Buffer.from(credentials[0]?.userHandle ?? '', 'base64')).to.have.length(48);
    });

    it('are added by a session for a second device, and not twice for the same', async () => {
      const { token } = await service.newOwner();
      const first = await openDevice();
      await register(first, 'First', token);
      await signIn(first);
      expect(await register(first, 'First again')).to.deep.include({ error: 'InvalidStateError' });
      const second = await openDevice({ defaultBackupEligibility: true, defaultBackupState: true });
      const added = await register(second, 'Second', token);
      expect(added.json).to.deep.include({ is_backed_up: true, is_backup_eligible: true });
      expect((await signIn(second)).status).to.equal(200);
      const { json } = await call(second, 'GET', '/v1/me/passkeys');
      expect(json.items.map(({ name }: { name: string }) => name)).to.deep.equal([
        'First',
        'Second',
      ]);
    });

    it('removed by one device, no longer sign the other in', async () => {
      const { token } = await service.newOwner();
      const [kept, lost] = [await openDevice(), await openDevice()];
      await register(kept, 'Kept', token);
      const { json } = await register(lost, 'Lost', token);
      expect((await signIn(lost)).status).to.equal(200);
      expect((await signIn(kept)).status).to.equal(200);
      const removed = await call(kept, 'DELETE', `/v1/me/passkeys/${json.id}`);
      expect(removed).to.deep.equal({ status: 200, json: { deleted: true } });
      const refused = await signIn(lost);
      expect(refused.status).to.equal(401);
      expect(refused.json.code).to.equal('sign_in_failed');
      const { items } = (await call(kept, 'GET', '/v1/me/passkeys')).json;
      const last = await call(kept, 'DELETE', `/v1/me/passkeys/${items[0].id}`);
      expect(last.status).to.equal(409);
      expect(last.json.code).to.equal('last_sign_in');
    });

    it('need user verification: a browser whose user cannot be verified does not answer', async () => {
      const { token } = await service.newOwner();
      const device = await openDevice();
      await register(device, 'This computer', token);
      const { cdp, authenticatorId } = device;
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
      expect(await signIn(device)).to.deep.include({ error: 'NotAllowedError' });
      const without = await openDevice({ hasUserVerification: false, isUserVerified: false });
      expect(await register(without, 'Old key', token)).to.deep.include({
        error: 'NotAllowedError',
      });
    });

    it('copied to another authenticator, are refused as soon as the counter goes back', async () => {
      const { token } = await service.newOwner();
      const original = await openDevice();
      await register(original, 'Original', token);
      const { cdp, authenticatorId } = original;
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      const copy = await openDevice();
      for (const credential of credentials)
        await copy.cdp.send('WebAuthn.addCredential', {
          authenticatorId: copy.authenticatorId,
          credential,
        });
      expect((await signIn(original)).status).to.equal(200);
      expect((await signIn(copy)).status, 'the same counter again').to.equal(401);
      const { json } = await service.call('GET', '/v1/notifications', { token });
      const titles = json.items.map(({ title }: { title: string }) => title);
      expect(titles).to.include('A passkey may have been copied');
      expect((await signIn(original)).status).to.equal(200);
    });

    it('are registered, and offered by autofill, with @simplewebauthn/browser', async () => {
      const { token } = await service.newOwner();
      const device = await openDevice();
      await device.page.addScriptTag({ path: CLIENT_LIBRARY });
      const outcome = await device.page.evaluate(async (bearer) => {
        const { startRegistration, startAuthentication } = (
          globalThis as unknown as { SimpleWebAuthnBrowser: typeof ClientLibrary }
        ).SimpleWebAuthnBrowser;
        const post = async (path: string, body: object = {}) => {
          const headers = {
            'content-type': 'application/json',
            authorization: `Bearer ${bearer}`,
          };
          const init = { method: 'POST', headers, body: JSON.stringify(body) };
          return (await fetch(path, init)).json() as Promise<Outcome['json']>;
        };
        const creation = await post('/v1/me/passkeys/options');
        const made = await startRegistration({ optionsJSON: creation });
        await post('/v1/me/passkeys', { name: 'x', response: made });
        document.body.innerHTML = '<input autocomplete="username webauthn">';
        const options = await post('/v1/sign-in/passkey/options');
        const got = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
        return post('/v1/sign-in/passkey', { response: got });
      }, token);
      expect(outcome.session?.current, JSON.stringify(outcome)).to.equal(true);
    });

    it('are not offered to a page at the IP address of the service', async () => {
      const { token } = await service.newOwner();
      const device = await openDevice({}, service.base);
      expect(await register(device, 'x', token)).to.deep.include({ error: 'SecurityError' });
      expect(await signIn(device)).to.deep.include({ error: 'SecurityError' });
    });
  });
