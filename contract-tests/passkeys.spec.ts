import { expect } from 'chai';
import { webAuthnVerifier } from '../adapters/webauthn/passkey-verifier.ts';
import { onLocalhost } from '../adapters/webauthn/relying-party.ts';
import { passkeyVerifierContract } from './suites/passkey-verifier.ts';

describe('WebAuthn: PasskeyVerifier', () =>
  passkeyVerifierContract((address) => webAuthnVerifier(() => address)));

describe('The relying party of a service without a public address', () => {
  it('is localhost, where browsers have passkeys over http', () => {
    for (const [address, expected] of [
      ['http://127.0.0.1:8080', 'http://localhost:8080'],
      ['http://0.0.0.0:8080', 'http://localhost:8080'],
      ['http://[::1]:8080', 'http://localhost:8080'],
      ['http://[::]:8080', 'http://localhost:8080'],
      ['http://localhost:8080', 'http://localhost:8080'],
      ['http://192.0.2.1:8080', 'http://192.0.2.1:8080'],
      ['', ''],
    ] as const)
      expect(onLocalhost(address)).to.equal(expected);
  });
});
