import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Sealer } from '../../ports/secrets.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with the SHA-256 of the installation's key. A ciphertext is `keyId.base64url(iv + tag + ciphertext)`;
 * the key id identifies a ciphertext of another key immediately.
 */
export function aesSealer(secretKey: string): Sealer {
  const key = createHash('sha256').update(secretKey, 'utf8').digest();
  const keyId = createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8);
  return {
    seal: (plain) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open: (sealed) => {
      const [id, packed = '', ...more] = sealed.split('.');
      const bytes = Buffer.from(packed, 'base64url');
      // Decoding ignores invalid characters, so only the canonical encoding is accepted.
      const whole = more.length === 0 && bytes.toString('base64url') === packed;
      if (id !== keyId || !whole || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        // The tag does not match: altered, or sealed with another key.
        return undefined;
      }
    },
  };
}
