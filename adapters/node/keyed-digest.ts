import { createHmac, hkdfSync } from 'node:crypto';
import type { KeyedDigest } from '../../ports/secrets.ts';

const KEY_BYTES = 32;

/** HMAC-SHA256 under a key that HKDF (RFC 5869) derives from the installation's key for each purpose. */
export function hmacKeyedDigest(secretKey: string): KeyedDigest {
  const keys = new Map<string, Uint8Array>();
  const keyFor = (purpose: string): Uint8Array => {
    const known = keys.get(purpose);
    if (known) return known;
    const info = `owner-workspace digest\n${purpose}`;
    const key = new Uint8Array(hkdfSync('sha256', secretKey, '', info, KEY_BYTES));
    keys.set(purpose, key);
    return key;
  };
  return {
    digest: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex'),
  };
}
