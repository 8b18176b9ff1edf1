import { createPrivateKey, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { PasskeyVerifier, RegisteredPasskey, WebAuthnJson } from '../../ports/passkeys.ts';
import type { Passkey } from '../../ports/sign-in.ts';
import {
  SoftwareAuthenticator,
  encode,
  newKey,
  signWith,
  type Changes,
  type CreationOptions,
  type RequestOptions,
} from '../software-authenticator.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

/** A certificate as manufacturers have, valid until 2120 (Web Authentication level 3, §8.2.1), and its key. */
const MANUFACTURER_CERTIFICATE = bytesOf(
  'MIIBmzCCAUKgAwIBAgIBATAKBggqhkjOPQQDAjBPMQswCQYDVQQGEwJVUzENMAsGA1UEChMEVGVzdDEiMCAGA1UECxMZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjENMAsGA1UEAxMEVGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowTzELMAkGA1UEBhMCVVMxDTALBgNVBAoTBFRlc3QxIjAgBgNVBAsTGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMTBFRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASB4o80DDnmDxvqB6_-Ci870EjksrFUrPMAqDSeLBMOTElfc77OvmUtpCixaZa8mJE8OAhn0sAKbYH3KcYppzX9ow0wCzAJBgNVHRMEAjAAMAoGCCqGSM49BAMCA0cAMEQCIGQDikxBOpykOEPxHtwTe7YzawlTa3DRhO8ZLkd5ZsynAiAOyBnWBR5RehqvBjD8JhqZDNXIO4ANLUEN2lK9y7isEg',
);
const MANUFACTURER_KEY = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvHK5HSp2zW3vqdFSD5PKGTQzACDVhjw2Sv42t7D1gsKhRANCAASB4o80DDnmDxvqB6_-Ci870EjksrFUrPMAqDSeLBMOTElfc77OvmUtpCixaZa8mJE8OAhn0sAKbYH3KcYppzX9',
    'base64url',
  ),
  format: 'der',
  type: 'pkcs8',
});

const ORIGIN = 'https://workspace.test';
const USER = randomBytes(48).toString('base64url');
const newChallenge = () => randomBytes(32).toString('base64url');

/** The contract of every PasskeyVerifier. `open` creates one for a public address. */
export function passkeyVerifierContract(open: (address: string) => PasskeyVerifier): void {
  const verifier = open(ORIGIN);

  const register = async (
    authenticator: SoftwareAuthenticator,
    changes: Changes = {},
    by = verifier,
  ) => {
    const challenge = newChallenge();
    const input = { challenge, userId: USER, userName: 'Ada', existing: [] };
    const options = (await by.registrationOptions(input)) as unknown as CreationOptions;
    const response = authenticator.create(options, changes);
    return { challenge, response, passkey: await by.verifyRegistration(response, challenge) };
  };
  const assert = async (
    authenticator: SoftwareAuthenticator,
    passkey: Passkey,
    changes: Changes = {},
    by = verifier,
  ) => {
    const challenge = newChallenge();
    const options = (await by.assertionOptions(challenge)) as unknown as RequestOptions;
    const response = authenticator.get(options, changes);
    const verified = await by.verifyAssertion(response, challenge, passkey);
    return { challenge, response, verified };
  };
  const registered = async (authenticator: SoftwareAuthenticator): Promise<Passkey> => {
    const { passkey } = await register(authenticator);
    if (!passkey) throw new Error('The registration was rejected.');
    return stored(passkey);
  };

  it('What an authenticator makes of `registrationOptions` is accepted by `verifyRegistration` with the same challenge, and by no other', async () => {
    for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
      const authenticator = new SoftwareAuthenticator(ORIGIN, algorithm);
      const { response, passkey } = await register(authenticator);
      expect(passkey, algorithm).to.deep.include({
        credentialId: response.id,
        counter: 1,
        transports: ['internal', 'hybrid'],
        isBackupEligible: false,
        isBackedUp: false,
      });
      expect(await verifier.verifyRegistration(response, newChallenge())).to.equal(undefined);
    }
    const synced = new SoftwareAuthenticator(ORIGIN, 'ES256', null);
    Object.assign(synced, { isBackupEligible: true, isBackedUp: true });
    const { passkey } = await register(synced);
    expect(passkey).to.deep.include({ counter: 0, isBackupEligible: true, isBackedUp: true });
    const unknown = await register(new SoftwareAuthenticator(ORIGIN, 'ES384'));
    expect(unknown.passkey, 'an algorithm that was not offered').to.equal(undefined);
  });

  it('An assertion is accepted by `verifyAssertion` with the same challenge and the registered key, and by no other', async () => {
    for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
      const authenticator = new SoftwareAuthenticator(ORIGIN, algorithm);
      const passkey = await registered(authenticator);
      const { response, verified } = await assert(authenticator, passkey);
      expect(verified, algorithm).to.deep.equal({ counter: 2, isBackedUp: false });
      expect(await verifier.verifyAssertion(response, newChallenge(), passkey)).to.equal(undefined);
      const { privateKey: key, coseKey } = newKey(algorithm);
      expect((await assert(authenticator, passkey, { key })).verified).to.equal(undefined);
      const other = { ...passkey, publicKey: encode(coseKey).toString('base64url') };
      expect((await assert(authenticator, other)).verified).to.equal(undefined);
      const synced = { ...passkey, isBackupEligible: true };
      expect((await assert(authenticator, synced)).verified).to.equal(undefined);
      const renamed = { ...passkey, credentialId: randomBytes(32).toString('base64url') };
      expect((await assert(authenticator, renamed)).verified).to.equal(undefined);
    }
  });

  it('An answer for another origin or relying party, or without user verification, is rejected', async () => {
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    const passkey = await registered(authenticator);
    const changes: readonly Changes[] = [
      { origin: 'https://workspace.test.evil.example' },
      { origin: 'https://sub.workspace.test' },
      { origin: 'https://workspace.test:8443' },
      { origin: 'http://workspace.test' },
      { origin: 'null' },
      { crossOrigin: true },
      { isUserVerified: false },
      { isUserPresent: false },
      { type: 'payment.get' },
    ];
    for (const change of [...changes, { rpId: 'evil.example' }]) {
      const title = JSON.stringify(change);
      const { passkey: made } = await register(new SoftwareAuthenticator(ORIGIN), change);
      expect(made, `registration ${title}`).to.equal(undefined);
      const { verified } = await assert(authenticator, passkey, change);
      expect(verified, `assertion ${title}`).to.equal(undefined);
    }
    const swapped = await assert(authenticator, passkey, { type: 'webauthn.create' });
    expect(swapped.verified).to.equal(undefined);
    const other = await register(new SoftwareAuthenticator(ORIGIN), { type: 'webauthn.get' });
    expect(other.passkey).to.equal(undefined);
    const { verified } = await assert(authenticator, passkey);
    expect(verified, 'unchanged').not.to.equal(undefined);
  });

  it('A malformed answer is rejected like a wrong one: the result is undefined', async () => {
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    const { response, challenge } = await register(authenticator);
    const passkey = await registered(authenticator);
    const assertion = await assert(authenticator, passkey);
    for (let truncated = 1; truncated < 200; truncated += 7) {
      const made = await register(new SoftwareAuthenticator(ORIGIN), { truncated });
      expect(made.passkey, `${truncated} bytes missing`).to.equal(undefined);
      const { verified } = await assert(authenticator, passkey, { truncated });
      expect(verified, `${truncated} bytes missing`).to.equal(undefined);
    }
    const nested = Buffer.concat([Buffer.alloc(12_000, 0x81), Buffer.of(0)]).toString('base64url');
    await fc.assert(
      fc.asyncProperty(hostile(nested), hostile(nested), async (inner, outer) => {
        for (const sent of [outer, { ...response, response: inner }, change(response, inner)]) {
          expect(await verifier.verifyRegistration(sent, challenge)).to.equal(undefined);
        }
        const by = assertion.challenge;
        for (const sent of [
          outer,
          { ...assertion.response, response: inner },
          change(assertion.response, inner),
        ])
          expect(await verifier.verifyAssertion(sent, by, passkey)).to.equal(undefined);
      }),
    );
    const id = randomBytes(32).toString('base64url');
    for (const changed of [{ id, rawId: id }, { rawId: id }, { type: 'password' }, { id: 7 }]) {
      const { response: made, challenge: by } = await register(new SoftwareAuthenticator(ORIGIN));
      expect(await verifier.verifyRegistration({ ...made, ...changed }, by)).to.equal(undefined);
      const sent = { ...assertion.response, ...changed };
      expect(await verifier.verifyAssertion(sent, assertion.challenge, passkey)).to.equal(
        undefined,
      );
    }
    // Bytes that a lenient decoder skips.
    for (const [field, value] of Object.entries(assertion.response.response))
      for (const sent of [`${value}=`, `${value}\n`, ` ${value}`, [value]]) {
        const inner = { ...assertion.response.response, [field]: sent };
        const { challenge: by } = assertion;
        const changed = { ...assertion.response, response: inner };
        expect(await verifier.verifyAssertion(changed, by, passkey), field).to.equal(undefined);
      }
    for (const clientData of ['', '[]', 'null', '{', '{"challenge":[]}', '"x"'])
      expect(
        verifier.claimsOf(authenticator.get(request(newChallenge()), { clientData })),
      ).to.equal(undefined);
  });

  it('An assertion names the challenge, the credential and the user handle that it was made with', async () => {
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    const passkey = await registered(authenticator);
    const { challenge, response } = await assert(authenticator, passkey);
    const claims = { challenge, credentialId: passkey.credentialId, userHandle: USER };
    expect(verifier.claimsOf(response)).to.deep.equal(claims);
    const { userHandle: _, ...anonymous } = response.response;
    for (const sent of [anonymous, { ...anonymous, userHandle: null }])
      expect(verifier.claimsOf({ ...response, response: sent })).to.deep.equal({
        ...claims,
        userHandle: undefined,
      });
  });

  it("A certificate of the authenticator's manufacturer is rejected, and nothing is fetched to check it", async () => {
    const selfSigned = (data: Buffer, key: Parameters<typeof signWith>[0]) =>
      new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(signWith(key, data))],
      ]);
    const accepted = await register(new SoftwareAuthenticator(ORIGIN), {
      format: 'packed',
      attStmt: selfSigned,
    });
    expect(accepted.passkey, 'signed with the credential itself').not.to.equal(undefined);
    const certified = await register(new SoftwareAuthenticator(ORIGIN), {
      format: 'packed',
      attStmt: (data) => selfSigned(data, MANUFACTURER_KEY).set('x5c', [MANUFACTURER_CERTIFICATE]),
    });
    expect(certified.passkey, 'signed with a valid certificate').to.equal(undefined);
    const fetched = globalThis.fetch;
    let requests = 0;
    globalThis.fetch = () => Promise.reject(new Error(`request ${++requests}`));
    try {
      for (const format of ['packed', 'apple', 'tpm', 'android-key', 'fido-u2f', 'constructor']) {
        const { passkey } = await register(new SoftwareAuthenticator(ORIGIN), {
          format,
          attStmt: (data, key) => selfSigned(data, key).set('x5c', [new Uint8Array(300)]),
        });
        expect(passkey, format).to.equal(undefined);
      }
    } finally {
      globalThis.fetch = fetched;
    }
    expect(requests).to.equal(0);
  });

  it('is available where browsers have passkeys', () => {
    for (const [address, expected] of [
      ['https://workspace.test', true],
      ['https://workspace.test:8443/base/path', true],
      ['http://localhost:8080', true],
      ['https://localhost', true],
      ['http://workspace.test', false],
      ['http://127.0.0.1:8080', false],
      ['https://192.0.2.1', false],
      ['https://[2001:db8::1]', false],
      ['https://0x7f.1', false],
      ['', false],
    ] as const)
      expect(open(address).isAvailable(), address).to.equal(expected);
  });

  it('takes the relying party from the public address', async () => {
    for (const [address, origin, id] of [
      ['https://workspace.test:8443/base', 'https://workspace.test:8443', 'workspace.test'],
      ['http://localhost:8080', 'http://localhost:8080', 'localhost'],
    ] as const) {
      const by = open(address);
      const authenticator = new SoftwareAuthenticator(origin);
      const made = await register(authenticator, {}, by);
      if (!made.passkey) throw new Error(`${address} rejects its own origin.`);
      const { verified } = await assert(authenticator, stored(made.passkey), {}, by);
      expect(verified?.counter).to.equal(2);
      const options = await by.registrationOptions({
        challenge: newChallenge(),
        userId: USER,
        userName: 'Ada',
        existing: [made.passkey],
      });
      expect(options).to.deep.include({
        attestation: 'none',
        timeout: 300_000,
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        user: { id: USER, name: 'Ada', displayName: 'Ada' },
        excludeCredentials: [
          { id: made.response.id, type: 'public-key', transports: ['internal', 'hybrid'] },
        ],
      });
      expect(options).to.have.nested.property('rp.id', id);
      expect(await by.assertionOptions(made.challenge)).to.deep.equal({
        challenge: made.challenge,
        rpId: id,
        allowCredentials: [],
        timeout: 300_000,
        userVerification: 'required',
      });
    }
  });
}

const request = (challenge: string): RequestOptions => ({ challenge, rpId: 'workspace.test' });

const stored = (passkey: RegisteredPasskey): Passkey => ({
  ...passkey,
  id: '0',
  name: 'Laptop',
  createdAt: 0,
  lastUsedAt: null,
});

/** JSON that no browser sends. */
const hostile = (nested: string): fc.Arbitrary<WebAuthnJson> => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('', '=', 'a', '%%%', nested, 'A'.repeat(10_000), '__proto__', 'constructor'),
  );
  const names = [
    ...['id', 'rawId', 'type', 'response', 'clientDataJSON', 'attestationObject'],
    ...['authenticatorData', 'signature', 'userHandle', '__proto__', 'constructor'],
  ];
  return fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 })
    .map((entries) => Object.fromEntries(entries));
};

/** A response with some fields of its inner object replaced; changed in at least one verified byte. */
function change(response: { readonly response: object }, fields: WebAuthnJson): WebAuthnJson {
  return {
    ...response,
    response: { ...response.response, signature: 'AA', attestationObject: 'AA', ...fields },
  };
}
